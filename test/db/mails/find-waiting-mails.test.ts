import { beforeAll, expect, test } from '@jest/globals';
import { findWaitingMails } from '../../../db/mails/conclude-mail.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { minutesAgo } from '../../support/moments.ts';

const orm = useDatabase();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});

const { fork, insert, insertAll } = booksOf(() => orm);

test('receipts that wait for their PDFs keep no other mail back', async () => {
  const { receipt_id } = await aBareReceipt(orm, { pos_order_id: 'crowd' });
  const due = { due_at: minutesAgo(60), created_at: minutesAgo(60) };
  await insertAll(
    'mail_outbox',
    Array.from({ length: 150 }, (_, at) => ({ mail_key: `crowd-${at}`, kind: 'receipt', receipt_id, ...due })),
  );
  const { attemptId } = await aRefundAttempt(orm, { locationId });
  const other = await insert('mail_outbox', {
    mail_key: 'of-an-attempt',
    kind: 'uncertain_refund',
    attempt_id: attemptId,
    created_at: minutesAgo(1),
  });

  const waiting = await findWaitingMails(fork());

  expect(waiting).toContain(other['mail_id']);
  expect(waiting).toHaveLength(101);
});
