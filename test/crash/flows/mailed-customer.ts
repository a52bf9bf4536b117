import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CaughtMail } from '../../../local/mail-catcher.ts';
import type { Lane } from '../lane.ts';

/** A sender that died over a mail is followed within half a minute. */
const longestWaitMs = 60_000;

/** The mail that went to an address; undefined: none did in time. */
export async function mailTo(lane: Lane, email: string): Promise<CaughtMail | undefined> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await pause(100)) {
    const mails: CaughtMail[] = JSON.parse(await (await fetch(`${lane.mail.url}/api/messages`)).text());
    const mail = mails.find(({ to }) => to.includes(email));
    if (mail) return mail;
  }
  return undefined;
}

/** An account of its own. */
export const aCustomer = async (lane: Lane) => {
  const email = `crash-${randomUUID()}@shop.test`;
  const customer = { email, firstname: 'Ada', lastname: 'Lovelace' };
  const { body } = await lane.teller.press('POST', '/V1/customers', { customer });
  return { email, customerId: Number(body.id) };
};

/** Each press under a key of its own, as a register sends it. */
export const keyed = () => ({ 'idempotency-key': randomUUID() });
