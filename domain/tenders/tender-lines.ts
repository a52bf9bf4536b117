import {
  coinOf,
  greatest,
  isPositive,
  least,
  scale,
  subtract,
  add,
  toCoins,
  zero,
  type Amount,
  type InBoth,
} from '../money.ts';
import type { SettleMethod } from '../returns/resolution.ts';

/** What each tender of an order took, gave back, and is proposed to give back. Pure: no database, no gateway. */

/** From where it is known what a tender took; the first that applies to an order counts. */
export const tenderSources = ['payments', 'pos_tenders', 'split_payments', 'order_payment'] as const;
export type TenderSource = (typeof tenderSources)[number];

/** The tender for which a refund names a method that no tender of the order has. */
export type LineSource = TenderSource | 'settle';

export const tenderLineStates = ['proposed', 'open', 'started', 'uncertain', 'declined', 'refunded', 'booked'] as const;
export type TenderLineState = (typeof tenderLineStates)[number];

/** A payment as one of the sources has it, in the order's currency. */
export interface TenderPart {
  method: string;
  paymentId: string | null;
  amount: Amount;
}

/** A tender of an order. */
export interface Tender {
  /** Its number on the order, from 1. */
  lineId: number;
  method: SettleMethod;
  paymentMethod: string;
  paymentId: string | null;
  source: TenderSource;
  paid: InBoth;
}

/** Money that went back, or may have: by a line, by a payment, by a method, or by nothing that is known. */
export interface TenderRefund {
  lineId: number | null;
  paymentId: string | null;
  method: SettleMethod | null;
  amount: Amount;
  baseAmount: Amount;
}

export interface TenderLine extends Tender {
  refunded: InBoth;
  available: InBoth;
  proposed: InBoth;
  state: TenderLineState;
}

export interface OrderMoney {
  orderCurrencyCode: string;
  baseCurrencyCode: string;
  /** A layaway is paid by its payments alone. */
  isLayaway: boolean;
  paymentMethod: string;
  paymentReference: string | null;
  /** What the order's own payment took, where the order says so; zero: all of it. */
  amountOrdered: Amount;
  /** Paid with the sale, without credit and without later payments. */
  sold: InBoth;
  /** Payments of a layaway, and of what was due. */
  payments: readonly (TenderPart & { baseAmount: Amount })[];
  /** As posted with the order; undefined where none were. */
  posTenders: readonly TenderPart[] | undefined;
  /** Of the receipt; undefined where there are none, or they cannot be read. */
  splitPayments: readonly TenderPart[] | undefined;
  /** What was handed back in cash with the sale. */
  changeDue: Amount;
}

export interface KnownTender {
  /** `cash`, `card`, or the method itself, as in the day's figures. */
  kindOf: (method: string) => string;
  /** Whether a gateway can refund this payment. */
  canRefundThrough: (paymentMethod: string) => boolean;
}

/**
 * The tenders of an order with what each took (`tender_lines[].source` says from where it is known): payments of a
 * layaway and of what was due; the tenders posted with the order; the parts of the receipt; else the order's payment.
 *
 * A list whose sum is not what was paid with the sale is ignored. The last tender of the sale takes the remainder in
 * the base currency.
 */
export function tendersOf(order: OrderMoney, known: KnownTender): Tender[] {
  const coin = coinOf(order.baseCurrencyCode);
  const later = order.payments.map(({ amount, baseAmount, ...part }) => ({
    ...part,
    source: 'payments' as const,
    paid: { order: amount, base: baseAmount },
  }));
  const { parts, source } = partsOfSale(order);
  let left = order.sold.base;
  const atSale = parts.map(({ amount, ...part }, index) => {
    const isLast = index === parts.length - 1;
    const base = isLast ? left : least(left, scale(order.sold.base, amount, order.sold.order, coin));
    left = subtract(left, base);
    return { ...part, source, paid: { order: amount, base } };
  });
  return [...atSale, ...later].map((tender, index) => numbered(order, known, { ...tender, index }));
}

type Unnumbered = Omit<Tender, 'lineId' | 'method' | 'paymentMethod'> & { method: string; index: number };

function numbered(order: OrderMoney, known: KnownTender, { index, method, paymentId, ...tender }: Unnumbered): Tender {
  // A register names a card of its own gateway as `card`: it is the order's payment then.
  const isOwn = known.kindOf(method) === 'card' && !known.canRefundThrough(method);
  const isOrdersCard = isOwn && known.canRefundThrough(order.paymentMethod);
  const paymentMethod = isOrdersCard ? order.paymentMethod : method;
  const reference = paymentId ?? (paymentMethod === order.paymentMethod ? order.paymentReference : null);
  return {
    lineId: index + 1,
    method: methodOf(paymentMethod, known, reference),
    paymentMethod,
    paymentId: reference,
    ...tender,
  };
}

function methodOf(
  paymentMethod: string,
  { kindOf, canRefundThrough }: KnownTender,
  paymentId: string | null,
): SettleMethod {
  if (canRefundThrough(paymentMethod) && paymentId !== null) return 'original_payment';
  return kindOf(paymentMethod) === 'card' ? 'terminal' : 'cash';
}

function partsOfSale(order: OrderMoney): { parts: readonly TenderPart[]; source: TenderSource } {
  const { sold } = order;
  if (!isPositive(sold.order)) return { parts: [], source: 'order_payment' };
  if (order.isLayaway) return { parts: ownPayment(order), source: 'payments' };
  const posted = fitting(order.posTenders, sold.order, zero);
  if (posted) return { parts: posted, source: 'pos_tenders' };
  const split = fitting(order.splitPayments, sold.order, order.changeDue);
  if (split) return { parts: split, source: 'split_payments' };
  return { parts: ownPayment(order), source: 'order_payment' };
}

/** The parts, where they come to what was paid; cash that was handed over may be more by the change. */
function fitting(
  parts: readonly TenderPart[] | undefined,
  sold: Amount,
  changeDue: Amount,
): readonly TenderPart[] | undefined {
  if (parts === undefined || parts.length === 0 || parts.some(({ amount }) => !isPositive(amount))) return undefined;
  const excess = subtract(add(...parts.map(({ amount }) => amount)), sold);
  if (excess === zero) return parts;
  const cash = parts.findLast(({ method }) => method.trim().toLowerCase() === 'cash');
  if (cash === undefined || !isPositive(excess) || excess !== changeDue || cash.amount <= excess) return undefined;
  return parts.map((part) => (part === cash ? { ...part, amount: subtract(part.amount, excess) } : part));
}

/** An order may say that its payment took a part only: who paid the rest is not known, and it goes back in cash. */
function ownPayment({
  paymentMethod,
  paymentReference,
  amountOrdered,
  sold,
  orderCurrencyCode,
}: OrderMoney): TenderPart[] {
  const own = { method: paymentMethod, paymentId: paymentReference };
  const took = amountOrdered > zero ? least(sold.order, toCoins(amountOrdered, coinOf(orderCurrencyCode))) : sold.order;
  const rest = subtract(sold.order, took);
  return [{ ...own, amount: took }, ...(rest > zero ? [{ method: 'cash', paymentId: null, amount: rest }] : [])];
}

/**
 * What each tender gave back and can still give back. A refund of a line or a payment is that tender's; one that only
 * has a method is taken from the tenders of that method; whatever does not fit is taken from the others, the last first.
 */
export function withRefunds(tenders: readonly Tender[], refunds: readonly TenderRefund[]): TenderLine[] {
  const gave = new Map(tenders.map(({ lineId }) => [lineId, { order: zero, base: zero }]));
  const take = (refund: TenderRefund, from: readonly Tender[], isWhole: boolean): TenderRefund => {
    let { amount, baseAmount } = refund;
    for (const { lineId, paid } of from) {
      const before = gave.get(lineId) ?? { order: zero, base: zero };
      const order = isWhole ? amount : least(amount, greatest(zero, subtract(paid.order, before.order)));
      if (order === zero && !isWhole) continue;
      const base = order === amount ? baseAmount : least(baseAmount, scale(baseAmount, order, amount, 1));
      gave.set(lineId, { order: add(before.order, order), base: add(before.base, base) });
      amount = subtract(amount, order);
      baseAmount = subtract(baseAmount, base);
    }
    return { ...refund, amount, baseAmount };
  };
  const isExact = (refund: TenderRefund) => tenders.filter((tender) => isOf(refund, tender)).slice(0, 1);
  const exact = refunds.filter((refund) => isExact(refund).length > 0);
  for (const refund of exact) take(refund, isExact(refund), true);
  const others = refunds.filter((refund) => !exact.includes(refund));
  const rests = others.map((refund) =>
    take(
      refund,
      tenders.filter(({ method }) => isSameWay(method, refund.method)),
      false,
    ),
  );
  for (const refund of rests) take(refund, tenders.toReversed(), false);
  return tenders.map((tender) => {
    const refunded = gave.get(tender.lineId) ?? { order: zero, base: zero };
    const { paid } = tender;
    const available = {
      order: greatest(zero, subtract(paid.order, refunded.order)),
      base: greatest(zero, subtract(paid.base, refunded.base)),
    };
    return { ...tender, refunded, available, proposed: { order: zero, base: zero }, state: 'proposed' };
  });
}

const isOf = ({ lineId, paymentId }: TenderRefund, tender: Tender) =>
  lineId === null ? paymentId !== null && paymentId === tender.paymentId : lineId === tender.lineId;

/** A card is a card, however its money went back. */
const isSameWay = (one: SettleMethod, other: SettleMethod | null) =>
  one === other || (isCard(one) && other !== null && isCard(other));

export const isCard = (method: SettleMethod) =>
  method === 'original_payment' || method === 'terminal' || method === 'manual_card';

/**
 * Proposes how a handback goes back: cards up to what each can give back, then the others. What no tender can give back
 * is left out. The last line takes the remainder in the base currency.
 */
export function proposeRefund(lines: readonly TenderLine[], handback: InBoth, baseCurrencyCode: string): TenderLine[] {
  const proposed = new Map<number, Amount>();
  let left = handback.order;
  for (const { lineId, available } of [...lines].toSorted(
    (one, other) => Number(isCard(other.method)) - Number(isCard(one.method)),
  )) {
    const amount = greatest(zero, least(left, available.order));
    proposed.set(lineId, amount);
    left = subtract(left, amount);
  }
  const amounts = lines.map(({ lineId }) => proposed.get(lineId) ?? zero);
  const total = add(zero, ...amounts);
  const base =
    total === handback.order ? handback.base : scaled(handback.base, total, handback.order, baseCurrencyCode);
  const bases = inBase(amounts, base, baseCurrencyCode);
  return lines.map((line, index) => ({
    ...line,
    proposed: { order: amounts[index] ?? zero, base: bases[index] ?? zero },
  }));
}

const scaled = (base: Amount, part: Amount, whole: Amount, baseCurrencyCode: string) =>
  whole === zero ? zero : scale(base, part, whole, coinOf(baseCurrencyCode));

/** Splits a base amount over amounts of the order's currency; the last that is not zero takes the remainder. */
export function inBase(amounts: readonly Amount[], base: Amount, baseCurrencyCode: string): Amount[] {
  const total = add(zero, ...amounts);
  const last = amounts.findLastIndex((amount) => amount > zero);
  let left = base;
  return amounts.map((amount, index) => {
    const part = index === last ? left : least(left, scaled(base, amount, total, baseCurrencyCode));
    left = subtract(left, part);
    return part;
  });
}
