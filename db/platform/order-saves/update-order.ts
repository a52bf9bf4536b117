import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue, noSuchDocument } from '../../../domain/errors.ts';
import { greatest, subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinsOf } from '../../../domain/money/coins.ts';
import { formatUnits } from '../../../domain/money/fixed-point.ts';
import { firstOverwritten } from '../../../domain/platform/booked-figures.ts';
import { worthOfGoodsOut } from '../../../domain/platform/money-left.ts';
import { isOver, type OrderState } from '../../../domain/platform/order-state.ts';
import { isPaid, mayBeSavedAs, paidAtPlacement, type Paid } from '../../../domain/platform/placement.ts';
import { refuseMoneyIn } from '../../../domain/platform/refuse-money-in.ts';
import { refuseReopening } from '../../../domain/platform/refuse-reopening.ts';
import {
  refuseLateTotals,
  refuseOneSidedTotal,
  refuseRedirecting,
  refuseUnsafeColumns,
  refuseUnsafeLine,
} from '../../../domain/platform/save-guard.ts';
import { isSku, skuOfLine, stockSkuOf } from '../../../domain/platform/sku-of-line.ts';
import { given } from '../../support/given.ts';
import { reserve } from '../inventory/reserve.ts';
import { countUsage } from '../sales-rules/count-usage.ts';
import { addOrderComment } from '../orders/add-order-comment.ts';
import { applyOrderState } from '../orders/apply-order-state.ts';
import { refuseContradiction, type OrderContext } from './create-order.ts';
import type { SavedOrder } from '../orders/insert-order.ts';
import { awaitedOf, followQuantities } from '../orders/follow-quantities.ts';
import { saveOrder, withOrder, type LockedOrder } from '../orders/lock-order.ts';
import { hasCollectedDue, recordMoneyIn } from '../orders/record-money-in.ts';
import { OrderAddress } from '../orders/order-address.entity.ts';
import type {
  PostedAddress,
  PostedColumns,
  PostedComment,
  PostedLine,
  PostedOrder,
  PostedPayment,
} from '../orders/posted-order.ts';
import { shownTotals } from '../orders/shown-totals.ts';

/**
 * Changes the fields sent of an order, under its lock (platform facts 5.1). State and status may be set freely; then
 * the state is computed as in every save. The increment id stays. A repeat changes nothing.
 *
 * Booked figures, a layaway's state and collected credit may only be sent again unchanged (our choice). A higher total
 * paid is a payment, and the payment's own amount follows it. Reservations follow the lines' quantities; a cancelled or
 * closed order has none. Once money was received, currencies, method and transaction stay.
 *
 * Refused with: 404 unknown order or line · 400 a booked figure that differs, less paid than before, money for an
 * order that is over, another state for a cancelled one, figures that contradict each other or are below what
 * documents took, a total in one currency only, and the cases of `save-guard.ts`.
 */
export function updateOrder(
  em: EntityManager,
  orderId: number,
  { posted, hooks = [] }: Pick<OrderContext, 'hooks'> & { posted: PostedOrder },
): Promise<SavedOrder> {
  const change = async (tx: EntityManager, order: LockedOrder) => {
    const before = order.state;
    refuseReopening(before, posted.columns.state);
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
    await applyOrderState(tx, order, 'save');
    await tx.flush();
    await saveOrder(tx, order);
    const saved = savedOf(order);
    for (const hook of hooks) await hook(tx, saved, posted);
    if (posted.lines?.length) await followQuantities(tx, order, awaited);
    await releaseReservations(tx, order, before);
    return saved;
  };
  return withOrder(em, orderId, change).catch(refuseContradiction);
}

async function changeColumns(em: EntityManager, order: LockedOrder, sent: PostedColumns): Promise<void> {
  refuseOverwriting(order, sent);
  const before: Paid = { amount: order.totalPaid, baseAmount: order.baseTotalPaid };
  const { incrementId: _kept, storeId: _alsoKept, totalPaid, baseTotalPaid, ...columns } = sent;
  const { extensionAttributes = {}, ...others } = columns;
  Object.assign(order, given(others));
  // Other stored attributes stay: an order that is sent back does not contain all of them.
  order.extensionAttributes = { ...order.extensionAttributes, ...extensionAttributes };
  if (totalPaid === undefined && baseTotalPaid === undefined) return;
  const { grandTotal, baseGrandTotal } = order;
  const paid = paidAtPlacement({ coins: coinsOf(order), grandTotal, baseGrandTotal, totalPaid, baseTotalPaid });
  order.totalPaid = paid.amount;
  order.baseTotalPaid = paid.baseAmount;
  await recordRise(em, order, {
    amount: subtract(paid.amount, before.amount),
    baseAmount: subtract(paid.baseAmount, before.baseAmount),
  });
}

/**
 * Refuses to change what only payments and their own verbs may: a layaway's state, credit collected (spec 3.1, 4.6); and
 * to ask for goods that came back.
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

async function recordRise(em: EntityManager, order: LockedOrder, rise: Paid): Promise<void> {
  if (rise.amount < 0 || rise.baseAmount < 0) throw invalid('What an order has been paid cannot be lowered.');
  if (!isPaid(rise)) return;
  refuseMoneyIn(order);
  const payment = order.payment;
  payment.amountPaid = greatest(payment.amountPaid, order.totalPaid);
  payment.baseAmountPaid = greatest(payment.baseAmountPaid, order.baseTotalPaid);
  await recordMoneyIn(em, { orderId: order.entityId, kind: 'placement', method: payment.method, ...rise });
}

/** The payment's amount follows the order's own total, as at placement. */
function changePayment(order: LockedOrder, { amountPaid: _follows, baseAmountPaid: _too, ...sent }: PostedPayment) {
  const payment = order.payment;
  refuseOverwriting(payment, sent);
  Object.assign(payment, given(sent));
}

function changeLine(order: LockedOrder, { itemId, parentAt: _unused, ...sent }: PostedLine): void {
  const line = order.lines.find((one) => one.itemId === itemId);
  if (!line) throw noSuchDocument();
  refuseOverwriting(line, sent);
  const shown: Readonly<Record<string, Amount>> = shownTotals(line);
  const isNews = ([name, it]: [string, unknown]) => it !== shown[name] && (name !== 'sku' || !isSku(it, line.sku));
  const news = given(Object.fromEntries(Object.entries(sent).filter(isNews)));
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
    Object.assign(address, given(sent));
    return;
  }
  const created = em.create(OrderAddress, { ...given(sent), order: order.entityId, addressType });
  await em.flush();
  if (addressType === 'billing') order.billingAddressId = created.entityId;
  else order.shippingAddressId = created.entityId;
}

/**
 * An order that a save cancelled or closed releases its reservations, because no later step would. Its coupon may be
 * used again after a cancellation. A repeat finds nothing left.
 */
async function releaseReservations(em: EntityManager, order: LockedOrder, before: OrderState): Promise<void> {
  const { entityId: orderId, storeId, state } = order;
  if (!isOver(state)) return;
  const lines = order.lines.map((line) => ({ sku: stockSkuOf(line), qty: line.qtyOrdered }));
  await reserve(em, { orderId, storeId, eventType: 'order_canceled', lines });
  if (state === 'canceled' && before !== 'canceled') await countUsage(em, order, -1);
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
