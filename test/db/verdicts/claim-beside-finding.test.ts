import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { testDatabase } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const books = booksOf(() => orm);
const { fork, theAttempt } = books;

const anUnclaimed = () => aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
const claimed = async (attemptId: number, em = fork()) =>
  (await claimRefundCall(em, { attemptId, timeoutSeconds: 20 })) !== undefined;
const doubt = async (attemptId: number) =>
  recordFinding(fork(), { attemptId, finding: { evidence: 'unknown' }, now: await databaseNow(fork()) });

test('a doubt that meets the claim of its call on the way waits for it, and stays a doubt', async () => {
  const { attemptId } = await anUnclaimed();
  const found = await fork().transactional(async (tx) => {
    expect(await claimed(attemptId, tx)).toBe(true);
    const recorded = doubt(attemptId);
    await waitUntil('the doubt waits for the claim', async () => (await waiting(books)) === 1);
    // In an array, or the transaction would wait for what waits for it.
    return [recorded];
  });
  expect(await found[0]).toMatchObject({ state: 'uncertain' });
});

test('whichever of claim and doubt comes first: a refund that is called failed was never called', async () => {
  const seen = await atOnce(12, async (number) => {
    const { attemptId } = await anUnclaimed();
    const claim = () => claimed(attemptId);
    const both = number % 2 === 0 ? [claim(), doubt(attemptId)] : [doubt(attemptId), claim()];
    const isCalled = (await Promise.all(both)).includes(true);
    return { isCalled, ...(await theAttempt(attemptId, 'state')) };
  });
  expect(seen.filter(({ isCalled, state }) => (state === 'failed') === isCalled)).toEqual([]);
});
