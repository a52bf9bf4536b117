import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { keepSettlePayload } from '../../../db/returns/keep-settle-payload.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { givePlaces, readFeed, readFeedEnds } from '../../../db/events/feed.ts';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { addToPlan, aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { inSeconds } from '../../support/moments.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('book attempt', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { memosOf, find, fork, change } = booksOf(() => orm);

  test.each(['53.99', '54.01'])(
    'the gateway gave %s back where 54 is due now: the memo follows the money',
    async (sum) => {
      const { attemptId, orderId } = await aRefundAttempt(orm, { locationId });
      await change('refund_attempt', { attempt_id: attemptId }, { amount: sum, base_amount: sum });
      await change('sales_order', { entity_id: orderId }, { base_pending_refund: sum });

      await recordFinding(orm.em, {
        attemptId,
        finding: { evidence: 'refunded', gatewayReference: `gw-${sum}` },
        now: new Date(),
      });

      expect(await memosOf(orderId, 'grand_total')).toEqual([{ grand_total: `${sum}00` }]);
      expect(await verify(fork())).toEqual([]);
    },
  );

  test.each([
    ['a reference of its own', 'gw-own', [{ txn_id: 'T-1' }, { txn_id: 'gw-own' }]],
    ['none', null, [{ txn_id: 'T-1' }]],
    ['the register’s', 'T-1', [{ txn_id: 'T-1' }]],
  ])(
    'a refund the gateway gives %s is kept under the register’s reference, too',
    async (_case, gatewayReference, kept) => {
      const { attemptId, returnId, orderId } = await aRefundAttempt(orm, { locationId });
      const reported = { reference: 'T-1', requestId: `reported-${attemptId}` };
      await keepSettlePayload(fork(), { requestId: reported.requestId, returnId, rawPayload: 'APPROVED' });
      await addToPlan(orm, attemptId, { reported });

      await recordFinding(orm.em, {
        attemptId,
        finding: { evidence: 'refunded', ...(gatewayReference === null ? {} : { gatewayReference }) },
        now: new Date(),
      });

      const refunds = await find('sales_payment_transaction', { order_id: orderId, txn_type: 'refund' });
      const transactions = refunds.toSorted((one, other) => (one['txn_id'] < other['txn_id'] ? -1 : 1));
      expect(transactions).toMatchObject(kept);
      expect(transactions[0]).toMatchObject({ additional_information: { raw_payload: 'APPROVED' } });
    },
  );
});

describe('claim beside finding', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

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
});

describe('mark restored', () => {
  const orm = useDatabase();
  beforeAll(async () => {
    const em = fork();
    const { locationId } = await aShop(em);
    await refundPieces(em, await anOrder(em, {}), 1);
    const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'uncertain' });
    const [memo] = await find('sales_creditmemo', {}, 'entity_id');
    await insert('mail_outbox', { mail_key: 'refund-1', kind: 'refund', credit_memo_id: memo?.entity_id });
    await insert('mail_outbox', { mail_key: 'uncertain-refund-1', kind: 'uncertain_refund', attempt_id: attemptId });
    const { receipt_id } = await aBareReceipt(orm);
    await insert('mail_outbox', { mail_key: 'receipt-1', kind: 'receipt', receipt_id, sealed_to: 'x' });
    const reader = { website_id: 1, store_id: 1, email: 'a@shop.test', status: 2 };
    const { subscriber_id } = await insert('newsletter_subscriber', reader);
    await insert('mail_outbox', { mail_key: 'newsletter-1', kind: 'newsletter_confirmation', subscriber_id });
    const { terminalId } = await aTerminal(em, { locationId });
    const { code_id, expires_at: dies_at } = await insert('pos_one_time_code', {
      ...{ email_digest: 'e', terminal_id: terminalId, website_id: 1, code_digest: 'c', most_guesses: 5 },
      ...{ request_key: randomUUID(), expires_at: inSeconds(600) },
    });
    await insert('mail_outbox', { mail_key: 'one-time-code-1', kind: 'one_time_code', code_id, sealed: 'x', dies_at });
  });

  const { find, fork, insert } = booksOf(() => orm);

  const mails = async () =>
    (await find('mail_outbox', {}, 'kind', 'state', 'reason', 'sealed', 'sealed_to')).toSorted((one, other) =>
      one.kind < other.kind ? -1 : 1,
    );
  const dropped = { state: 'dropped', reason: 'restored', sealed: null, sealed_to: null };

  test('after a restore no mail to a customer goes out, of whatever kind; what tells operators of a question does', async () => {
    expect(await markRestored(orm.em)).toMatchObject({ droppedMails: 4 });

    expect(await mails()).toEqual([
      { kind: 'newsletter_confirmation', ...dropped },
      { kind: 'one_time_code', ...dropped },
      { kind: 'receipt', ...dropped },
      { kind: 'refund', ...dropped },
      { kind: 'uncertain_refund', state: 'waiting', reason: null, sealed: null, sealed_to: null },
    ]);
    expect(await markRestored(orm.em)).toMatchObject({ droppedMails: 0 });
  });

  test('after a restore endpoints are paused until somebody switches them on, and no number of an event comes again', async () => {
    await insert('webhook_endpoint', { url: 'https://erp.example', sealed_secret: 'x' });
    await insert('webhook_endpoint', { url: 'https://old.example', sealed_secret: 'x', state: 'off' });
    // Before and after, the numbers of the lost time among them.
    const mostOfAnYear = 31_536_000_000;
    await givePlaces(fork());
    const before = await readFeedEnds(fork());
    expect(await markRestored(orm.em)).toMatchObject({ pausedEndpoints: 1 });
    await givePlaces(fork());

    expect(await find('webhook_endpoint', {}, 'state')).toEqual([{ state: 'paused' }, { state: 'off' }]);
    const told = await readFeed(fork(), { after: before.newest, types: ['endpoint.paused'], limit: 5 });
    expect(told).toHaveLength(1);
    expect(told[0]?.eventId).toBeGreaterThan(mostOfAnYear);
    expect(told[0]?.sequence).toBeGreaterThan(mostOfAnYear);
    expect(await markRestored(orm.em)).toMatchObject({ pausedEndpoints: 0 });
  });
});
