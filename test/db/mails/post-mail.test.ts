import { beforeAll, expect, test } from '@jest/globals';
import { postDocumentMail } from '../../../db/mails/post-document-mail.ts';
import { postReceiptMail } from '../../../db/mails/post-receipt-mail.ts';
import { createSecretBox, type SecretBox } from '../../../db/support/secret-box.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();
beforeAll(() => aShop(fork()));

const { fork, find, write } = booksOf(() => orm);

test('a mail asked for in the moment in which the one before it goes out is another mail', async () => {
  const { orderId } = await anOrder(fork(), { shipped: false });
  const asked = { document: 'order', documentId: orderId } as const;
  const before = await postDocumentMail(fork(), { ...asked, key: 'before' });
  // Runs after each insert, also one that wrote nothing because the first mail waits.
  await write(`
    create function goes_out() returns trigger language plpgsql as $$
    begin update mail_outbox set state = 'sent' where mail_key like 'order-%-before'; return null; end $$`);
  await write('create trigger goes_out after insert on mail_outbox for each statement execute function goes_out()');

  const after = await postDocumentMail(fork(), { ...asked, key: 'after' });

  await write('drop function goes_out cascade');
  expect(await find('mail_outbox', { document_id: orderId }, 'mail_id', 'state')).toEqual([
    { mail_id: before, state: 'sent' },
    { mail_id: after, state: 'waiting' },
  ]);
});

test('while the key changes, a receipt asked for twice is one mail, whichever key a process has first', async () => {
  const [before, after] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
  const { receipt_id: receiptId } = await aBareReceipt(orm, {});
  const boxes = [
    createSecretBox(before),
    createSecretBox(before, [after]),
    createSecretBox(after, [before]),
    createSecretBox(before, [after]),
  ];
  const ask = (box: SecretBox, key: string) =>
    postReceiptMail(fork(), box, { receiptId: Number(receiptId), to: 'grace@example.com', key });
  const mails: number[] = [];
  for (const [at, box] of boxes.entries()) mails.push(await ask(box, `asked-${at}`));
  const others = { receiptId: Number(receiptId), to: 'ada@example.com' };
  const atTheSameTime = await Promise.all(
    boxes.slice(1).map((box, at) => postReceiptMail(fork(), box, { ...others, key: `at-once-${at}` })),
  );

  expect(new Set(mails).size).toBe(1);
  expect(new Set(atTheSameTime).size).toBe(1);
  expect(await find('mail_outbox', { receipt_id: receiptId }, 'mail_id')).toHaveLength(2);
});
