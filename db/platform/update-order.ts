import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchDocument } from '../../domain/errors.ts';
import {
  add,
  coinsOf,
  columnsOfMoney,
  formatUnits,
  greatest,
  inBoth,
  minus,
  moneyOf,
  none,
  subtract,
  twins,
  zero,
  type Amount,
  type Quantity,
} from '../../domain/money.ts';
import { toInvoice, toShip } from '../../domain/platform/document-lines.ts';
import { isOver, refuseReopening, type OrderState } from '../../domain/platform/order-state.ts';
import {
  firstOverwritten,
  isPaid,
  isSku,
  mayBeSavedAs,
  paidAtPlacement,
  refuseMoneyIn,
  skuOfLine,
  stockSkuOf,
  worthOfGoodsOut,
  type Paid,
} from '../../domain/platform/placement.ts';
import {
  refuseLateTotals,
  refuseLayawayTerms,
  refuseOneSidedTotal,
  refuseRedirecting,
  refuseUnsafeColumns,
  refuseUnsafeLine,
} from '../../domain/platform/save-guard.ts';
import { definedFields } from '../support/defined-fields.ts';
import { type NewRowOf } from '../support/entity-columns.ts';
import { shopNow } from '../support/shop-clock.ts';
import { sql } from '../support/sql.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { reserve } from './inventory/move-stock.ts';
import { addOrderComment, applyOrderState } from './orders/add-order-comment.ts';
import type { CancelHook } from './orders/cancel-order.ts';
import { saveOrder, withOrder, type LockedOrder, type OrderLine } from './orders/lock-order.ts';
import { MoneyIn } from './orders/order.entity.ts';
import { refuseContradiction } from './place-order.ts';
import type { PostedColumns, PostedComment, PostedLine, PostedOrder, PostedPayment } from './orders/posted-order.ts';
import { writeAddress } from './orders/save-order-address.ts';
import { cancelAsSaved, moveToSaved, refuseStatusOfEnd } from './orders/save-state.ts';
import type { OrderHook, SavedOrder } from './orders/saved-order.ts';

interface ChangedOrder {
  hooks?: readonly OrderHook[];
  posted: PostedOrder;
  /** What other features do when the save cancels the order: the same as for the order's own cancellation. */
  cancelHooks?: readonly CancelHook[];
}

/**
 * Changes the fields sent of an order, under its lock (platform facts 5.1). A state is reached by the verb that leads
 * to it (`moveBySave`): `canceled` cancels the order, with everything that a cancellation gives back. Then the state is
 * computed as in every save. The increment id stays. A repeat changes nothing.
 *
 * Booked figures, a layaway's terms and collected credit may only be sent again unchanged (our choice). A higher total
 * paid is a payment, and the payment's own amount follows it. Reservations follow the lines' quantities; a cancelled or
 * closed order has none. Once money was received, currencies, method and transaction stay.
 *
 * Refused with: 404 unknown order or line · 400 a booked figure that differs, less paid than before, money for an
 * order that is over, a state that no verb leads to, figures that contradict each other or are below what
 * documents took, a total in one currency only, and the cases of `save-guard.ts`.
 */
export function updateOrder(
  em: EntityManager,
  orderId: number,
  { posted, hooks = [], cancelHooks = [] }: ChangedOrder,
): Promise<SavedOrder> {
  const change = async (tx: EntityManager, order: LockedOrder) => {
    const { state, status } = posted.columns;
    refuseReopening(order.state, state);
    refuseLayawayTerms(order, posted);
    await refuseAnothersWork(tx, order, posted.columns);
    refuseUnsafeColumns(order, posted.columns);
    refuseRedirecting(order, order.payment, posted.payment ?? {});
    const stored = { ...order };
    await changeColumns(tx, order, posted.columns);
    refuseOneSidedTotal(stored, order);
    const awaited = awaitedOf(order);
    for (const line of posted.lines ?? []) changeLine(order, line);
    refuseLateTotals(stored, order);
    changePayment(order, posted.payment ?? {});
    const { billingAddress, shippingAddress } = posted;
    if (billingAddress) await writeAddress(tx, order, { addressType: 'billing', address: billingAddress });
    if (shippingAddress) await writeAddress(tx, order, { addressType: 'shipping', address: shippingAddress });
    for (const comment of posted.comments ?? []) await addComment(tx, order, comment);
    const move = await moveToSaved(tx, order, { state, status });
    await applyOrderState(tx, order, 'save');
    await tx.flush();
    await saveOrder(tx, order);
    if (posted.lines?.length) await followQuantities(tx, order, awaited);
    await cancelAsSaved(tx, order, { move, status, hooks: cancelHooks });
    refuseStatusOfEnd(order, stored.status, { status });
    const saved = savedOf(order);
    for (const hook of hooks) await hook(tx, saved, posted);
    await releaseReservations(tx, order);
    return saved;
  };
  return withOrder(em, orderId, change).catch(refuseContradiction);
}

/** `moveToSaved` sets state and status; only a hold sets what was before it. */
const moved: readonly string[] = ['state', 'status', 'holdBeforeState', 'holdBeforeStatus'];

/** What a layaway owes follows from its order's columns, as `total_due` does (spec 2.13). */
const withoutFollowing = (columns: object, { posLayawayStatus }: LockedOrder) =>
  Object.fromEntries(
    Object.entries(columns).filter(
      ([name]) => !moved.includes(name) && !(posLayawayStatus && name === 'posLayawayBalanceOwed'),
    ),
  );

async function changeColumns(em: EntityManager, order: LockedOrder, sent: PostedColumns): Promise<void> {
  refuseOverwriting(order, sent);
  const before: Paid = { amount: order.totalPaid, baseAmount: order.baseTotalPaid };
  const { incrementId: _kept, storeId: _alsoStored, totalPaid, baseTotalPaid, ...columns } = sent;
  const { extensionAttributes = {}, ...others } = columns;
  Object.assign(order, withoutFollowing(definedFields(others), order));
  // Other stored attributes stay: an order that is sent back does not contain all of them.
  order.extensionAttributes = { ...order.extensionAttributes, ...extensionAttributes };
  if (totalPaid === undefined && baseTotalPaid === undefined) return;
  const { grandTotal, baseGrandTotal } = order;
  const paid = paidAtPlacement({ coins: coinsOf(order), grandTotal, baseGrandTotal, totalPaid, baseTotalPaid });
  order.totalPaid = paid.amount;
  order.baseTotalPaid = paid.baseAmount;
  const rise = {
    amount: subtract(paid.amount, before.amount),
    baseAmount: subtract(paid.baseAmount, before.baseAmount),
  };
  await recordRise(em, order, { rise, state: sent.state });
}

/**
 * Refuses to change what only payments and their own verbs may: a layaway's state, credit collected (spec 3.1, 4.6);
 * and to ask for goods that came back.
 */
async function refuseAnothersWork(em: EntityManager, order: LockedOrder, sent: PostedColumns): Promise<void> {
  const { posLayawayStatus: status, posCreditDue: due, posSaleId } = sent;
  // A sale whose id moved to another order would be placed again by its register's next repeat.
  if (posSaleId !== undefined && order.posSaleId && posSaleId !== order.posSaleId) {
    throw invalidValue('posSaleId', posSaleId);
  }
  if (status !== undefined && !mayBeSavedAs(order.posLayawayStatus ?? null, status ?? null)) {
    throw invalidValue('posLayawayStatus', status);
  }
  const tenders = sent.extensionAttributes?.['pos_tenders'];
  if (tenders !== undefined && !isDeepStrictEqual(tenders, order.extensionAttributes['pos_tenders'])) {
    throw invalidValue('posTenders', JSON.stringify(tenders));
  }
  if (due === undefined || due === (order.posCreditDue ?? null)) return;
  const isForGoodsBack = order.adjustmentNegative > 0 && (due ?? zero) > worthOfGoodsOut(order);
  if (isForGoodsBack || (await hasCollectedDue(em, order.entityId)))
    throw invalidValue('posCreditDue', formatUnits(Number(due)));
}

function refuseOverwriting(stored: object, sent: object): void {
  const [fieldName, units] = firstOverwritten(stored, sent) ?? [];
  if (fieldName === undefined) return;
  throw invalidValue(fieldName, formatUnits(Number(units)));
}

/** @param state what the save moves the order to: an order takes no money with the save that cancels it */
async function recordRise(
  em: EntityManager,
  order: LockedOrder,
  { rise, state = order.state }: { rise: Paid; state: OrderState | undefined },
): Promise<void> {
  if (rise.amount < 0 || rise.baseAmount < 0) throw invalid('What an order has been paid cannot be lowered.');
  if (!isPaid(rise)) return;
  refuseMoneyIn({ state, posLayawayStatus: order.posLayawayStatus });
  const payment = order.payment;
  payment.amountPaid = greatest(payment.amountPaid, order.totalPaid);
  payment.baseAmountPaid = greatest(payment.baseAmountPaid, order.baseTotalPaid);
  await recordMoneyIn(em, { orderId: order.entityId, kind: 'placement', method: payment.method, ...rise });
}

/** The payment's amount follows the order's own total, as at placement. */
function changePayment(order: LockedOrder, { amountPaid: _follows, baseAmountPaid: _too, ...sent }: PostedPayment) {
  const payment = order.payment;
  refuseOverwriting(payment, sent);
  Object.assign(payment, definedFields(sent));
}

function changeLine(order: LockedOrder, { itemId, parentAt: _unused, ...sent }: PostedLine): void {
  const line = order.lines.find((one) => one.itemId === itemId);
  if (!line) throw noSuchDocument();
  refuseOverwriting(line, sent);
  const shown: Readonly<Record<string, Amount>> = shownTotals(line);
  const isNews = ([name, it]: [string, unknown]) => it !== shown[name] && (name !== 'sku' || !isSku(it, line.sku));
  const news = definedFields(Object.fromEntries(Object.entries(sent).filter(isNews)));
  refuseUnsafeLine(order, line, news);
  Object.assign(line, news);
  const parts = order.lines.filter((one) => one.parentItemId === line.itemId);
  line.sku = skuOfLine(line, parts);
}

/** An order that is over releases its reservations, because no later step would. A repeat finds nothing left. */
async function releaseReservations(em: EntityManager, order: LockedOrder): Promise<void> {
  const { entityId: orderId, storeId, state } = order;
  if (!isOver(state)) return;
  const lines = order.lines.map((line) => ({ sku: stockSkuOf(line), qty: line.qtyOrdered }));
  await reserve(em, { orderId, storeId, eventType: 'order_canceled', lines });
}

const addComment = (em: EntityManager, order: LockedOrder, posted: PostedComment) =>
  addOrderComment(em, {
    orderId: order.entityId,
    comment: posted.comment ?? '',
    status: posted.status || order.status,
    isCustomerNotified: Boolean(posted.isCustomerNotified),
    isVisibleOnFront: Boolean(posted.isVisibleOnFront),
  });

const savedOf = (order: LockedOrder): SavedOrder => ({
  orderId: order.entityId,
  incrementId: order.incrementId,
  storeId: order.storeId,
  state: order.state,
  customerId: order.customerId ?? null,
  posSaleId: order.posSaleId ?? null,
  posLayawayStatus: order.posLayawayStatus ?? null,
  isNew: false,
});

/** How many of a product an order has still to hand over. */
interface Awaited {
  sku: string;
  qty: Quantity;
}

/** What the lines of an order have still to hand over. Virtual goods count until they are invoiced. */
const awaitedOf = (order: LockedOrder): Awaited[] =>
  order.lines
    .filter((line) => line.parentItemId == null)
    .map((line) => ({ sku: stockSkuOf(line), qty: line.isVirtual ? toInvoice(line) : toShip(line) }));

/**
 * Changes an order's reservations when the quantities of its lines change. Without this, stock would stay reserved for
 * no order, or the same goods would be sold twice.
 *
 * @param before what the order still had to hand over before its lines were changed
 */
function followQuantities(em: EntityManager, order: LockedOrder, before: readonly Awaited[]): Promise<void> {
  const after = awaitedOf(order).map(({ sku, qty }) => ({ sku, qty: minus(none, qty) }));
  const lines = [...before, ...after];
  return reserve(em, { orderId: order.entityId, storeId: order.storeId, eventType: 'order_placed', lines });
}

/** Writes down a payment that raised an order's total paid, in the caller's transaction. A repeat writes it again. */
const recordMoneyIn = (em: EntityManager, paid: NewRowOf<typeof MoneyIn>): Promise<void> =>
  insertRows(em, [into(MoneyIn, [{ ...paid, createdAt: shopNow() }])]);

/** Whether a customer has paid any of an order's credit due. */
const hasCollectedDue = async (em: EntityManager, orderId: number): Promise<boolean> =>
  (await findDue.first(em, { orderId })) !== undefined;

const findDue = sql('update-order.findDue')`
  select money_in_id from sales_money_in where order_id = $orderId and kind = 'credit_due' limit 1`;

const figures = {
  ...twins('rowTotal', 'discountAmount', 'taxAmount', 'discountTaxCompensationAmount'),
  weee: { order: 'weeeTaxAppliedRowAmount', base: 'baseWeeeTaxAppliedAmount' },
} as const;

/**
 * The totals of a line as answers show them: calculated, net of discount (platform facts 5.2). When a client sends them
 * back, they must not replace the stored ones.
 */
const shownTotals = (line: OrderLine) =>
  columnsOfMoney(
    twins('rowTotal', 'rowTotalInclTax'),
    inBoth((currency) => {
      const { rowTotal, discountAmount, taxAmount, discountTaxCompensationAmount, weee } = moneyOf(
        line,
        figures,
        currency,
      );
      const row = subtract(rowTotal, discountAmount);
      return {
        rowTotal: greatest(zero, row),
        rowTotalInclTax: greatest(zero, add(row, taxAmount, discountTaxCompensationAmount, weee)),
      };
    }),
  );
