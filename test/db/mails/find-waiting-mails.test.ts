import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { findWaitingMails } from '../../../db/mails/find-waiting-mails.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => orm.close());

const { fork, rows, write } = booksOf(() => orm);

test('receipts that wait for their PDFs keep no other mail back', async () => {
  await write(
    `insert into pos_receipt (pos_order_id, token_digest, sealed_token, is_reverse_charge, created_at, updated_at)
     values ('crowd', 'crowd', 's', false, now(), now())`,
  );
  await write(
    `insert into mail_outbox (mail_key, kind, receipt_id, due_at, created_at, updated_at)
     select 'crowd-' || n, 'receipt', receipt_id, now() - interval '1 hour', now() - interval '1 hour', now()
     from pos_receipt, generate_series(1, 150) n where pos_order_id = 'crowd'`,
  );
  const { attemptId } = await aRefundAttempt(orm, { locationId });
  const [other] = await rows<{ mail_id: number }>(
    `insert into mail_outbox (mail_key, kind, attempt_id, created_at, updated_at)
     values ('of-an-attempt', 'uncertain_refund', ?, now() - interval '1 minute', now()) returning mail_id`,
    attemptId,
  );

  const waiting = await findWaitingMails(fork());

  expect(waiting).toContain(other?.mail_id);
  expect(waiting).toHaveLength(101);
});
