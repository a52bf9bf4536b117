import { afterAll, beforeAll, expect, test } from 'vitest';
import { terminalStatuses } from '../../../domain/returns/return-status.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { like } from '../../support/books/which.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, change, insertAll, remove } = booksOf(() => api.orm);

const inbox = async (query = '') => {
  const { status, body } = await api.call('GET', `/V1/pos/rma/open${query}`, { token: api.tokens.register });
  return status === 200 ? body.map(({ id }: { id: number }) => id) : status;
};

async function aReturnIn(status: string): Promise<number> {
  const { returnId } = await aRequestedReturn(api.orm);
  await change('sale_return', { return_id: returnId }, { status });
  return returnId;
}

test('the inbox has every return that has not ended, newest first, and as many as were asked for', async () => {
  const [first, second, third] = [
    await aReturnIn('pending'),
    await aReturnIn('received'),
    await aReturnIn('awaiting_refund'),
  ];
  for (const status of terminalStatuses) await aReturnIn(status);

  expect(await inbox()).toEqual([third, second, first]);
  expect(await inbox('?limit=200')).toEqual([third, second, first]);
  expect(await inbox('?limit=2')).toEqual([third, second]);
  expect(await inbox('?limit=0')).toEqual([third]);
  expect(await inbox('?limit=2000000000')).toEqual([third, second, first]);
});

test('a client that asks for thousands gets them', async () => {
  const { orderId } = await aRequestedReturn(api.orm);
  await insertAll(
    'sale_return',
    Array.from({ length: 1_001 }, (_, at) => ({ increment_id: `many-${at}`, order_id: orderId, status: 'pending' })),
  );

  expect(await inbox('?limit=1001')).toHaveLength(1_001);
  await remove('sale_return', { increment_id: like('many-%') });
});

test('returns of one moment keep their order, so that a shorter list is the beginning of a longer one', async () => {
  const made = [await aReturnIn('pending'), await aReturnIn('approved'), await aReturnIn('pending')];
  await change('sale_return', { return_id: made }, { created_at: '2030-01-01' });

  expect(await inbox('?limit=3')).toEqual(made.toReversed());
  expect(await inbox('?limit=2')).toEqual(made.toReversed().slice(0, 2));
});

test.each(['many', '1.5', ''])('a limit of "%s" is refused', async (limit) => {
  expect(await inbox(`?limit=${limit}`)).toBe(400);
});
