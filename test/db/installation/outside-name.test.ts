import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { findLostSpendings } from '../../../db/credits/find-credit-work.ts';
import { giveUpHeldSpending } from '../../../db/credits/give-up-held-spending.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { isAtHome, recordHome } from '../../../db/installation/installation-home.ts';
import { newNameTail } from '../../../db/installation/draw-name-tail.ts';
import { createOrm } from '../../../db/orm.ts';
import { merchantReference } from '../../../db/refunds/merchant-reference.ts';
import { readRefundQuestion } from '../../../db/refunds/read-refund-question.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { booksOf } from '../../support/books.ts';
import { hoursAgo } from '../../support/moments.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { copyOfDatabase, testDatabaseUrl } from '../../support/database.ts';
import { atOnce } from '../../support/rivals.ts';

const { fork, change, insert } = booksOf(() => copy);

const tail = '[0-9a-f]{8}-[0-9a-f]{16}';

let orm: MikroORM;
let copy: MikroORM;
let locationId: number;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  const before = await createOrm(url);
  ({ locationId } = await aShop(before.em.fork()));
  await before.close();
  copy = await createOrm(await copyOfDatabase(url));
  orm = await createOrm(url);
});
afterAll(async () => {
  await orm.close();
  await copy.close();
});

test('no two names are the same, and all begin with what tells this installation from any other', async () => {
  const tails = await atOnce(20, () => newNameTail(orm.em.fork()));

  for (const one of tails) expect(one).toMatch(new RegExp(`^${tail}$`));
  expect(new Set(tails).size).toBe(20);
  expect(new Set(tails.map((one) => one.slice(0, 8))).size).toBe(1);
});

test('an attempt that a restored backup makes anew under the same id has another reference, its intent another key', async () => {
  const namesIn = async (database: MikroORM) => {
    const { attemptId, returnId } = await aRefundAttempt(database, {
      locationId,
      state: 'started',
      claimedSecondsAgo: null,
    });
    const reference = merchantReference(await readRefundQuestion(database.em.fork(), attemptId));
    const claimed = await claimRefundCall(database.em.fork(), { attemptId, timeoutSeconds: 1 });
    return { attemptId, returnId, reference, key: claimed?.idempotencyKey };
  };
  const lost = await namesIn(orm);
  const anew = await namesIn(copy);

  const { attemptId, returnId } = lost;
  expect(anew).toMatchObject({ attemptId, returnId });
  expect(anew.reference).toMatch(new RegExp(`^refund-attempt-${attemptId}-${tail}$`));
  expect(anew.reference).not.toBe(lost.reference);
  expect(anew.key).toMatch(new RegExp(`^return-${returnId}-${tail}-1-540000$`));
  expect(anew.key).not.toBe(lost.key);
});

test('a database knows its home from the first worker on, and a copy has no home until an operator says so', async () => {
  expect(await isAtHome(orm.em.fork())).toBe(true);
  await change('installation', {}, { home: '1/1' });

  expect(await isAtHome(fork())).toBe(false);
  expect(await isAtHome(fork())).toBe(false);
  await recordHome(fork());
  expect(await isAtHome(fork())).toBe(true);
});

test('a spending that a restore holds is given back only when a person says so, and once', async () => {
  await insert('credit_spending', {
    ...{ request_key: 'sale-9', position: 1, kind: 'gift_card', provider_code: 'credit_service', store_id: 1 },
    ...{ website_id: 1, code: 'OUTSIDE-1234', base_amount: 30, amount: 30, base_currency_code: 'USD' },
    ...{ state: 'spent', transaction_id: 'spend_7', updated_at: hoursAgo(1) },
  });
  const [spendingId] = (await markRestored(copy.em)).spendingIds;
  const isLost = async () => (await findLostSpendings(fork())).length === 1;

  expect(await isLost()).toBe(false);
  expect(await giveUpHeldSpending(fork(), spendingId!)).toBe(true);
  expect(await giveUpHeldSpending(fork(), spendingId!)).toBe(false);
  expect(await isLost()).toBe(true);
});
