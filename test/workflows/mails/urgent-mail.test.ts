import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { codeIn, KeepingMailer } from '../../support/kiosk.ts';
import { recordHistory } from '../../support/record-history.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { minutesAgo } from '../../support/moments.ts';

const mail = new KeepingMailer();
let flow: Flow;
let terminalId: number;
beforeAll(async () => {
  flow = await aFlow({ mail, settings: { POS_SECRET_KEY: secretKey } });
  flow.api.providers.mail = mail;
  ({ terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId }));
});
beforeEach(async () => {
  mail.took = [];
  mail.fault = undefined;
  await forgetTries();
});
afterAll(() => flow.close());

const { theMail, latest, fork, change, forgetTries } = booksOf(() => flow.api.orm);
const send = (path: string, request: Record<string, unknown>) =>
  flow.api.call('POST', `/V1/pos/self-checkout/otp/${path}`, {
    token: flow.api.tokens.register,
    body: { request: { terminalId, ...request } },
  });
const aCustomer = async (email: string) =>
  void (await flow.api.call('POST', '/V1/customers', { body: { customer: { email, firstname: 'A', lastname: 'L' } } }));
const lastMailId = async () => Number((await latest('mail_outbox', 'mail_id')).mail_id);
const resultOf = (mailId: number) => flow.client.workflow.getHandle(`mail-${mailId}`).result();

test('a code is mailed at once, a customer signs in with it, and nothing that was sealed stays', async () => {
  await aCustomer('ada@shop.test');
  expect((await send('request', { email: 'ada@shop.test' })).status).toBe(200);
  const mailId = await lastMailId();

  expect(await resultOf(mailId)).toBe('sent');
  const answer = await send('verify', { email: 'ada@shop.test', code: codeIn(mail.took[0]) });

  expect(answer).toMatchObject({ status: 200, body: { email: 'ada@shop.test' } });
  expect(await theMail(mailId, 'state', 'sealed')).toEqual({ state: 'sent', sealed: null });
  await recordHistory(flow.client, `mail-${mailId}`, 'urgent-mail-sent');
});

test('for a stranger the outbox has a mail as well, which is never sent', async () => {
  await send('request', { email: 'stranger@shop.test' });
  const mailId = await lastMailId();
  expect(await resultOf(mailId)).toBe('dropped');
  expect(mail.took).toEqual([]);
  await recordHistory(flow.client, `mail-${mailId}`, 'urgent-mail-stranger');
});

test('a mail server that stumbles is tried again within seconds', async () => {
  await aCustomer('bo@shop.test');
  mail.fault = Object.assign(new Error('try again'), { code: 'ECONNECTION' });
  await send('request', { email: 'bo@shop.test' });
  const mailId = await lastMailId();
  await waitUntil('it was tried', async () => ((await theMail(mailId, 'tries')).tries ?? 0) > 0);
  mail.fault = undefined;
  expect(await resultOf(mailId)).toBe('sent');
  expect(mail.took).toHaveLength(1);
  await recordHistory(flow.client, `mail-${mailId}`, 'urgent-mail-second-try');
});

test('a code whose sending was never begun is sent by the sweep, unless it is dead', async () => {
  await aCustomer('cy@shop.test');
  await aCustomer('di@shop.test');
  const ids: number[] = [];
  for (const email of ['cy@shop.test', 'di@shop.test']) {
    await forgetTries();
    await send('request', { email });
    ids.push(await lastMailId());
    await resultOf(ids.at(-1) ?? 0);
  }
  // As a crash right after the commit leaves them, one of them too long ago.
  const unsent = { state: 'waiting', tries: 0, due_at: new Date(), created_at: minutesAgo(1) };
  await change('mail_outbox', { mail_id: ids[0] }, unsent);
  await change('mail_outbox', { mail_id: ids[1] }, { ...unsent, dies_at: new Date() });
  expect((await lookNow(flow)).counts).toMatchObject({ 'urgent mails': 1 });

  // The sealed text is gone, so the mail cannot be sent any more: what counts is that it was taken up.
  await waitUntil('the live one was taken up', async () => (await stateOf(ids[0])) === 'dropped');
  expect(await stateOf(ids[1])).toBe('waiting');
});

const stateOf = async (mailId = 0) => (await theMail(mailId, 'state')).state;
