import { setTimeout as pause } from 'node:timers/promises';
import { credentials } from '../demo-shop/credentials.ts';
import type { Sale } from './sell.ts';
import type { Json, Teller } from './teller.ts';

const [grace, walter] = credentials.customers;
/** How often the mail catcher is asked for a mail. */
const lookTimes = 50;
const lookEveryMs = 200;

/** What a customer does with a receipt: opens it by its code, mails it, downloads it, and takes it into an account. */
export async function receiptDay(teller: Teller, { receiptToken }: Sale): Promise<void> {
  teller.chapter('The customer opens the receipt by the code on it');
  const page = `/receipt/${receiptToken}`;
  const shown = await teller.visit({ path: page, means: () => 'The receipt, on a page that needs no script.' });
  teller.must(shown.text.includes('receipt'), 'The page shows no receipt.');
  teller.must(shown.headers.get('referrer-policy') === 'no-referrer', 'The page may pass its address on.');

  await teller.visit({
    path: `${page}/email`,
    form: { email: grace.email },
    means: () => `It is mailed to ${grace.email}; the page waited for the mail server's yes.`,
  });
  await lookIntoMailbox(teller);
  const pdf = await teller.visit({
    path: `${page}/pdf`,
    expect: [200, 503],
    means: ({ status, text }) =>
      status === 200 ? `The PDF: ${text.length} characters.` : 'There is no Chromium here, so no PDF; all else works.',
  });
  teller.must(pdf.status === 503 || pdf.text.startsWith('%PDF-'), 'What was downloaded is no PDF.');

  await teller.visit({
    path: `${page}/claim`,
    form: { email: grace.email, password: grace.password },
    means: () => `${grace.name} signed in on the page: receipt and order are in her account.`,
  });
  await teller.visit({
    path: `${page}/claim`,
    form: { email: walter.email, password: walter.password },
    expect: [409],
    means: () => `${walter.name} comes second, and is refused.`,
  });
  await teller.visit({
    path: `/receipt/${'0'.repeat(64)}`,
    expect: [404],
    means: () => 'A token that no receipt has opens nothing.',
  });
}

/** Reads the mail catcher's mailbox, where the catcher is ours. */
async function lookIntoMailbox(teller: Teller): Promise<void> {
  const { mail } = teller.ready;
  if (mail === null) return;
  for (let attempt = 0; attempt < lookTimes; attempt++) {
    const caught: Json[] = JSON.parse(await (await fetch(new URL('/api/messages', mail))).text());
    const found = caught.find(({ to }) => JSON.stringify(to).includes(grace.email));
    if (found) return teller.say(`In the mail catcher: "${found.subject}", ${found.attachments.length} attached.`);
    await pause(lookEveryMs);
  }
  teller.must(false, 'The receipt never came to the mail catcher.');
}
