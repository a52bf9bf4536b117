import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CaughtMail } from '../../../local/mail-catcher.ts';
import { lookNow } from '../../support/housekeeping.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';

/** Long enough for a sender that died, the start of another process, and the sweeps after it. */
const longestWaitMs = 120_000;
/**
 * The process that should send a mail at once may have died: the sweep, which comes each minute in a shop, finds the
 * mail.
 */
const sweepEveryMs = 10_000;

/** The mail that went to an address; undefined: none did in time. */
export const mailTo = (lane: Lane, email: string): Promise<CaughtMail | undefined> =>
  whileSwept(lane, async () => {
    const mails: CaughtMail[] = JSON.parse(await (await fetch(`${lane.mail.url}/api/messages`)).text());
    return mails.find(({ to }) => to.includes(email));
  });

/** A mail that went out may wait all the same: its sender died before it could say so, and the sweep sends it again. */
export async function untilNoMailWaits(lane: Lane, customerId: number): Promise<void> {
  const waiting = `from mail_outbox where customer_id = ? and state = 'waiting'`;
  await whileSwept(lane, async () => ((await countOf(lane, waiting, customerId)) === 0 ? true : undefined));
}

/**
 * Looks until there is something, and has the sweep come as it does in a shop; undefined: there was nothing in time.
 */
export async function whileSwept<Found>(
  lane: Lane,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const start = Date.now();
  for (let swept = start; Date.now() < start + longestWaitMs; await pause(100)) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() < swept + sweepEveryMs) continue;
    swept = Date.now();
    // Not waited for: the worker may have died.
    void lookNow(lane).catch(() => undefined);
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
