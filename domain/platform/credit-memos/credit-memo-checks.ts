import { invalid } from '../../errors.ts';
import { absolute, add, subtract, toPlain, zero, type Amount } from '../../money/amount.ts';
import { isWhole, none } from '../../money/quantity.ts';
import type {
  CreditMemoFigures,
  CreditMemoRequest,
  OrderRegisters,
  RefundableLine,
  RefundableOrder,
  RequestedItem,
} from './credit-memo-figures.ts';
import { refuseDocument } from '../document-lines.ts';
import { moneyLeft } from '../money-left.ts';
import { isReadyForCreditmemo } from '../order-state.ts';

/** 400 for an amount below zero: a memo gives back, an adjustment says in its name which way it goes. */
export function refuseNegativeAmounts({ shipping, adjustmentPositive, adjustmentNegative }: CreditMemoRequest): void {
  const given = { shippingAmount: shipping, adjustmentPositive, adjustmentNegative };
  for (const [fieldName, value] of Object.entries(given)) {
    if (value === undefined || (value.base >= zero && value.order >= zero)) continue;
    throw invalid('The %fieldName value of "%value" must be greater than or equal to %minValue.', {
      fieldName,
      value: toPlain(value.order),
      minValue: 0,
    });
  }
}

/**
 * The platform's checks of a memo that is worked out, in its order, answered together (platform facts 7.4). Both are
 * counted in coins by now.
 *
 * Refused with: 400, one line for each thing that is wrong.
 */
export function refuseInvalidMemo(
  order: RefundableOrder,
  request: CreditMemoRequest,
  figures: CreditMemoFigures,
): void {
  const items = request.items ?? [];
  const errors = [
    ...(bringsFreeGoodsBack(order, request, figures) ? [] : orderErrors(order, figures)),
    ...brokenPieces(order.lines, items),
    ...totalErrors(order, figures),
    ...itemErrors(order, items),
  ];
  refuseDocument('Creditmemo', errors);
}

/**
 * Goods that are worth nothing come back at the register at any time, also when all money went back before them. Our
 * choice: the platform refuses every memo of an order that is closed or has no money left.
 */
const bringsFreeGoodsBack = (
  { state }: RefundableOrder,
  { evensOutPosted }: CreditMemoRequest,
  { lines, base, order }: CreditMemoFigures,
): boolean =>
  evensOutPosted === true &&
  (state === 'closed' || isReadyForCreditmemo(state)) &&
  lines.some(({ qty }) => qty > none) &&
  base.grandTotal === zero &&
  order.grandTotal === zero;

function orderErrors(order: RefundableOrder, figures: CreditMemoFigures): string[] {
  if (!isReadyForCreditmemo(order.state) && !isMoneyOfCancelled(order, figures)) {
    return [`A creditmemo can not be created when an order has a status of ${order.status}`];
  }
  return hasSomethingLeft(order) ? [] : ['The order does not allow a creditmemo to be created.'];
}

/**
 * Money of a cancelled order that was not given back yet goes out by a memo without goods. Our choice: the platform
 * refuses every memo of a cancelled order. What the fee of a cancelled layaway kept is settled: it stays.
 */
const isMoneyOfCancelled = (
  { state, isLayawayCancelled }: RefundableOrder,
  { lines, base, order }: CreditMemoFigures,
) =>
  state === 'canceled' &&
  !isLayawayCancelled &&
  lines.every(({ qty }) => qty === none) &&
  (base.grandTotal > zero || order.grandTotal > zero);

/** Money in either currency, or, where nothing had to be paid, goods. */
function hasSomethingLeft({ base, order, lines }: RefundableOrder): boolean {
  if (order.grandTotal === zero) return lines.some((line) => line.qtyInvoiced > line.qtyRefunded);
  return hasMoneyLeft(order) || hasMoneyLeft(base);
}

const hasMoneyLeft = (registers: OrderRegisters) => absolute(moneyLeft(registers)) > 1;

/** One sentence for each part of a line that is sold by the piece. */
export const brokenPieces = (
  lines: readonly Pick<RefundableLine, 'orderItemId' | 'sku' | 'isQtyDecimal'>[],
  items: readonly RequestedItem[],
): string[] =>
  items.flatMap(({ orderItemId, qty }) => {
    const line = lines.find((one) => one.orderItemId === orderItemId);
    const isBroken = line !== undefined && !line.isQtyDecimal && !isWhole(qty);
    return isBroken ? [`We found an invalid quantity to refund item "${line.sku}".`] : [];
  });

/** A memo of zero is fine; one below zero would take money. */
function totalErrors(order: RefundableOrder, { base, order: inOrderCurrency }: CreditMemoFigures): string[] {
  const isNegative = base.grandTotal < zero || inOrderCurrency.grandTotal < zero;
  const isTooMuch =
    exceeds(order.base, base.grandTotal, order.basePendingRefund) ||
    exceeds(order.order, inOrderCurrency.grandTotal, zero);
  const left = subtract(moneyLeft(order.base), order.basePendingRefund);
  return [
    ...(isNegative ? ["The credit memo's total must be positive."] : []),
    ...(isTooMuch ? [`The most money available to refund is ${toPlain(left)}.`] : []),
  ];
}

const exceeds = (
  { totalPaid, totalRefunded, returnedWithoutMemo }: OrderRegisters,
  grandTotal: Amount,
  pending: Amount,
) => add(totalRefunded, returnedWithoutMemo, pending, grandTotal) > totalPaid;

const itemErrors = ({ lines, partIds }: RefundableOrder, items: readonly RequestedItem[]) =>
  items.flatMap(({ orderItemId }) => {
    if (partIds.includes(orderItemId)) return ['The creditmemo contains incorrect product items.'];
    if (lines.some((line) => line.orderItemId === orderItemId)) return [];
    return ['The creditmemo contains product item that is not part of the original order.'];
  });
