import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { recordMove } from '../../../cli/record-move.ts';
import {
  countFollowed,
  findFollowed,
  findOverButFollowed,
  findUnfollowedReturns,
  markFollowed,
  unfollow,
} from '../../../db/returns/followed.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(fork());
});
afterAll(() => orm.close());

const { fork, theReturn, change } = booksOf(() => orm);

const page = { limit: 200 };
/** Its workflow is there before its row. */
const aFollowedReturn = async () => (await aRequestedReturn(orm)).returnId;
/** Its workflow was terminated, or its Temporal lost. */
const anUnfollowedReturn = async () => {
  const { returnId, orderId } = await aRequestedReturn(orm);
  await unfollow(fork(), [returnId]);
  return { returnId, orderId };
};
const followedAt = async (returnId: number) => (await theReturn(returnId, 'followed_at')).followed_at;
const unfollowedIds = async () => (await findUnfollowedReturns(fork(), page)).map(({ returnId }) => returnId);

test('an open return is followed from the first time on, and a terminal one no longer', async () => {
  const { returnId } = await anUnfollowedReturn();
  expect(await unfollowedIds()).toContain(returnId);
  await markFollowed(fork(), returnId);
  const since = await followedAt(returnId);
  await markFollowed(fork(), returnId);

  expect(since).not.toBeNull();
  expect(await followedAt(returnId)).toEqual(since);
  expect(await unfollowedIds()).not.toContain(returnId);

  await change('sale_return', { return_id: returnId }, { status: 'denied' });
  expect(await findOverButFollowed(fork(), page)).toContain(returnId);
  await markFollowed(fork(), returnId);
  expect(await followedAt(returnId)).toBeNull();
  expect(await findOverButFollowed(fork(), page)).not.toContain(returnId);
  expect(await unfollowedIds()).not.toContain(returnId);
});

test('what is looked for has the numbers of the return and of its order', async () => {
  const { returnId, orderId } = await anUnfollowedReturn();
  const found = (await findUnfollowedReturns(fork(), page)).find((one) => one.returnId === returnId);

  const { increment_id: incrementId } = await theReturn(returnId, 'increment_id');
  expect(found).toEqual({ returnId, orderId, incrementId, orderIncrementId: expect.stringMatching(/^\d{9}$/) });
});

test('only open returns lose their workflow, and each is counted once', async () => {
  const [open, over] = [await aFollowedReturn(), await aFollowedReturn()];
  const before = await countFollowed(fork());
  await change('sale_return', { return_id: over }, { status: 'closed' });
  expect(await countFollowed(fork())).toBe(before - 1);
  expect(await findFollowed(fork(), { after: open - 1, limit: 1 })).toEqual([open]);

  expect(await unfollow(fork(), [open, over, 999_999])).toBe(1);
  expect(await unfollow(fork(), [open, over])).toBe(0);
  expect([await followedAt(open), await followedAt(over)]).toEqual([null, expect.anything()]);
});

test.each([
  ['an older state of the books', () => markRestored(orm.em)],
  [
    'books at another place',
    () => recordMove({ em: () => Promise.resolve(fork()) } as Parameters<typeof recordMove>[0]),
  ],
])('%s: no workflow counts as following a return', async (_case, say) => {
  const returnId = await aFollowedReturn();
  await say();
  expect(await followedAt(returnId)).toBeNull();
  expect(await unfollowedIds()).toContain(returnId);
});
