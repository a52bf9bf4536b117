import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mail, Mailer } from '../../../providers/mail/mailer.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { minutesAgo } from '../../support/moments.ts';

let took: Mail[] = [];
const mail: Mailer = {
  isEnabled: true,
  isReachable: () => Promise.resolve(true),
  send: (letter) => {
    took.push(letter);
    return Promise.resolve();
  },
};

let flow: Flow;
let register: Register;
beforeAll(async () => {
  flow = await aFlow({ mail, alarms: { to: 'ops@example.com', afterMinutes: 1 } });
  register = aRegister(flow);
});
beforeEach(() => {
  took = [];
});
afterAll(() => flow.close());

const { latest, change } = booksOf(() => flow.api.orm);
const lastMailId = async () => Number((await latest('mail_outbox', 'mail_id')).mail_id);
async function aParkedReturn(price: string, method: string): Promise<number> {
  const sale = await register.sale(price, method === 'original_payment' ? {} : { method: 'checkmo' });
  return (await register.returnOne(sale, { refundMethod: 'terminal' })).body.id;
}

test('a settle at the terminal tells the customer once, after the answer', async () => {
  const rmaId = await aParkedReturn('10.00', 'terminal');

  const settled = await register.settle(rmaId, { method: 'terminal', reference: 'T-1', notifyCustomer: true });
  const again = await register.settle(rmaId, { method: 'terminal', reference: 'T-1', notifyCustomer: true });

  expect(settled.body).toMatchObject({ status: 'closed' });
  expect(again.body).toEqual(settled.body);
  await waitUntil('the mail was sent', async () => took.length > 0);
  const workflowId = `mail-${await lastMailId()}`;
  expect(await flow.client.workflow.getHandle(workflowId).result()).toBe('sent');
  expect(took).toHaveLength(1);
  await recordHistory(flow.client, workflowId, 'mail-sent');
});

test('a settle through the gateway does as well', async () => {
  const rmaId = await aParkedReturn('12.00', 'original_payment');

  const settled = await register.settle(rmaId, { method: 'original_payment', notifyCustomer: true });

  expect(settled.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
  await waitUntil('the mail was sent', async () => took.length === 1);
  expect(took[0]?.text).toContain('12.00 USD to the card you paid with');
});

test('cash is not told', async () => {
  const rmaId = await aParkedReturn('10.00', 'cash');
  const before = await lastMailId();
  await register.settle(rmaId, { method: 'cash', notifyCustomer: true });
  expect(await lastMailId()).toBe(before);
});

test('an uncertain refund is told to the operators once, and to the customer when it is resolved', async () => {
  const rmaId = await aParkedReturn('12.73', 'original_payment');
  const unsaid = await register.settle(rmaId, { method: 'original_payment', notifyCustomer: true });
  expect(unsaid.body.parameters).toMatchObject({ outcome: 'gateway_uncertain' });
  const { refund_attempt_id: attemptId } = unsaid.body.parameters;
  await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(2) });

  await lookNow(flow);
  await change('mail_outbox', {}, { created_at: minutesAgo(1) });
  await lookNow(flow);
  await waitUntil('the operators were told', async () => took.length === 1);
  await lookNow(flow);
  expect(took.map(({ to }) => to)).toEqual(['ops@example.com']);

  const attempt = flow.client.workflow.getHandle(`refund-attempt-${attemptId}`);
  await attempt.signal('resolve', { resolution: 'refunded', staffName: 'Ada', note: '' });
  expect(await attempt.result()).toBe('booked');
  await waitUntil('the customer was told', async () => took.length === 2);
  await recordHistory(flow.client, `refund-attempt-${attemptId}`, 'attempt-resolved-told');
});

test('a mail whose workflow was never started is sent by the sweep, once', async () => {
  const rmaId = await aParkedReturn('10.00', 'terminal');
  await register.settle(rmaId, { method: 'terminal', reference: 'T-2', notifyCustomer: true });
  await waitUntil('the mail was sent', async () => took.length === 1);
  const mailId = await lastMailId();
  // As a crash right after the commit leaves it.
  const unsent = { state: 'waiting', tries: 0, due_at: new Date(), created_at: minutesAgo(1) };
  await change('mail_outbox', { mail_id: mailId }, unsent);

  await Promise.all([1, 2].map(() => lookNow(flow)));

  await waitUntil('the mail was sent', async () => took.length > 1);
  expect(await flow.client.workflow.getHandle(`mail-${mailId}`).result()).toMatch(/sent|not_ours/);
  expect(took).toHaveLength(2);
});
