import { add, inBoth, isPositive, subtract, zero, type Amount, type InBoth } from '../domain/money.ts';
import { postedInOrderCurrency } from '../domain/platform/credit-memos/credit-memo-figures.ts';
import type { Payment, Place, Sale, SplitPayment } from './selling.ts';
import { amountOf, ratedOf, totalsOf, type SaleTotals } from './totals.ts';

/**
 * A sale with every figure worked out once: its receipt and its order are both made of this, so that the paper and the
 * books cannot differ.
 */
export interface SaleModel {
  saleId: string;
  place: Place;
  sale: Sale;
  totals: SaleTotals;
  /** What each way of paying takes now, in the customer's currency. Together they are `toPay`. */
  tenders: readonly Tender[];
  /** What credits pay, in the customer's currency. */
  credited: Amount;
  /** What the customer pays now: the total less credits and less what is due later; of a layaway, the deposit. */
  toPay: Amount;
  /** What the customer gets back of the cash. Absent: no cash was counted. */
  cash?: { tendered: Amount; change: Amount };
  /** Of a layaway. */
  layaway?: { owed: Amount; expiresAt?: Date };
}

export interface Tender {
  payment: Payment;
  amount: InBoth;
}

/** A first payment instead of the whole. */
export interface LayawayTerms {
  deposit: number;
  expiresAt?: Date;
}

/**
 * Works a sale out.
 *
 * Throws a RangeError before anything is stored or sent: a figure that is no amount, credits or a deposit above the
 * total, split payments with another sum, and cash that is less than its part.
 */
export function modelOf(place: Place, sale: Sale & { saleId: string }, layaway?: LayawayTerms): SaleModel {
  const totals = totalsOf(sale.lines, place.money);
  const { grandTotal } = totals.order;
  const credited = add(...(sale.credits ?? []).map(({ amount }) => positive(amount, 'a credit')));
  const due = sale.creditDue === undefined ? zero : amountOf(sale.creditDue);
  const rest = subtract(grandTotal, credited, due);
  if (rest < 0) throw new RangeError('Credits and what is due later are more than the sale comes to.');
  const toPay = layaway === undefined ? rest : positive(layaway.deposit, 'a deposit');
  if (toPay > rest) throw new RangeError('The deposit is more than the sale comes to.');
  const tenders = tendersOf(place, sale.payment, toPay, totals);
  return {
    ...{ saleId: sale.saleId, place, sale, totals, tenders, credited, toPay },
    ...cashOf(tenders),
    ...(layaway === undefined
      ? {}
      : {
          layaway: {
            owed: subtract(rest, toPay),
            ...(layaway.expiresAt === undefined ? {} : { expiresAt: layaway.expiresAt }),
          },
        }),
  };
}

/** The part that the order names: a card, so that a refund finds it, and what that card took is its limit. */
export function mainTender({ tenders }: Pick<SaleModel, 'tenders'>): Tender {
  const main = tenders.find(({ payment }) => payment.transactionId !== undefined) ?? tenders[0];
  if (!main) throw new RangeError('A sale needs a way of paying.');
  return main;
}

function tendersOf(
  place: Place,
  given: Payment | readonly SplitPayment[],
  toPay: Amount,
  totals: SaleTotals,
): Tender[] {
  const inEach = (amount: Amount): InBoth =>
    amount === totals.order.grandTotal
      ? inBoth((currency) => totals[currency].grandTotal)
      : postedInOrderCurrency(amount, ratedOf(place.money));
  if (!isSplit(given)) return [{ payment: given, amount: inEach(toPay) }];
  const tenders = given.map((payment) => ({ payment, amount: inEach(positive(payment.amount, 'a payment')) }));
  const sum = add(...tenders.map(({ amount }) => amount.order));
  if (tenders.length === 0) throw new RangeError('A sale needs a way of paying.');
  if (sum !== toPay) throw new RangeError('The payments together are not what is to be paid.');
  return tenders;
}

export const isSplit = (payment: Payment | readonly SplitPayment[]): payment is readonly SplitPayment[] =>
  Array.isArray(payment);

/** Of all parts that were counted in cash. */
function cashOf(tenders: readonly Tender[]): Pick<SaleModel, 'cash'> {
  const counted = tenders.flatMap(({ payment: { tendered }, amount }) =>
    tendered === undefined ? [] : [{ tendered: amountOf(tendered), amount: amount.order }],
  );
  if (counted.length === 0) return {};
  if (counted.some(({ tendered, amount }) => tendered < amount))
    throw new RangeError('The customer gave less cash than is to be paid.');
  const tendered = add(...counted.map((part) => part.tendered));
  return { cash: { tendered, change: subtract(tendered, ...counted.map(({ amount }) => amount)) } };
}

function positive(given: number, what: string): Amount {
  const amount = amountOf(given);
  if (!isPositive(amount)) throw new RangeError(`${what} of ${given} is not above zero`);
  return amount;
}
