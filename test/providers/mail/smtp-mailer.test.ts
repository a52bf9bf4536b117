import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../local/free-port.ts';
import { startMailCatcher, type CaughtMail, type MailCatcher } from '../../../local/mail-catcher.ts';
import { createMailer } from '../../../providers/mail/smtp-mailer.ts';

let catcher: MailCatcher;
beforeAll(async () => {
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0 });
});
afterAll(() => catcher.stop());

const caught = async (): Promise<CaughtMail[]> => JSON.parse(await (await fetch(`${catcher.url}/api/messages`)).text());
const mail = { to: 'ann@example.com', subject: 'About your return 7', text: 'Bring the lid.\n' };

test('a mail reaches the server, from the shop', async () => {
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'shop@example.com' });

  await mailer.send(mail);

  expect(mailer.isEnabled).toBe(true);
  expect(await caught()).toMatchObject([
    { from: 'shop@example.com', to: ['ann@example.com'], subject: 'About your return 7', text: 'Bring the lid.\n' },
  ]);
});

test('a header that somebody hides in an address or a subject is none', async () => {
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: 'shop@example.com' });

  await mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@example.com' }).catch(() => undefined);

  for (const { to } of await caught()) expect(to).toEqual(['ann@example.com']);
});

test('a server that is away is a fault, and soon', async () => {
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, from: 'shop@example.com' });

  await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
});

test('without SMTP_URL mail is switched off, and sending does nothing', async () => {
  const mailer = createMailer({ smtpUrl: undefined, from: 'shop@example.com' });

  expect(mailer.isEnabled).toBe(false);
  await mailer.send(mail);
});
