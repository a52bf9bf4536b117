import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CaughtMail } from '../../../local/mail-catcher.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { codeIn } from '../../support/kiosk.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';
import { openCustomer } from './open-customer.ts';
import { reindexPrices } from './reindex-prices.ts';

const both = ['api', 'worker'] as const;

/** A sender that died over a mail is followed within half a minute. */
const longestWaitMs = 60_000;

export async function mailTo(lane: Lane, email: string): Promise<CaughtMail | undefined> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await pause(100)) {
    const mails: CaughtMail[] = JSON.parse(await (await fetch(`${lane.mail.url}/api/messages`)).text());
    const mail = mails.find(({ to }) => to.includes(email));
    if (mail) return mail;
  }
  return undefined;
}

const aCustomer = async (lane: Lane) => {
  const email = `crash-${randomUUID()}@shop.test`;
  const customer = { email, firstname: 'Ada', lastname: 'Lovelace' };
  const { body } = await lane.teller.press('POST', '/V1/customers', { customer });
  return { email, customerId: Number(body.id) };
};

/** Each press under a key of its own, as a register sends it. */
const keyed = () => ({ 'idempotency-key': randomUUID() });

export const oneTimeCode: CrashFlow = {
  id: 'F27',
  title: 'ask for a one-time code, sign in with it',
  processes: both,
  async prepare(lane) {
    const { email, customerId } = await aCustomer(lane);
    const { terminalId } = await aTerminal(lane.orm.em.fork(), { locationId: lane.shop.locationId });
    const [asking, signingIn] = [keyed(), keyed()];
    const answers: number[] = [];
    let signedIn: unknown;
    return {
      async go() {
        const request = { email, terminalId };
        const asked = await lane.teller.press('POST', '/V1/pos/self-checkout/otp/request', { request }, asking);
        const code = codeIn(await mailTo(lane, email));
        const guess = { request: { ...request, code } };
        const found = await lane.teller.press('POST', '/V1/pos/self-checkout/otp/verify', guess, signingIn);
        const again = await lane.teller.press('POST', '/V1/pos/self-checkout/otp/verify', guess, keyed());
        answers.push(asked.status, found.status, again.status);
        signedIn = found.body?.customer_id;
      },
      faults: async () => [
        ...unlessEqual('the answers', answers, [200, 200, 401]),
        ...unlessEqual('who signed in', signedIn, customerId),
        ...unlessEqual(
          'codes of the terminal, used by one guess',
          await countOf(
            lane,
            'from pos_one_time_code where terminal_id = ? and consumed_at is not null and guesses = 1',
            terminalId,
          ),
          1,
        ),
        ...unlessEqual('mails that still wait', await countOf(lane, waitingCodes, terminalId), 0),
      ],
      workflows: () => [],
    };
  },
};

const waitingCodes = `from mail_outbox m join pos_one_time_code c on c.code_id = m.code_id
  where c.terminal_id = ? and m.state = 'waiting' and m.tries = 0`;

export const newsletter: CrashFlow = {
  id: 'F28',
  title: 'subscribe to the newsletter, leave it, join again',
  processes: ['api'],
  async prepare(lane) {
    const { email, customerId } = await aCustomer(lane);
    const states: unknown[] = [];
    const press = async (verb: string) => {
      const path = `/V1/pos/newsletter/${verb}`;
      states.push((await lane.teller.press('POST', path, { email, customerId }, keyed())).body?.status);
    };
    return {
      async go() {
        for (const verb of ['subscribe', 'unsubscribe', 'subscribe']) await press(verb);
      },
      faults: async () => [
        ...unlessEqual('the answers', states, ['subscribed', 'unsubscribed', 'subscribed']),
        ...unlessEqual(
          'subscriptions of the account',
          await countOf(lane, 'from newsletter_subscriber where customer_id = ? and status = 1', customerId),
          1,
        ),
      ],
      workflows: () => [],
    };
  },
};

export const customerFlows = [oneTimeCode, newsletter, openCustomer, reindexPrices];
