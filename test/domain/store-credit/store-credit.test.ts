import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PosError } from '../../../domain/errors.ts';
import { add, amount, type Amount, money, toWire, zero } from '../../../domain/money.ts';
import { postedInBase, postedInOrderCurrency } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { absorbed, stillPays, deltaOf, eventTypes, nextEntry, type Operation } from '../../../domain/store-credit.ts';
import { rated } from '../../support/coins.ts';
import { seed } from '../../support/seed.ts';

describe('cart credit', () => {
  const due = (baseAmount: string, own = baseAmount) => ({ baseAmount: money(baseAmount), amount: money(own) });

  test.each([
    ['nothing of nothing', '0', due('10'), '1', [0, 0]],
    ['all it has', '4', due('10'), '1', [4, 4]],
    ['no more than is due', '40', due('10'), '1', [10, 10]],
    ['whole cents of it', '4.9999', due('10'), '1', [4.99, 4.99]],
    ['nothing of an empty cart', '4', due('0'), '1', [0, 0]],
    ['the worth of it in another currency', '25', due('118', '160.48'), '1.36', [25, 34]],
    ['all that is due in both, however that was rounded', '118', due('118', '160.47'), '1.36', [118, 160.47]],
    ['never the last cent when it is a cent short', '9.99', due('10', '0.10'), '0.01', [9, 0.09]],
    ['nothing where it is worth less than a coin', '0.40', due('10', '0.10'), '0.01', [0, 0]],
  ])('absorbs %s', (_case, balance, what, rate, expected) => {
    const { baseAmount, amount: own } = absorbed(money(balance), what, rated(rate));
    expect([baseAmount, own].map(toWire)).toEqual(expected);
  });

  test('whatever the rate: never more than the balance or the cart, and the same when it is counted back', () => {
    const cents = (max: number) => fc.integer({ min: 0, max }).map((count) => amount(count * 100));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000_000 }).map(amount),
        cents(100_000),
        fc.integer({ min: 1, max: 300_000 }).map((units) => (units / 1_000).toFixed(3)),
        (balance, baseDue, rate) => {
          const what = { baseAmount: baseDue, amount: postedInBase(baseDue, rated(rate)).order };
          const part = absorbed(balance, what, rated(rate));

          expect(part.baseAmount).toBeLessThanOrEqual(Math.min(balance, baseDue));
          expect(part.amount).toBeLessThanOrEqual(what.amount);
          if (part.amount !== what.amount)
            expect(part.baseAmount).toBe(postedInOrderCurrency(part.amount, rated(rate)).base);
        },
      ),
      { seed },
    );
  });

  test.each([
    ['25', '25', '118', true],
    ['30', '25', '118', true],
    ['20', '25', '118', false],
    ['20', '25', '20', true],
    ['0', '25', '0', true],
    ['0', '25', '118', false],
  ])('a balance of %s where %s was seen, %s due: %s', (balance, seen, baseDue, expected) => {
    expect(stillPays(money(balance), money(seen), money(baseDue))).toBe(expected);
  });
});

describe('ledger', () => {
  const refusal = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PosError)) throw error;
      return [error.status, error.message, ...(error.parameters === undefined ? [] : [error.parameters])];
    }
  };

  test('the numbers of operations are on the wire and never change', () => {
    expect(eventTypes).toEqual({ credit: 1, debit: 2, adjustment: 3 });
  });

  const notAboveZero = [400, 'The amount must be greater than zero.'];
  const noReason = [400, 'A reason is required for every adjustment.'];

  test.each<[Operation, string, string, unknown]>([
    ['credit', '10', 'goodwill', money('10')],
    ['credit', '0.0001', 'goodwill', money('0.0001')],
    ['debit', '10', 'spent', money('-10')],
    ['adjustment', '10', 'counted again', money('10')],
    ['adjustment', '-10', 'counted again', money('-10')],
    ['credit', '0', 'goodwill', notAboveZero],
    ['debit', '0', 'spent', notAboveZero],
    ['credit', '-0', 'goodwill', notAboveZero],
    ['credit', '-0.0001', 'goodwill', notAboveZero],
    ['debit', '-10', 'spent', notAboveZero],
    ['adjustment', '0', 'counted again', [400, 'The delta of an adjustment cannot be zero.']],
    ['credit', '10', '', noReason],
    ['debit', '10', '  ', noReason],
    ['adjustment', '-10', '\t\n\u00a0', noReason],
    ['credit', '0', '', notAboveZero],
  ])('a %s of %s for "%s"', (operation, given, reason, expected) => {
    expect(refusal(() => deltaOf({ operation, amount: money(given), reason }))).toEqual(expected);
  });

  const belowZero = (balance: string, delta: string) => [
    400,
    'The balance cannot go below zero: it is %1 and would change by %2.',
    [balance, delta],
  ];

  const tooHigh = (balance: string, delta: string) => [
    400,
    'The balance cannot go above %1: it is %2 and would change by %3.',
    ['9999999999.9999', balance, delta],
  ];

  test.each<[string, string, unknown]>([
    ['0', '10', money('10')],
    ['10', '0.0001', money('10.0001')],
    ['10', '-10', zero],
    ['10', '-9.9999', money('0.0001')],
    ['9999999999.9998', '0.0001', money('9999999999.9999')],
    ['10', '-10.0001', belowZero('10', '-10.0001')],
    ['0', '-0.0001', belowZero('0', '-0.0001')],
    ['9999999999.9999', '0.0001', tooHigh('9999999999.9999', '0.0001')],
    // A sum that is no amount any more.
    ['10', '900719925474.0991', tooHigh('10', '900719925474.0991')],
    ['9999999999.9999', '-900719925474.0991', belowZero('9999999999.9999', '-900719925474.0991')],
  ])('a balance of %s moved by %s', (balance, delta, expected) => {
    const wallet = { balance: money(balance), currencyCode: 'USD' };
    const after = refusal(() => nextEntry(wallet, money(delta), 'USD').balanceAfter);
    expect(after).toEqual(expected);
  });

  test('another currency than that of the stored balance is refused, however little moves', () => {
    const wallet = { balance: money('10'), currencyCode: 'USD' };
    expect(refusal(() => nextEntry(wallet, money('0.0001'), 'EUR'))).toEqual([
      400,
      'Currency mismatch: the stored balance is in %1 and not in %2.',
      ['USD', 'EUR'],
    ]);
  });

  test('whatever is asked for, deltas add up to the balance, which is never below zero', () => {
    const change = fc.record({
      operation: fc.constantFrom<Operation>('credit', 'debit', 'adjustment'),
      amount: fc.oneof(fc.integer({ min: -50_000, max: 50_000 }), fc.maxSafeInteger()).map(amount),
      reason: fc.constantFrom('why', 'why', 'why', ' '),
    });

    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let balance: Amount = zero;
        const deltas: Amount[] = [];
        for (const wanted of changes) {
          const entry = refusal(() => nextEntry({ balance, currencyCode: 'USD' }, deltaOf(wanted), 'USD'));
          if (!isEntry(entry)) continue;
          deltas.push(entry.delta);
          balance = entry.balanceAfter;
          expect(balance).toBe(add(...deltas));
          expect(balance).toBeGreaterThanOrEqual(0);
        }
      }),
      { seed },
    );
  });

  const isEntry = (given: unknown): given is { delta: Amount; balanceAfter: Amount } => !Array.isArray(given);
});
