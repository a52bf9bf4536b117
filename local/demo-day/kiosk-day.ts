import { randomUUID } from 'node:crypto';
import type { CaughtMail } from '../mail-catcher.ts';
import type { OpenRegister } from './open-register.ts';
import type { Json, Teller } from './teller.ts';

/** The longest wait for a code; it usually comes within a second. */
const longestWaitMs = 20_000;
const pauseMs = 200;

/**
 * A customer signs in at a kiosk with the code from the mail, and joins the newsletter. Each run has a new customer,
 * so that the day can be repeated at once: one e-mail gets five codes an hour.
 */
export async function kioskDay(teller: Teller, { terminalId }: OpenRegister): Promise<void> {
  const { mail } = teller.ready;
  if (mail === null) return;
  teller.chapter('A customer signs in at a kiosk');
  const email = `kiosk-${randomUUID().slice(0, 8)}@demo.example`;
  const customer = await teller.ask({
    method: 'POST',
    path: '/V1/customers',
    body: { customer: { email, firstname: 'Kim', lastname: 'Kiosk' } },
    means: ({ id }) => `Kim Kiosk has an account: customer ${id}.`,
  });
  await askForCode(teller, { email, terminalId });
  await askForCode(teller, { email: `nobody-${email}`, terminalId });
  const code = await codeFromMail(teller, { mail, email });
  await signIn(teller, { email, code, terminalId, customerId: customer.id });
  await joinNewsletter(teller, { email, customerId: customer.id });
}

const askForCode = (teller: Teller, request: { email: string; terminalId: number }) =>
  teller.ask({
    method: 'POST',
    path: '/V1/pos/self-checkout/otp/request',
    body: { request },
    means: () => 'An empty answer, whether or not the e-mail has an account.',
  });

interface SignIn {
  email: string;
  code: string;
  terminalId: number;
  customerId: number;
}

async function signIn(teller: Teller, { customerId, ...request }: SignIn): Promise<void> {
  const verify = (code: string, expect: number, means: (body: Json) => string) =>
    teller.ask({
      method: 'POST',
      path: '/V1/pos/self-checkout/otp/verify',
      body: { request: { ...request, code } },
      expect,
      means,
    });
  await verify(`${request.code}0`, 401, ({ message }) => `A wrong code: ${message}`);
  const who = await verify(request.code, 200, ({ firstname, lastname }) => `It is ${firstname} ${lastname}. No token.`);
  teller.must(who.customer_id === customerId, 'Somebody else was signed in.');
  await verify(request.code, 401, () => 'The same code again signs nobody in.');
}

/** Reads the code as a person reads it on the mail catcher's page. */
async function codeFromMail(teller: Teller, { mail, email }: { mail: string; email: string }): Promise<string> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until;) {
    const messages: CaughtMail[] = JSON.parse(await (await fetch(`${mail}/api/messages`)).text());
    const [, code] = /^ {4}(\d{4,10})$/m.exec(messages.find(({ to }) => to.includes(email))?.text ?? '') ?? [];
    if (code !== undefined) {
      teller.say(`The mail at ${mail} says ${code}.`);
      return code;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  teller.must(false, 'No mail with a code came.');
  return '';
}

async function joinNewsletter(teller: Teller, body: { email: string; customerId: number }): Promise<void> {
  const joined = await teller.ask({
    method: 'POST',
    path: '/V1/pos/newsletter/subscribe',
    body,
    means: ({ status }) => `The newsletter: ${status}.`,
  });
  const known = await teller.ask({
    method: 'GET',
    path: `/V1/pos/newsletter/status?email=${encodeURIComponent(body.email)}`,
    means: ({ subscribed }) => `Subscribed: ${subscribed}.`,
  });
  teller.must(joined.subscribed === known.subscribed, 'The newsletter forgot somebody.');
}
