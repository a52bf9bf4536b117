import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTransport, type Transporter } from 'nodemailer';
import { startMailCatcher, type CaughtMail, type MailCatcher } from '../../local/mail-catcher.ts';

let catcher: MailCatcher;
let sender: Transporter;

beforeAll(async () => {
  catcher = await startMailCatcher({ smtpPort: 0, webPort: 0 });
  sender = createTransport(catcher.smtpUrl);
});
afterAll(async () => {
  sender.close();
  await catcher.stop();
});
beforeEach(async () => {
  await fetch(`${catcher.url}/api/messages`, { method: 'DELETE' });
});

async function messages(): Promise<CaughtMail[]> {
  return JSON.parse(await (await fetch(`${catcher.url}/api/messages`)).text());
}

test('a mail is caught with its text, its HTML and its attachments', async () => {
  await sender.sendMail({
    from: 'The shop <shop@example.com>',
    to: 'Ada <ada@example.com>, bob@example.com',
    subject: 'Your receipt, 12,50 €',
    text: 'Thank you.',
    html: '<p>Thank you.</p>',
    attachments: [{ filename: 'receipt.pdf', content: Buffer.from('%PDF') }],
  });

  expect(await messages()).toMatchObject([
    {
      from: 'shop@example.com',
      to: ['ada@example.com', 'bob@example.com'],
      subject: 'Your receipt, 12,50 €',
      text: 'Thank you.\n',
      html: '<p>Thank you.</p>\n',
      attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf', contentBase64: btoa('%PDF') }],
    },
  ]);
});

test('the newest mail comes first, each under an id of its own', async () => {
  for (const subject of ['first', 'second']) await sender.sendMail({ from: 'a@b.c', to: 'd@e.f', subject, text: '.' });

  const caught = await messages();
  expect(caught.map(({ subject }) => subject)).toEqual(['second', 'first']);
  expect(new Set(caught.map(({ id }) => id)).size).toBe(2);
});

test('there is a page for people, and nothing else', async () => {
  expect(await (await fetch(catcher.url)).text()).toContain('<title>Mail catcher</title>');
  expect((await fetch(`${catcher.url}/elsewhere`)).status).toBe(404);
});
