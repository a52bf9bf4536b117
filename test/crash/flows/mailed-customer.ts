import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { sendingSeconds } from '../../../domain/mails/mail-life.ts';
import type { CaughtMail } from '../../../local/mail-catcher.ts';
import type { Lane } from '../lane.ts';

/** Longer than a sender of a mail that can wait may take, and the sweep after it. */
const longestWaitMs = (sendingSeconds + 60) * 1_000;
/** The process that should send a mail at once may have died: the sweep, which comes each minute in a shop, finds the mail. */
const sweepEveryMs = 10_000;

/** The mail that went to an address; undefined: none did in time. */
export async function mailTo(lane: Lane, email: string): Promise<CaughtMail | undefined> {
  const start = Date.now();
  for (let swept = start; Date.now() < start + longestWaitMs; await pause(100)) {
    const mails: CaughtMail[] = JSON.parse(await (await fetch(`${lane.mail.url}/api/messages`)).text());
    const mail = mails.find(({ to }) => to.includes(email));
    if (mail) return mail;
    if (Date.now() < swept + sweepEveryMs) continue;
    swept = Date.now();
    await lane.client.schedule.getHandle(`repair-limbo-${lane.taskQueue}`).trigger(ScheduleOverlapPolicy.SKIP);
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
