import { expect, test } from 'vitest';
import { verify } from '../../../books/verify/verify.ts';
import { booksOf } from '../../support/books.ts';
import { opensACounter, flow, register, parked } from './settled-returns.ts';

opensACounter();

const { fork } = booksOf(() => flow.api.orm);

test('legs that were expected and did not come are a comment and one sentence of the answer', async () => {
  const { rmaId } = await parked();
  const leg = { kind: 'store_credit', provider_code: 'store_credit', applies_as: 'tender', direction: 'returned' };

  const { body } = await register.settle(rmaId, {
    method: 'store_credit',
    expectedLegs: [{ ...leg, base_amount: 4, amount: 4 }],
  });

  expect(body.refund_difference).toBe(
    'The credit given back differs from the preview (store_credit: expected 4, booked 0).',
  );
  expect(body.comments.map(({ comment }: { comment: string }) => comment)).toContain(body.refund_difference);
});

test.each([
  [
    'of points, by their other name',
    [{ kind: 'loyalty_points', points: '5' }],
    'reward_points',
    'an amount that cannot be read',
  ],
  ['of an unknown kind', [{ kind: 'cheque', amount: 1, bank: 'x' }], 'unknown', '1'],
  [
    'with an amount finer than money',
    [{ kind: 'gift_card', amount: 1.00001 }],
    'gift_card',
    'an amount that cannot be read',
  ],
  ['that is nothing', [null], 'unknown', 'an amount that cannot be read'],
  ['that is a list', [[{ kind: 'gift_card', amount: 1 }]], 'unknown', 'an amount that cannot be read'],
  ['in place of a list', { kind: 'gift_card' }, 'gift_card', 'an amount that cannot be read'],
  ['in place of a list, empty', {}, 'unknown', 'an amount that cannot be read'],
  ['as a text nobody can read', 'two cards', 'unknown', 'an amount that cannot be read'],
  [
    'of two that are too much to be added up',
    [
      { kind: 'gift_card', amount: 900_000_000_000 },
      { kind: 'gift_card', amount: 900_000_000_000 },
    ],
    'gift_card',
    'an amount that cannot be read',
  ],
  ['as a list in a text', '[{"kind":"gift_card","amount":"2"}]', 'gift_card', '2'],
])(
  'a leg that was expected never stops a settle, it is a difference: one %s',
  async (_case, expectedLegs, kind, was) => {
    const { rmaId } = await parked({});

    const { status, body } = await register.settle(rmaId, { method: 'cash', expectedLegs });

    expect(status).toBe(200);
    expect(body.refund_difference).toBe(
      `The credit given back differs from the preview (${kind}: expected ${was}, booked 0).`,
    );
  },
);

test.each(['', ' ', 'null', null])(
  'expected legs of %j count as absent: no difference is noted',
  async (expectedLegs) => {
    const { rmaId } = await parked({});

    const { status, body } = await register.settle(rmaId, { method: 'cash', expectedLegs });

    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'closed', refund_difference: null } });
  },
);

test('after all of that the books balance', async () => {
  expect(await verify(fork())).toEqual([]);
});
