import {
  add,
  money,
  negate,
  scale,
  subtract,
  zero,
  none,
  pieces,
  type Amount,
  type Quantity,
  type InBoth,
} from '../../../domain/money.ts';
import {
  postedInBase,
  type CreditMemoRequest,
  type LineRegisters,
  type OrderRegisters,
  type RefundableLine,
  type RefundableOrder,
  type RequestedItem,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aCent, rated } from '../coins.ts';

/** A line as sold: its whole row, in one currency. */
export interface SoldLine {
  qty: Quantity;
  row: Amount;
  tax?: Amount;
  discount?: Amount;
  compensation?: Amount;
  weee?: Amount;
  taxOnWeee?: Amount;
  isQtyDecimal?: boolean;
  baseCost?: Amount;
}

export interface SoldOrder {
  lines: readonly SoldLine[];
  shipping?: Amount;
  shippingTax?: Amount;
  shippingDiscount?: Amount;
  /** A discount of the header that no line shows: what the customer paid is less by it. */
  headerDiscount?: Amount;
  /** The total and what was paid, where they are not what the parts come to. */
  total?: Amount;
  totalPaid?: Amount;
  state?: RefundableOrder['state'];
}

/** An invoiced order, paid in full by default. Lines are numbered from 1. */
export const aRefundableOrder = (sold: SoldOrder): RefundableOrder => inTwoCurrencies(sold, sold, '1');

/** The same lines with the figures of each currency; quantities come from the base one. */
export function inTwoCurrencies(base: SoldOrder, order: SoldOrder, baseToOrderRate: string): RefundableOrder {
  const state = base.state ?? 'complete';
  return {
    state,
    status: state,
    isLayawayCancelled: false,
    baseCurrencyCode: 'USD',
    orderCurrencyCode: baseToOrderRate === '1' ? 'USD' : 'CAD',
    baseToOrderRate,
    basePendingRefund: zero,
    pendingMemos: [],
    partIds: [],
    lines: base.lines.map((line, index) => lineOf(line, order.lines[index] ?? line, index + 1)),
    base: registersOf(base),
    order: registersOf(order),
  };
}

function lineOf(base: SoldLine, order: SoldLine, orderItemId: number): RefundableLine {
  return {
    orderItemId,
    sku: `SKU-${orderItemId}`,
    name: `Line ${orderItemId}`,
    qtyOrdered: base.qty,
    qtyInvoiced: base.qty,
    qtyRefunded: none,
    isQtyDecimal: base.isQtyDecimal ?? false,
    baseCost: base.baseCost ?? zero,
    base: lineRegistersOf(base),
    order: lineRegistersOf(order),
  };
}

function lineRegistersOf({ row, ...line }: SoldLine): LineRegisters {
  const tax = line.tax ?? zero;
  return {
    rowInvoiced: row,
    amountRefunded: zero,
    rowTotalInclTax: add(row, tax),
    discountInvoiced: line.discount ?? zero,
    discountRefunded: zero,
    taxInvoiced: tax,
    taxRefunded: zero,
    discountTaxCompensationInvoiced: line.compensation ?? zero,
    discountTaxCompensationRefunded: zero,
    weeeRow: line.weee ?? zero,
    weeeInvoiced: line.weee ?? zero,
    weeeRefunded: zero,
    taxOnWeeeRow: line.taxOnWeee ?? zero,
  };
}

function registersOf({ lines, ...sold }: SoldOrder): OrderRegisters {
  const sum = (of: (line: SoldLine) => Amount | undefined) => add(zero, ...lines.map((line) => of(line) ?? zero));
  const shipping = sold.shipping ?? zero;
  const tax = add(
    sum((line) => line.tax),
    sum((line) => line.taxOnWeee),
    sold.shippingTax ?? zero,
  );
  const discount = add(
    sum((line) => line.discount),
    sold.shippingDiscount ?? zero,
  );
  const headerDiscount = sold.headerDiscount ?? zero;
  const parts = subtract(
    add(
      sum((line) => line.row),
      sum((line) => line.weee),
      sum((line) => line.compensation),
      shipping,
      tax,
    ),
    discount,
    headerDiscount,
  );
  const grandTotal = sold.total ?? parts;
  return {
    grandTotal,
    totalInvoiced: grandTotal,
    discountAmount: negate(add(discount, headerDiscount)),
    totalPaid: sold.totalPaid ?? grandTotal,
    totalRefunded: zero,
    returnedWithoutMemo: zero,
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    differenceRefunded: zero,
    taxInvoiced: tax,
    taxRefunded: zero,
    discountTaxCompensationInvoiced: sum((line) => line.compensation),
    discountTaxCompensationRefunded: zero,
    shippingAmount: shipping,
    shippingRefunded: zero,
    shippingTaxAmount: sold.shippingTax ?? zero,
    shippingTaxRefunded: zero,
    shippingDiscountAmount: sold.shippingDiscount ?? zero,
    shippingDiscountTaxCompensationAmount: zero,
  };
}

export interface WantedMemo {
  /** Pieces by line number. */
  take?: Record<number, number>;
  items?: readonly RequestedItem[];
  shipping?: string;
  positive?: string;
  negative?: string;
}

/** A request in the base currency. */
export function aRequest(wanted: WantedMemo = {}, baseToOrderRate = '1'): CreditMemoRequest {
  const items = wanted.take
    ? Object.entries(wanted.take).map(([id, count]) => ({ orderItemId: Number(id), qty: pieces(count) }))
    : wanted.items;
  const both = (text: string): InBoth => postedInBase(money(text), rated(baseToOrderRate));
  return {
    ...(items === undefined ? {} : { items }),
    ...(wanted.shipping === undefined ? {} : { shipping: both(wanted.shipping) }),
    adjustmentPositive: both(wanted.positive ?? '0'),
    adjustmentNegative: both(wanted.negative ?? '0'),
    givenIn: 'base',
  };
}

/** The same sale in another currency, each figure converted and rounded on its own, as a shop does. */
export function converted(sold: SoldOrder, ratePercent: number): SoldOrder {
  const convert = (value: Amount | undefined) => scale(value ?? zero, ratePercent, 100, aCent);
  return {
    ...sold,
    lines: sold.lines.map((line) => ({
      ...line,
      row: convert(line.row),
      tax: convert(line.tax),
      discount: convert(line.discount),
      compensation: convert(line.compensation),
      weee: convert(line.weee),
      taxOnWeee: convert(line.taxOnWeee),
    })),
    shipping: convert(sold.shipping),
    shippingTax: convert(sold.shippingTax),
    shippingDiscount: convert(sold.shippingDiscount),
  };
}
