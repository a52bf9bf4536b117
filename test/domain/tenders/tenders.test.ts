import { describe, expect, test } from '@jest/globals';
import { add, amount, coinOf, money, scale, subtract, zero, type Amount, type InBoth } from '../../../domain/money.ts';
import { methodOfLargest, settleLines } from '../../../domain/tenders/settle-lines.ts';
import {
  isCard,
  proposeRefund,
  tendersOf,
  withRefunds,
  type OrderMoney,
  type Tender,
  type TenderRefund,
} from '../../../domain/tenders/tender-lines.ts';
import { chanceOf, type Chance } from '../../simulation/random.ts';

const known = {
  kindOf: (method: string) => (method === 'terminal' ? 'card' : method),
  canRefundThrough: (method: string) => method === 'provider_a',
};
const sumOf = (values: readonly Amount[]) => add(zero, ...values);

describe('a refund over random tenders', () => {
  const seed = Number(process.env['POS_SEED'] ?? Date.now() % 1_000_000);
  const runs = Number(process.env['POS_RUNS'] ?? 1_000);

  /** One to five tenders in cents, with a rate, in a currency with another coin now and then. */
  function anOrder(chance: Chance): OrderMoney {
    const rate = chance.oneOf([10_000, 9_137, 13_333, 1_000_000]);
    const coin = 100;
    const posTenders = Array.from({ length: 1 + chance.below(5) }, (_, index) => ({
      method: chance.oneOf(['provider_a', 'provider_a', 'terminal', 'cash']),
      paymentId: `pay-${index}`,
      amount: amount((1 + chance.below(30_000)) * coin),
    }));
    const order = sumOf(posTenders.map((tender) => tender.amount));
    return {
      ...{ orderCurrencyCode: 'EUR', baseCurrencyCode: 'USD', isLayaway: false, amountOrdered: zero, payments: [] },
      ...{
        paymentMethod: 'provider_a',
        paymentReference: 'pay-0',
        splitPayments: undefined,
        changeDue: zero,
        posTenders,
      },
      sold: { order, base: scale(order, rate, 10_000, coinOf('USD')) },
    };
  }

  function refundAll(chance: Chance): void {
    const order = anOrder(chance);
    const tenders: Tender[] = tendersOf(order, known);
    expect(sumOf(tenders.map(({ paid }) => paid.order))).toBe(order.sold.order);
    expect(sumOf(tenders.map(({ paid }) => paid.base))).toBe(order.sold.base);
    const refunds: TenderRefund[] = [];
    let left: InBoth = order.sold;
    while (left.order > zero) {
      const isLast = chance.percent(30);
      const part = isLast ? left.order : amount(Math.min(left.order, (1 + chance.below(20_000)) * 100));
      const isAll = part === left.order;
      const base = isAll ? left.base : amount(Math.min(left.base, scale(part, order.sold.base, order.sold.order, 100)));
      const handback = { order: part, base };
      const lines = proposeRefund(withRefunds(tenders, refunds), handback, 'USD');
      expect(sumOf(lines.map(({ proposed }) => proposed.order))).toBe(handback.order);
      expect(sumOf(lines.map(({ proposed }) => proposed.base))).toBe(handback.base);
      const requested = lines
        .filter(({ proposed }) => proposed.order > zero)
        .map(({ lineId, proposed }) => ({ lineId, amount: proposed.order }));
      const settled = settleLines({ requested, tenders: lines, extra: [], handback: part, currencyCode: 'EUR' });
      expect(sumOf(settled.map((line) => line.amount))).toBe(part);
      for (const line of lines) {
        const { lineId, paymentId, method, proposed } = line;
        refunds.push({
          lineId: chance.percent(50) ? lineId : null,
          paymentId,
          method,
          amount: proposed.order,
          baseAmount: proposed.base,
        });
      }
      for (const line of withRefunds(tenders, refunds)) {
        expect(line.refunded.order).toBeLessThanOrEqual(line.paid.order);
        expect(add(line.refunded.order, line.available.order)).toBe(line.paid.order);
      }
      left = { order: subtract(left.order, part), base: subtract(left.base, base) };
    }
    expect(withRefunds(tenders, refunds).every(({ available }) => available.order === zero)).toBe(true);
  }

  test(`lines come to the preview and to the handback, and no tender gives more than it took (seed ${seed})`, () => {
    const chance = chanceOf(seed);
    for (let run = 0; run < runs; run++) refundAll(chance);
  });

  test('cards are filled before cash, whatever their order on the sale', () => {
    const order = anOrder(chanceOf(1));
    const posTenders = [
      { method: 'cash', paymentId: null, amount: money('100') },
      { method: 'provider_a', paymentId: 'pay-1', amount: money('150') },
    ];
    const sold = { order: money('250'), base: money('250') };
    const lines = withRefunds(tendersOf({ ...order, posTenders, sold }, known), []);
    const proposed = proposeRefund(lines, { order: money('160'), base: money('160') }, 'USD');
    expect(proposed.map((line) => [isCard(line.method), line.proposed.order])).toEqual([
      [false, money('10')],
      [true, money('150')],
    ]);
  });
});

test('a return shows the method of its largest line, of equal ones the first', () => {
  const line = (method: string, value: string) => ({ method, amount: money(value) });
  expect(methodOfLargest([line('cash', '1'), line('terminal', '2'), line('manual_card', '2')])).toBe('terminal');
  expect(methodOfLargest([])).toBeUndefined();
});

test('a refund that names no tender is taken from its method first, then from the last tenders', () => {
  const order: OrderMoney = {
    ...{ orderCurrencyCode: 'USD', baseCurrencyCode: 'USD', isLayaway: false, amountOrdered: zero, payments: [] },
    ...{ paymentMethod: 'provider_a', paymentReference: 'pay-0', splitPayments: undefined, changeDue: zero },
    posTenders: [
      { method: 'provider_a', paymentId: 'pay-0', amount: money('150') },
      { method: 'cash', paymentId: null, amount: money('100') },
    ],
    sold: { order: money('250'), base: money('250') },
  };
  const refund = {
    lineId: null,
    paymentId: null,
    method: 'cash' as const,
    amount: money('120'),
    baseAmount: money('120'),
  };
  const lines = withRefunds(tendersOf(order, known), [refund]);
  expect(lines.map(({ refunded }) => refunded.order)).toEqual([money('20'), money('100')]);
});
