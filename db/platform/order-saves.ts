import { CheckConstraintViolationException, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchDocument } from '../../domain/errors.ts';
import { coinsOf, formatUnits, greatest, subtract, zero, type Amount } from '../../domain/money.ts';
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
import { uniqueConstraintViolated } from '../../domain/refusals/documents.ts';
import { definedFields } from '../support/defined-fields.ts';
import { transact } from '../support/transact.ts';
import { reserve } from './inventory/move-stock.ts';
import { openInvoice } from './invoices/invoices.ts';
import { addOrderComment, applyOrderState } from './orders/add-order-comment.ts';
import type { CancelHook } from './orders/cancel-order.ts';
import { lockOrder, saveOrder, withOrder, type LockedOrder } from './orders/lock-order.ts';
import { OrderAddress } from './orders/order.entity.ts';
import { insertOrder, type SavedOrder } from './orders/orders.ts';
import type {
  PostedAddress,
  PostedColumns,
  PostedComment,
  PostedLine,
  PostedOrder,
  PostedPayment,
} from './orders/posted-order.ts';
import {
  awaitedOf,
  followQuantities,
  hasCollectedDue,
  orderOfSale,
  recordMoneyIn,
  saleTaken,
  shownTotals,
} from './orders/read-order-comments.ts';
import { cancelAsSaved, moveToSaved, refuseStatusOfEnd } from './orders/save-state.ts';
import { countUsage } from './sales-rules/count-usage.ts';

/**
 * A hook that runs when an order is saved, in the same transaction; `posted` is the request. Registered in the
 * wiring. A new order's hooks run before its state is computed, so that their payments count.
 */
export type OrderHook = (em: EntityManager, order: SavedOrder, posted: PostedOrder) => Promise<void>;

interface OrderContext {
  /** The store of the request's path, for an order without a store. */
  storeId?: number;
  hooks?: readonly OrderHook[];
  /**
   * Whether the order is paid by an invoice that is sent later; absent: none is. Asked of orders that owe something.
   */
  isOnInvoice?: (em: EntityManager, order: SavedOrder, posted: PostedOrder) => Promise<boolean>;
  now: Date;
}

/** The first store view: the default for an order without a store. */
const defaultStoreId = 1;

/**
 * Places an order: stores it as posted and reserves its goods, in one transaction (platform facts 5.1, 12.3).
 *
 * Three kinds of order get their full invoice in the open state at once (spec 2.13, platform facts 13): a layaway
 * (`pending_payment` with a layaway status), goods on credit that is due, and an order that is paid by invoice. What is
 * posted as paid is money in. Its coupon and promotions count as used. No totals are computed and no stock is checked.
 *
 * A sale is one order: posted again, even concurrently, it gets its present state, `isReplayed`. A repeat without a
 * sale id places another order.
 *
 * Refused with: 400 contradicting figures, an incomplete line or payment, an increment id that is taken · 404 unknown
 * store · 409 `sale_order_conflict`, a sale with other content.
 */
export async function createOrder(em: EntityManager, posted: PostedOrder, context: OrderContext): Promise<SavedOrder> {
  const known = await orderOfSale(em, posted);
  if (known) return known;
  try {
    return await transact(em, (tx) => placeOrder(tx, posted, context));
  } catch (error) {
    // A concurrent request with the same sale was faster; its increment id may have collided first.
    const rival = error instanceof UniqueConstraintViolationException ? await orderOfSale(em, posted) : undefined;
    return rival ?? refuseContradiction(error);
  }
}

/** The same within a caller's transaction; `refuseContradiction` turns the database's errors into refusals. */
export async function placeOrder(
  em: EntityManager,
  posted: PostedOrder,
  { storeId, hooks = [], isOnInvoice, now }: OrderContext,
): Promise<SavedOrder> {
  const placed = await insertOrder(em, { posted, storeId: posted.columns.storeId ?? storeId ?? defaultStoreId, now });
  const isReceivable = placed.isReceivable || (placed.isOwed && (await isOnInvoice?.(em, placed, posted)));
  if (isReceivable) await openReceivable(em, placed.orderId);
  for (const hook of hooks) await hook(em, placed, posted);
  if (placed.state === 'processing' || placed.state === 'complete') await settleState(em, placed.orderId);
  // Last, because orders with the same promotion wait for each other here.
  await countUsage(em, posted.columns, 1);
  return placed;
}

async function openReceivable(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await openInvoice(em, order);
  await saveOrder(em, order);
}

/** An order posted with a later state than `new` gets the state that every save computes (platform facts 5.3). */
async function settleState(em: EntityManager, orderId: number): Promise<void> {
  const order = await lockOrder(em, orderId);
  await applyOrderState(em, order, 'save');
  await saveOrder(em, order);
}

/** Turns errors of the database's constraints into refusals. */
export function refuseContradiction(error: unknown): never {
  if (error instanceof CheckConstraintViolationException) {
    throw invalid('The order could not be saved: its figures contradict each other.');
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_increment_id')) {
    throw uniqueConstraintViolated();
  }
  if (error instanceof UniqueConstraintViolationException && error.message.includes('sales_order_pos_sale_id_once')) {
    throw saleTaken();
  }
  throw error;
}

interface ChangedOrder extends Pick<OrderContext, 'hooks'> {
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
    await changeAddress(tx, order, 'billing', posted.billingAddress);
    await changeAddress(tx, order, 'shipping', posted.shippingAddress);
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

async function changeAddress(
  em: EntityManager,
  order: LockedOrder,
  addressType: 'billing' | 'shipping',
  sent: PostedAddress | undefined,
): Promise<void> {
  if (!sent) return;
  const address = await em.findOne(OrderAddress, { order: order.entityId, addressType });
  if (address) {
    Object.assign(address, definedFields(sent));
    return;
  }
  const created = em.create(OrderAddress, { ...definedFields(sent), order: order.entityId, addressType });
  await em.flush();
  if (addressType === 'billing') order.billingAddressId = created.entityId;
  else order.shippingAddressId = created.entityId;
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
