import fc from 'fast-check';
import {
  add,
  amount,
  scale,
  subtract,
  zero,
  coinOf,
  toCoins,
  pieces,
  type Amount,
  type Coin,
} from '../../../../domain/money.ts';
import type { RefundableOrder } from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { inTwoCurrencies, type SoldLine, type SoldOrder } from '../../../support/builders/refundable-order.ts';

/** Sales as registers post them: the sums of lines and total disagree in every way that the public reported. */

/** Units of the currency for one of the base currency, USD, in ten-thousandths. */
const currencies = [
  { code: 'USD', rate: 10_000 },
  { code: 'CAD', rate: 13_600 },
  { code: 'CHF', rate: 8_873 },
  { code: 'JPY', rate: 1_513_700 },
  { code: 'KWD', rate: 3_071 },
] as const;

const postedLine = fc.record({
  count: fc.integer({ min: 1, max: 5 }),
  /** Of one, in hundredths of a dollar; nothing for a gift, below zero for goods taken in payment. */
  price: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
    { weight: 1, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -9_000, max: -1 }) },
  ),
  discountPercent: fc.constantFrom(0, 0, 0, 10, 33, 100),
  taxPercent: fc.constantFrom(0, 5, 7.7, 19),
});
type PostedLine = typeof postedLine extends fc.Arbitrary<infer Value> ? Value : never;

export interface PostedSale {
  lines: readonly PostedLine[];
  shipping: number;
  headerDiscountPercent: number;
  tip: number;
  /** Coins to which cash is rounded, down or up. */
  cashCoins: number;
  isRoundedUp: boolean;
  currency: (typeof currencies)[number];
  /** A register converts each figure by itself, the total as well. */
  areBaseFiguresRounded: boolean;
}

export const postedSale: fc.Arbitrary<PostedSale> = fc.record({
  lines: fc.array(postedLine, { minLength: 1, maxLength: 5 }),
  shipping: fc.constantFrom(0, 0, 0, 495),
  headerDiscountPercent: fc.constantFrom(0, 0, 0, 7, 25, 50),
  tip: fc.constantFrom(0, 0, 0, 1, 300),
  cashCoins: fc.constantFrom(1, 1, 5, 10, 100),
  isRoundedUp: fc.boolean(),
  currency: fc.constantFrom(...currencies),
  areBaseFiguresRounded: fc.boolean(),
});

/** The sale as an order that is invoiced and paid; undefined where the customer would get money. */
export function asOrder(sale: PostedSale): RefundableOrder | undefined {
  const { code, rate } = sale.currency;
  const own = inCurrency(sale, { coin: coinOf(code), rate });
  const dollars = inCurrency(sale, { coin: coinOf('USD'), rate: 10_000 });
  const base = sale.areBaseFiguresRounded || code === 'USD' ? converted(own, rate) : dollars;
  if ((own.total ?? zero) <= zero || (base.total ?? zero) <= zero) return undefined;
  const order = inTwoCurrencies(base, own, String(rate / 10_000));
  return { ...order, orderCurrencyCode: code };
}

function inCurrency(sale: PostedSale, { coin, rate }: { coin: Coin; rate: number }): SoldOrder & { total: Amount } {
  const inOwn = (hundredths: number) => toCoins(scale(amount(hundredths * 100), rate, 10_000, 1), coin);
  const percentOf = (whole: Amount, percent: number) => scale(whole, percent * 10, 1_000, coin);
  const lines = sale.lines.map(({ count, price, discountPercent, taxPercent }): SoldLine => {
    const row = scale(inOwn(price), count, 1, coin);
    const discount = row > zero ? percentOf(row, discountPercent) : zero;
    return { qty: pieces(count), row, discount, tax: percentOf(subtract(row, discount), taxPercent) };
  });
  const shipping = inOwn(sale.shipping);
  const goods = add(zero, ...lines.map(({ row, discount = zero, tax = zero }) => subtract(add(row, tax), discount)));
  const headerDiscount = goods > zero ? percentOf(goods, sale.headerDiscountPercent) : zero;
  const exact = add(subtract(goods, headerDiscount), shipping, inOwn(sale.tip));
  const step = coin * sale.cashCoins;
  const rounded = (sale.isRoundedUp ? Math.ceil(exact / step) : Math.floor(exact / step)) * step;
  return { lines, shipping, headerDiscount, total: amount(rounded) };
}

/** Each figure by the rate and to the cent, as a register does that keeps its books in another currency. */
function converted(own: SoldOrder & { total: Amount }, rate: number): SoldOrder & { total: Amount } {
  const cent = coinOf('USD');
  const by = (value: Amount = zero) => scale(value, 10_000, rate, cent);
  return {
    lines: own.lines.map((line) => ({
      qty: line.qty,
      row: by(line.row),
      discount: by(line.discount),
      tax: by(line.tax),
    })),
    shipping: by(own.shipping),
    headerDiscount: by(own.headerDiscount),
    total: by(own.total),
  };
}
