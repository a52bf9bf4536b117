import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { markFollowed } from '../../../db/returns/followed.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { lockReturn, type OperationOnReturn } from '../../../db/returns/lock-return.ts';
import { receiveReturn } from '../../../db/returns/receive-return.ts';
import { resolveReturn } from '../../../db/returns/resolve-return.ts';
import { setReturnStatus } from '../../../db/returns/set-return-status.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { transact } from '../../../db/support/transact.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const books = booksOf(() => orm);
const { fork, theReturn, itemsOf, attemptsOf, wordsOf, auditOf, movementsOf, find, howMany } = books;

/** By the database's clock. */
const momentIn = async (seconds: number) =>
  new Date((await databaseNow(fork())).getTime() + seconds * 1_000).toISOString();

let keys = 0;
const aKey = () => `operation-${++keys}`;

const canRefundThrough = () => true;
const requested = async () => (await aRequestedReturn(orm)).returnId;
const approved = async () => {
  const returnId = await requested();
  await setReturnStatus(orm.em, { returnId, status: 'approved' });
  return returnId;
};
const parked = async () => {
  const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await initialiseReturn(orm.em, { returnId, canRefundThrough: () => false });
  return returnId;
};
const firstItem = async (returnId: number) => (await itemsOf(returnId, 'entity_id'))[0]!.entity_id;

type Ask = (asked: OperationOnReturn) => Promise<{ status: string }>;
const close: Ask = (asked) => closeReturn(orm.em, { ...asked, comment: 'She keeps it' });
const settle: Ask = (asked) => bookSettlement(orm.em, { ...asked, method: 'cash', options: plainSettlement });
/** Each verb on a return that is ready for it, what it makes of that, and what moves the return on afterwards. */
const verbs: Record<string, { before: () => Promise<number>; ask: Ask; to: string; then?: Ask }> = {
  'an approval': {
    before: requested,
    ask: (asked) => setReturnStatus(orm.em, { ...asked, status: 'approved', comment: 'Fine by me' }),
    to: 'approved',
    then: close,
  },
  'goods taken in': {
    before: approved,
    ask: async (asked) => {
      const seen = { inspection: null, condition: null, qtyReceived: null, returnToStock: null };
      const lines = [{ rmaItemId: await firstItem(asked.returnId), ...seen }];
      return receiveReturn(orm.em, { ...asked, locationId, lines });
    },
    to: 'items_received',
    then: settle,
  },
  'a resolution': {
    before: parked,
    ask: async (asked) => {
      const line = { rmaItemId: await firstItem(asked.returnId), mode: 'refund', refundMethod: 'cash' } as const;
      return resolveReturn(orm.em, { ...asked, resolutions: [line], canRefundThrough });
    },
    to: 'resolved',
  },
  'a settlement in cash': { before: parked, ask: settle, to: 'closed' },
  'a refund that is cancelled': {
    before: parked,
    ask: (asked) => cancelRefund(orm.em, { ...asked, comment: 'She wants to think' }),
    to: 'received',
    then: settle,
  },
  'a close': { before: parked, ask: close, to: 'closed' },
};

/** Everything that a verb may write. */
const tracesOf = async (returnId: number) => ({
  rma: await theReturn(returnId, 'status', 'refund_method', 'credit_memo_id', 'followed_at'),
  items: await itemsOf(returnId, 'status', 'qty_approved', 'qty_received', 'resolution_mode'),
  told: await wordsOf(returnId, 'comment'),
  audited: await auditOf('return', returnId, 'new_value'),
  moved: await movementsOf(returnId, 'kind', 'quantity'),
  attempts: await attemptsOf(returnId, 'state'),
  memos: await howMany('sales_creditmemo'),
  operations: await howMany('sale_return_operation'),
});

describe.each(Object.entries(verbs))('%s', (_verb, { before, ask, to }) => {
  test('that comes when nobody waits any more is refused, and nothing is written', async () => {
    const returnId = await before();
    const traces = await tracesOf(returnId);

    await expect(ask({ returnId, operationKey: aKey(), ...tooLate() })).rejects.toMatchObject(refusedTooLate);

    expect(await tracesOf(returnId)).toEqual(traces);
  });

  test('that is done is answered under its key, whenever it comes again, and done once', async () => {
    const returnId = await before();
    const operationKey = aKey();

    const answers = await eightAtOnce(() => ask({ returnId, operationKey }));
    const traces = await tracesOf(returnId);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => to));
    expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status: to });
    expect(await tracesOf(returnId)).toEqual(traces);
    expect(await find('sale_return_operation', { return_id: returnId }, 'operation_key', 'refund_attempt_id')).toEqual([
      { operation_key: operationKey, refund_attempt_id: null },
    ]);
  });

  test('is of a return that is followed until it is over', async () => {
    const returnId = await before();
    const followed = async () => (await theReturn(returnId, 'followed_at')).followed_at !== null;
    await markFollowed(fork(), returnId);
    expect(await followed()).toBe(true);

    await ask({ returnId, operationKey: aKey() });

    expect(await followed()).toBe(to !== 'closed' && to !== 'resolved');
  });
});

/** Those that leave a return open. */
const followedUp = Object.entries(verbs).flatMap(([verb, { then, ...rest }]) =>
  then === undefined ? [] : [[verb, { ...rest, then }] as const],
);

test.each(followedUp)(
  '%s that is done is not done again once the return has moved on',
  async (_verb, { before, ask, then }) => {
    const returnId = await before();
    const operationKey = aKey();
    await ask({ returnId, operationKey });
    const { status } = await then({ returnId, operationKey: aKey() });
    const traces = await tracesOf(returnId);

    expect(await ask({ returnId, operationKey, ...tooLate() })).toMatchObject({ status });
    expect(await tracesOf(returnId)).toEqual(traces);
  },
);

test('a refund is not cancelled under another key once its return is over', async () => {
  const returnId = await parked();
  await verbs['a refund that is cancelled']!.ask({ returnId, operationKey: aKey() });
  await settle({ returnId, operationKey: aKey() });

  const refusal = { status: 400, parameters: ['closed'] };
  await expect(cancelRefund(orm.em, { returnId, operationKey: aKey() })).rejects.toMatchObject(refusal);
});

test('a request that waited for the lock until it was too late is refused: the wait counts', async () => {
  const returnId = await parked();
  const traces = await tracesOf(returnId);
  const beginBefore = await momentIn(1);

  const asked = await transact(orm.em, async (tx) => {
    await lockReturn(tx, returnId);
    const answer = close({ returnId, operationKey: aKey(), beginBefore }).then(
      () => 'closed',
      (error: unknown) => error,
    );
    await waitUntil('it waits for the lock', async () => (await waiting(books)) === 1);
    await waitUntil('nobody waits any more', async () => (await momentIn(0)) > beginBefore);
    return [answer];
  });

  expect(await asked[0]).toMatchObject(refusedTooLate);
  expect(await tracesOf(returnId)).toEqual(traces);
});
