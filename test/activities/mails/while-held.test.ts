import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { whileHeld } from '../../../activities/mails/while-held.ts';
import { claimMail } from '../../../db/mails/claim-mail.ts';
import { concludeMail, postponeMail } from '../../../db/mails/conclude-mail.ts';
import { postReceiptMail } from '../../../db/mails/post-receipt-mail.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { waitUntil } from '../../support/wait-until.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { fork, change, theMail } = booksOf(() => orm);

let mails = 0;
async function aClaimedMail() {
  const fields = { posOrderId: `held-${++mails}`, currency: 'USD' };
  const receiptId = await saveReceipt(fork(), secretBox, { fields, items: [{ name: 'Mug' }] });
  const mailId = await postReceiptMail(fork(), secretBox, { receiptId, to: 'grace@example.com', key: `k${mails}` });
  const mail = await claimMail(fork(), mailId);
  if (!mail) throw new Error('it could not be claimed');
  return mail;
}

const ended = (lost: AbortSignal) =>
  new Promise<'ended'>((resolve) => lost.addEventListener('abort', () => resolve('ended')));
const isDue = async (mailId: number) => new Date((await theMail(mailId, 'due_at')).due_at) <= new Date();

test('a mail stays with its sender for as long as the mail server works', async () => {
  const mail = await aClaimedMail();
  await change('mail_outbox', { mail_id: mail.mailId }, { due_at: new Date() });

  await whileHeld(fork(), mail, async () =>
    waitUntil('it is held anew', async () => !(await isDue(mail.mailId)), 10_000),
  );

  expect(await claimMail(fork(), mail.mailId)).toBeUndefined();
});

test('a sender whose mail another one took over ends, and changes nothing of it', async () => {
  const mail = await aClaimedMail();
  await change('mail_outbox', { mail_id: mail.mailId }, { tries: mail.tries + 1 });

  expect(await whileHeld(fork(), mail, ended)).toBe('ended');
  await concludeMail(fork(), { ...mail, state: 'dropped', reason: 'ETIMEDOUT' });
  await postponeMail(fork(), { ...mail, seconds: 60, reason: 'ETIMEDOUT' });

  expect(await theMail(mail.mailId, 'state', 'reason')).toEqual({ state: 'waiting', reason: null });
});

test('the mail server’s yes counts, whoever has the mail by then', async () => {
  const mail = await aClaimedMail();
  await change('mail_outbox', { mail_id: mail.mailId }, { tries: mail.tries + 1 });

  await concludeMail(fork(), { ...mail, state: 'sent' });

  expect(await theMail(mail.mailId, 'state')).toEqual({ state: 'sent' });
});

test('a sender that cannot renew its hold ends before another one may take the mail', async () => {
  const mail = await aClaimedMail();
  const away = fork();
  vi.spyOn(away, 'getKysely').mockImplementation(() => {
    throw new Error('the database is away');
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  try {
    const sending = whileHeld(away, mail, ended);
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await sending).toBe('ended');
  } finally {
    vi.useRealTimers();
  }
  expect(await isDue(mail.mailId)).toBe(false);
});
