import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  const em = fork();
  const { locationId } = await aShop(em);
  await refundPieces(em, await anOrder(em, {}), 1);
  const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'uncertain' });
  await write(
    `insert into mail_outbox (mail_key, kind, credit_memo_id)
     select 'refund-1', 'refund', entity_id from sales_creditmemo limit 1`,
  );
  await insert('mail_outbox', { mail_key: 'uncertain-refund-1', kind: 'uncertain_refund', attempt_id: attemptId });
  await rows(
    `with r as (insert into pos_receipt (pos_order_id, token_digest, sealed_token) values ('1', ?, 'x') returning receipt_id)
     insert into mail_outbox (mail_key, kind, receipt_id, sealed_to) select 'receipt-1', 'receipt', receipt_id, 'x' from r`,
    '1'.repeat(64),
  );
  await rows(
    `with s as (insert into newsletter_subscriber (website_id, store_id, email, status) values (1, 1, 'a@shop.test', 2)
       returning subscriber_id)
     insert into mail_outbox (mail_key, kind, subscriber_id)
     select 'newsletter-1', 'newsletter_confirmation', subscriber_id from s`,
  );
  const { terminalId } = await aTerminal(em, { locationId });
  await rows(
    `with c as (insert into pos_one_time_code (email_digest, terminal_id, website_id, code_digest, most_guesses,
         request_key, expires_at)
       values ('e', ?, 1, 'c', 5, gen_random_uuid(), now() + interval '10 minutes') returning code_id, expires_at)
     insert into mail_outbox (mail_key, kind, code_id, sealed, dies_at)
     select 'one-time-code-1', 'one_time_code', code_id, 'x', expires_at from c`,
    terminalId,
  );
});
afterAll(() => orm.close());

const { fork, rows, write, insert } = booksOf(() => orm);

const mails = () => rows('select kind, state, reason, sealed, sealed_to from mail_outbox order by kind');
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
