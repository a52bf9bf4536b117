import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { inSeconds } from '../../support/moments.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
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
afterAll(() => orm.close());

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
