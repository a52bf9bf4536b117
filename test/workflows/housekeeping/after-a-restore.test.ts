import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { readGatewayLedger } from '../../../cli/support/read-gateway-ledger.ts';
import { markRestored, type Restored } from '../../../db/verdicts/mark-restored.ts';
import { createOrm } from '../../../db/orm.ts';
import { readKnownRefunds } from '../../../db/refunds/read-known-refunds.ts';
import { initialiseReturn } from '../../../db/returns/initialise-return.ts';
import { verify } from '../../../books/verify/verify.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../../local/gateway-simulator/server.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aReturn } from '../../support/builders/return.ts';
import { aSpendingOutside } from '../../support/builders/spending.ts';
import { booksOf } from '../../support/books.ts';
import { copyOfDatabase, testDatabaseUrl } from '../../support/database.ts';
import { aFlow, openShop, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aRegister } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { minutesAgo } from '../../support/moments.ts';

/**
 * The drill of `docs/operators/restore.md`: a backup, a day of refunds, and the backup again. The gateway keeps no keys
 * and caps nothing, so whatever is sent twice is given twice.
 */
let gateway: GatewaySimulator;
let lost: MikroORM;
let flow: Flow;
let restored: Restored;
/** Wanted at the time of the backup, and not begun. */
let waiting: { returnId: number; orderId: number };
/** Written down at the time of the backup, and not called. */
let started: { returnId: number; orderId: number; attemptId: number };
/** A refund the gateway has and the restored books lack. */
let refundsBefore: number;

beforeAll(async () => {
  gateway = await startGatewaySimulator({ port: 0 });
  gateway.ledger.change({ keys: 'ignored', cap: false });
  const url = await testDatabaseUrl();
  const before = await createOrm(url);
  const shop = await openShop({ orm: before });
  await asOfTheBackup(before, shop.locationId);
  await before.close();
  const backup = await copyOfDatabase(url);

  lost = await createOrm(url);
  const theDay = await aFlow({ existing: { orm: lost, gateway, shop } });
  await sweep(theDay);
  await waitUntil('the day’s refunds are booked', async () => (await statesIn(lost)).join() === 'booked,booked');
  await endWorkflows(theDay);
  await theDay.close();
  refundsBefore = gateway.ledger.refunds.length;

  const orm = await createOrm(backup);
  restored = await markRestored(orm.em);
  flow = await aFlow({ existing: { orm, gateway, shop }, reconcileAfterSeconds: 1 });
  await sweep(flow);
  await waitUntil('the sweep has done what it can', async () => (await statesIn(orm)).join() === 'booked,failed');
});
afterAll(async () => {
  await flow.close();
  await gateway.stop();
});

const { attemptsOf, theAttempt, find, fork } = booksOf(() => flow.api.orm);

async function asOfTheBackup(orm: MikroORM, locationId: number): Promise<void> {
  const aPaidReturn = () => aReturn(orm, { locationId, order: { lastTransId: `pay_${randomUUID()}` } });
  waiting = await aPaidReturn();
  const rma = await aPaidReturn();
  const { attempt } = await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
  started = { ...rma, attemptId: attempt!.attemptId };
  const refunded = await anOrder(orm.em.fork(), {});
  await refundPieces(orm.em.fork(), refunded, 1);
  const books = booksOf(() => orm);
  const { entity_id: memoId } = await books.findOne('sales_creditmemo', {}, 'entity_id');
  await books.insert('mail_outbox', { mail_key: 'refund-1', kind: 'refund', credit_memo_id: memoId });
  await aSpendingOutside(orm);
}

/** As each minute, once everything has been quiet for long enough. */
async function sweep(shop: Flow): Promise<void> {
  const books = booksOf(() => shop.api.orm);
  await books.change('sale_return', { is_ready: false }, { updated_at: minutesAgo(5) });
  await books.change('refund_attempt', { state: 'started' }, { created_at: minutesAgo(5) });
  await books.change('credit_spending', {}, { updated_at: minutesAgo(60) });
  await lookNow(shop);
}

/** As the runbook has it: workflows know of the day that is lost, rows do not. */
async function endWorkflows({ client }: Flow): Promise<void> {
  for (const { returnId } of [waiting, started])
    await client.workflow
      .getHandle(`return-${returnId}`)
      .terminate('the database was restored')
      .catch(() => undefined);
}

const statesIn = async (orm: MikroORM) => {
  const attempts = await booksOf(() => orm).find('refund_attempt', {}, 'state');
  return attempts.map(({ state }) => String(state)).toSorted();
};

test('nothing is sent to the gateway twice', () => {
  expect(refundsBefore).toBe(2);
  expect(gateway.ledger.refunds).toHaveLength(refundsBefore);
  expect(gateway.ledger.calls).toHaveLength(refundsBefore);
});

test('what was under way is a question, and the gateway answers it by the name it always had', async () => {
  expect(restored.attemptIds).toEqual([started.attemptId]);
  const attempt = await theAttempt(started.attemptId, 'state');
  expect(attempt).toEqual({ state: 'booked' });
});

test('a refund that the backup lacks is not made again, and the return says why', async () => {
  const [attempt] = await attemptsOf(waiting.returnId, 'message');
  expect(attempt?.message).toMatch(
    /^Nothing was sent: the books were restored from a backup, and the gateway made refunds of this payment that they do not have: 54\.00 USD as "re_\w+"\.$/,
  );
  const again = await aRegister(flow).settle(waiting.returnId, { method: 'original_payment' });
  expect(again).toMatchObject({ status: 400, body: { message: expect.stringContaining('Nothing was sent') } });
  expect(gateway.ledger.calls).toHaveLength(refundsBefore);
});

test('mails that may have been sent are not sent, and a spending whose order may be lost is not undone', async () => {
  expect(restored).toMatchObject({ generation: 2, droppedMails: 1 });
  expect(restored.spendingIds).toHaveLength(1);
  expect(await find('mail_outbox', {}, 'state')).toEqual([{ state: 'dropped' }]);
  expect(await find('credit_spending', {}, 'state')).toEqual([{ state: 'spent' }]);
});

test('verify tells what the books lack and what waits for a person', async () => {
  const findings = await verify(fork(), { readLedger: () => readGatewayLedger(gateway.url), lookAgainAfterMs: 1 });

  expect(findings.map(({ id }) => id).toSorted()).toEqual(['I-11', 'L-08']);
  expect(findings.find(({ id }) => id === 'I-11')?.rows).toMatchObject([{ order_id: waiting.orderId }]);
});

test('settled by hand under the gateway’s own reference, the refund is in the books and stops nothing any more', async () => {
  const { orderId, returnId } = waiting;
  const [attempt] = await attemptsOf(returnId, 'idempotency_key');
  const refund = gateway.ledger.refunds.find(({ idempotencyKey }) => idempotencyKey === attempt?.idempotency_key);
  const { status } = await aRegister(flow).settle(returnId, { method: 'manual_card', reference: refund?.id });

  expect(status).toBe(200);
  expect((await readKnownRefunds(fork(), orderId)).gatewayReferences).toContain(refund?.id);
  expect(gateway.ledger.calls).toHaveLength(refundsBefore);
});
