import { describe, expect, test } from 'vitest';
import { maskCode } from '../../../domain/credits/applied-credit.ts';
import { isEcho, readPostedCredits } from '../../../domain/credits/posted-credit.ts';
import { PosError } from '../../../domain/errors.ts';
import { money } from '../../../domain/money/amount.ts';

const credit = (over: object = {}) => ({ credit_type: 'store_credit', amount: 25, ...over });

const refusalOf = (given: unknown): PosError => {
  try {
    readPostedCredits(given);
  } catch (error) {
    if (error instanceof PosError) return error;
    throw error;
  }
  throw new Error('it was read');
};

test('a credit is read with what it leaves out', () => {
  expect(readPostedCredits([credit()])).toEqual([
    {
      kind: 'store_credit',
      providerCode: null,
      code: null,
      amount: money('25'),
      points: null,
      appliesAs: 'tender',
    },
  ]);
});

test('a list may come as JSON text, its keys in either spelling, its numbers as text', () => {
  const cards = [{ creditType: 'gift_card', providerCode: 'gift_card', code: 'GC-1234', amount: '12.5' }];
  const points = [{ credit_type: 'reward_points', amount: 5, points: '500', appliesAs: 'discount' }];
  expect(readPostedCredits(JSON.stringify([...cards, ...points]))).toEqual([
    {
      kind: 'gift_card',
      providerCode: 'gift_card',
      code: 'GC-1234',
      amount: money('12.5'),
      points: null,
      appliesAs: 'tender',
    },
    { kind: 'reward_points', providerCode: null, code: null, amount: money('5'), points: 500, appliesAs: 'discount' },
  ]);
});

describe('what cannot be read is refused with 400', () => {
  test.each([
    ['no list', { credit_type: 'store_credit', amount: 1 }],
    ['text that is no JSON', '[{'],
    ['a number', 25],
    ['a list of texts', ['store_credit']],
    ['a list of lists', [[]]],
    ['more than twenty', Array.from({ length: 21 }, () => credit())],
    ['an unknown key', [credit({ balance: 1 })]],
    ['a key of the prototype', JSON.parse('[{"credit_type":"store_credit","amount":1,"__proto__":{"a":1}}]')],
    ['an unknown kind', [credit({ credit_type: 'bitcoin' })]],
    ['no kind', [{ amount: 1 }]],
    ['an unknown use', [credit({ applies_as: 'gift' })]],
    ['store credit as a discount', [credit({ applies_as: 'discount' })]],
    ['a gift card without its code', [credit({ credit_type: 'gift_card' })]],
    ['store credit with a code', [credit({ code: 'X' })]],
    ['a code that is no text', [credit({ credit_type: 'gift_card', code: 12 })]],
    ['a code beyond its length', [credit({ credit_type: 'gift_card', code: 'x'.repeat(256) })]],
    ['a code with a NUL, hidden in text', String.raw`[{"credit_type":"gift_card","amount":1,"code":"A\u0000"}]`],
    ['half of a character', String.raw`[{"credit_type":"gift_card","amount":1,"code":"\ud800"}]`],
    ['points without their number', [credit({ credit_type: 'reward_points' })]],
    ['half a point', [credit({ credit_type: 'reward_points', points: 0.5 })]],
    ['no points', [credit({ credit_type: 'reward_points', points: 0 })]],
    ['points beyond any count', [credit({ credit_type: 'reward_points', points: 2 ** 31 })]],
    ['points with an exponent', [credit({ credit_type: 'reward_points', points: '1e3' })]],
    ['store credit in points', [credit({ points: 1 })]],
    ...[0, -1, 0.00001, 1e-7, 1e21, 1e15, Number.NaN, Infinity, null, true, {}, [1]].map(
      (amount): [string, unknown] => [`an amount of ${JSON.stringify(amount)}`, [credit({ amount })]],
    ),
    ...['1e2', '0x10', '', ' 1', 'NaN', '-0.01', '1,5', '0.00001', '9'.repeat(40)].map((amount): [string, unknown] => [
      `an amount of "${amount}"`,
      [credit({ amount })],
    ]),
  ])('%s', (_case, given) => {
    expect(refusalOf(given)).toMatchObject({ status: 400 });
  });

  test('the refusal says why, and never shows a code', () => {
    const error = refusalOf([credit({ credit_type: 'gift_card', code: 'SECRET-CODE', amount: -1 })]);
    expect(error.message).toBe('The credits of the order cannot be read: %1.');
    expect(error.parameters).toEqual(['amount is money above zero with at most four decimals']);
    expect(JSON.stringify(error.refusal)).not.toContain('SECRET');
  });
});

test('what answers show is known again, and is not taken for a wish', () => {
  const echo = [{ kind: 'store_credit', direction: 'applied', base_amount: 25, amount: 25 }];
  expect(isEcho(echo)).toBe(true);
  expect(isEcho(JSON.stringify(echo))).toBe(true);
  expect(isEcho([credit()])).toBe(false);
});

test.each([
  ['GIFT-2026-ABCD', '****ABCD'],
  ['12345678', '****'],
  ['', '****'],
])('of the code %s only %s is shown', (code, shown) => {
  expect(maskCode(code)).toBe(shown);
});
