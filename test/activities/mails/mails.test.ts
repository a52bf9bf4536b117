import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ApplicationFailure } from '@temporalio/common';
import { createMailActivities, whileHeld, type MailActivities } from '../../../activities/mails.ts';
import {
  claimMail,
  concludeMail,
  postponeMail,
  findWaitingMails,
  raiseAlarms,
  raisePauseAlarms,
} from '../../../db/mails/conclude-mail.ts';
import { postReceiptMail } from '../../../db/mails/post-receipt-mail.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { bookSettlement } from '../../../db/returns/settle-return.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { DatabaseTrouble, sqlStates } from '../../../db/support/connections/database-trouble.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import type { SettleMethod } from '../../../domain/returns/resolution.ts';
import { booksOf } from '../../support/books.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { addToPlan, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { silent } from '../../support/fakes.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { KeepingMailer } from '../../support/kiosk.ts';
import { minutesAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('mail activities', () => {
  let mail: KeepingMailer;
  const orm = useDatabase();
  let locationId: number;
  let activities: MailActivities;
  /** How the gateways answer who prepares the mail of an open question. */
  let gatewayOf: () => Promise<undefined>;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });
  beforeEach(async () => {
    mail = new KeepingMailer();
    gatewayOf = () => Promise.resolve(undefined);
    activities = createMailActivities(dependencies());
  });

  const dependencies = () => ({
    orm,
    providers: { gateways: { for: () => gatewayOf() }, mail, secrets: secretBox },
    log: silent,
    alarmsTo: 'ops@example.com',
    publicUrl: 'https://shop.example',
    pageOf: (workflowId: string) => `http://temporal.example/${workflowId}`,
    publicBaseUrl: 'https://shop.example',
  });

  const { mailsOf, theMail, fork, howMany, change, findOne, find, insert } = booksOf(() => orm);
  const stateOf = async (mailId: number) => {
    const { due_at: dueAt, ...mail } = await theMail(mailId, 'state', 'tries', 'reason', 'due_at');
    return { ...mail, is_due: new Date(dueAt) <= new Date() };
  };

  async function aSettled(method: SettleMethod, notifyCustomer = true) {
    const rma = await aReturn(orm, { locationId, refundMethod: 'terminal' });
    await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
    const options = { ...plainSettlement, notifyCustomer };
    const settle = () => bookSettlement(orm.em, { returnId: rma.returnId, method, options, requestId: 'r' });
    return { ...rma, settle, ...(await settle()) };
  }

  async function aMail(): Promise<number> {
    const { mailId } = await aSettled('terminal');
    if (mailId === undefined) throw new Error('no mail was posted');
    return mailId;
  }

  test.each([
    ['terminal', true, 1],
    ['store_credit', true, 1],
    ['cash', true, 0],
    ['exchange', true, 0],
    ['manual_card', true, 0],
    ['terminal', false, 0],
  ] as const)(
    'a settle by %s that wants to tell the customer (%s) posts %i mails, in its transaction',
    async (method, wanted, count) => {
      const before = await howMany('mail_outbox');

      const { settle, mailId } = await aSettled(method, wanted);

      expect((await howMany('mail_outbox')) - before).toBe(count);
      expect(mailId === undefined).toBe(count === 0);
      expect(await settle()).not.toHaveProperty('mailId');
      expect((await howMany('mail_outbox')) - before).toBe(count);
    },
  );

  test('a refund through the gateway posts one mail, however often its outcome is found', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    await addToPlan(orm, attemptId, { notifyCustomer: true });
    const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;

    const answers = await eightAtOnce(() => recordFinding(orm.em, { attemptId, finding, now: new Date() }));

    expect(answers.filter(({ mailId }) => mailId !== undefined)).toHaveLength(1);
    expect(answers.every(({ state }) => state === 'booked')).toBe(true);
  });

  test('a mail is sent once, however often and however many at once send it', async () => {
    const mailId = await aMail();

    // Temporal lets the others ask again: the one that has the mail may die.
    const heldElsewhere = ({ type }: ApplicationFailure) => ({ state: type });
    const answers = await eightAtOnce(() => activities.sendMail({ mailId }).catch(heldElsewhere));
    const later = await activities.sendMail({ mailId });

    const states = answers.map(({ state }) => state);
    expect(states).toContain('sent');
    expect(states.filter((state) => state !== 'sent' && state !== 'MailHeld')).toEqual([]);
    expect(later).toEqual({ state: 'sent' });
    expect(mail.took).toHaveLength(1);
    expect(mail.took[0]).toMatchObject({ subject: expect.stringMatching(/^Your refund for order/) });
    expect(mail.took[0]?.text).toContain('54.00 USD to your card, at the terminal in the shop');
    expect(await stateOf(mailId)).toMatchObject({ state: 'sent', tries: 1 });
  });

  test('a sender that died is taken over when its turn has run out, under the same Message-ID', async () => {
    const mailId = await aMail();
    mail.fault = Object.assign(new Error('died'), { code: 'never seen' });
    await activities.sendMail({ mailId });
    mail.fault = undefined;
    await change('mail_outbox', { mail_id: mailId }, { due_at: new Date() });
    await activities.sendMail({ mailId });
    await change('mail_outbox', { mail_id: mailId }, { state: 'waiting', due_at: new Date() });

    await activities.sendMail({ mailId });

    expect(mail.took).toHaveLength(2);
    expect(new Set(mail.took.map(({ key }) => key)).size).toBe(1);
  });

  test('a mail server that does not take it is tried again, ever later, and given up in the end; its words are not kept', async () => {
    const mailId = await aMail();
    mail.fault = Object.assign(new Error('no such mailbox: grace@example.com'), { code: 'EENVELOPE' });

    expect(await activities.sendMail({ mailId })).toMatchObject({ state: 'waiting' });
    expect(await stateOf(mailId)).toEqual({ state: 'waiting', tries: 1, reason: 'EENVELOPE', is_due: false });
    expect(await activities.sendMail({ mailId })).toEqual({ state: 'not_ours' });
    await change('mail_outbox', { mail_id: mailId }, { due_at: new Date() });
    expect(await findWaitingMails(fork())).toContain(mailId);
    await change('mail_outbox', { mail_id: mailId }, { tries: 99 });

    expect(await activities.sendMail({ mailId })).toMatchObject({ state: 'dropped' });
    expect(await stateOf(mailId)).toMatchObject({ state: 'dropped', reason: 'EENVELOPE' });
    expect(await activities.sendMail({ mailId })).toEqual({ state: 'dropped', reason: 'EENVELOPE' });
  });

  test.each([
    ['no address', null],
    ['the walk-in customer’s', 'Walk-In@example.com'],
    ['two addresses', 'ann@example.com, bob@example.com'],
    ['an address with a further header', 'ann@example.com\r\nBcc: bob@example.com'],
  ])('no mail is sent to %s', async (_what, address) => {
    const { mailId, orderId } = await aSettled('terminal');
    await change('sales_order', { entity_id: orderId }, { customer_email: address });

    expect(await activities.sendMail({ mailId: mailId ?? 0 })).toMatchObject({ state: 'dropped' });
    expect(mail.took).toEqual([]);
  });

  test('without a mail server nothing waits for one', async () => {
    const mailId = await aMail();
    mail.isEnabled = false;
    expect(await activities.sendMail({ mailId })).toMatchObject({ state: 'dropped' });
    expect(await stateOf(mailId)).toMatchObject({ reason: 'no_mail_server' });
  });

  test('a refund that stays uncertain is told to the operators once, however many look and however often', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(59) });
    const about = () => mailsOf(attemptId, 'mail_id');

    await raiseAlarms(fork(), { afterMinutes: 60 });
    expect(await about()).toEqual([]);
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(61) });
    await eightAtOnce(() => raiseAlarms(fork(), { afterMinutes: 60 }));
    const [{ mail_id: mailId } = { mail_id: 0 }] = await about();
    expect(await activities.sendMail({ mailId })).toEqual({ state: 'sent' });
    await raiseAlarms(fork(), { afterMinutes: 60 });

    expect(await about()).toHaveLength(1);
    expect(mail.took).toHaveLength(1);
    expect(mail.took[0]).toMatchObject({ to: 'ops@example.com' });
    expect(mail.took[0]?.text).toContain(`http://temporal.example/refund-attempt-${attemptId}`);
    expect(mail.took[0]?.text).toContain(`refunds resolve ${attemptId} refunded`);
  });

  test('a refund that nobody answers is told again after four hours, and after a day to who is asked then', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    const patient = createMailActivities({ ...dependencies(), escalateTo: 'boss@example.com' });
    const keys = async () => (await mailsOf(attemptId, 'mail_key')).map((row) => row.mail_key);
    for (const minutes of [1, 241, 1_441]) {
      await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(minutes) });
      for (const _twice of [1, 2]) await raiseAlarms(fork(), { afterMinutes: 0 });
    }
    expect(await keys()).toEqual(['', '-4h', '-24h'].map((tail) => `uncertain-refund-${attemptId}${tail}`));
    for (const { mail_id: mailId } of await mailsOf(attemptId, 'mail_id')) await patient.sendMail({ mailId });
    expect(mail.took.map(({ to }) => to)).toEqual(['ops@example.com', 'ops@example.com', 'boss@example.com']);
    expect(mail.took[2]?.text).toMatch(
      /Settle it: https:\/\/shop\.example\/ops\n\nShop: +High Street[^]*Waits for: 24 h/,
    );
  });

  test('of a refund that is in doubt for days when a worker starts, one mail goes out', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(9_000) });
    await raiseAlarms(fork(), { afterMinutes: 0 });
    await raiseAlarms(fork(), { afterMinutes: 0 });
    expect(await mailsOf(attemptId, 'mail_key')).toEqual([{ mail_key: `uncertain-refund-${attemptId}-24h` }]);
  });

  test('an endpoint that was paused is told to the operators once for each pause, unless it is on again', async () => {
    const at = {
      url: 'https://erp.example/hooks',
      sealed_secret: 'x',
      state: 'paused',
      paused_for: 'the last answer: 500',
    };
    await insert('webhook_endpoint', { ...at, failing_since: minutesAgo(1_500) });
    const { endpoint_id: endpointId } = await findOne('webhook_endpoint', {}, 'endpoint_id');
    const about = () => find('mail_outbox', { kind: 'endpoint_paused' }, 'mail_id');
    await eightAtOnce(() => raisePauseAlarms(fork()));
    const [{ mail_id: mailId } = { mail_id: 0 }, ...others] = await about();
    expect(others).toEqual([]);

    expect(await activities.sendMail({ mailId: Number(mailId) })).toEqual({ state: 'sent' });
    expect(mail.took[0]).toMatchObject({ to: 'ops@example.com', subject: `Webhook endpoint ${endpointId} is paused` });
    expect(mail.took[0]?.text).toContain(`events endpoints on ${endpointId}`);

    await change('webhook_endpoint', {}, { failing_since: minutesAgo(1_441) });
    await raisePauseAlarms(fork());
    await change('webhook_endpoint', {}, { state: 'on' });
    const again = (await about()).at(-1);
    expect(await activities.sendMail({ mailId: Number(again?.mail_id) })).toMatchObject({
      reason: 'answered_meanwhile',
    });
  });

  test('a letter is in the language of its order’s store view', async () => {
    const { mailId, orderId } = await aSettled('terminal');
    const { store_id: storeId } = await findOne('sales_order', { entity_id: orderId }, 'store_id');
    await change('store_view', { store_id: storeId }, { locale: 'de_DE' });
    await activities.sendMail({ mailId: mailId ?? 0 });
    await change('store_view', { store_id: storeId }, { locale: 'en_US' });
    expect(mail.took[0]?.subject).toMatch(/^Ihre Erstattung zur Bestellung /);
  });

  test('whoever a mail is for, it goes to one address or is given up at once', async () => {
    const mailId = await aQuestion();
    const toMany = createMailActivities({ ...dependencies(), alarmsTo: 'ops@example.com, boss@example.com' });
    expect(await toMany.sendMail({ mailId })).toEqual({ state: 'dropped', reason: 'not_one_address' });
    expect(mail.took).toEqual([]);
  });

  test('a question that was answered before its mail went out is not told', async () => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(120) });
    await raiseAlarms(fork(), { afterMinutes: 60 });
    const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
    await recordFinding(orm.em, { attemptId, finding, now: new Date() });
    const [row] = await mailsOf(attemptId, 'mail_id');

    expect(await activities.sendMail({ mailId: row?.mail_id ?? 0 })).toMatchObject({ state: 'dropped' });
    expect(mail.took).toEqual([]);
  });

  async function aQuestion(): Promise<number> {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    await change('refund_attempt', { attempt_id: attemptId }, { created_at: minutesAgo(120) });
    await raiseAlarms(fork(), { afterMinutes: 60 });
    const [row] = await mailsOf(attemptId, 'mail_id');
    return row?.mail_id ?? 0;
  }

  test('a mail that cannot be written is put off, and given up in the end', async () => {
    const mailId = await aQuestion();
    gatewayOf = () => Promise.reject(new Error('the settings of the gateway are broken'));

    expect(await activities.sendMail({ mailId })).toEqual({ state: 'waiting', reason: 'not_prepared' });
    expect(await stateOf(mailId)).toEqual({ state: 'waiting', tries: 1, reason: 'not_prepared', is_due: false });
    await change('mail_outbox', { mail_id: mailId }, { tries: 99, due_at: new Date() });

    expect(await activities.sendMail({ mailId })).toEqual({ state: 'dropped', reason: 'not_prepared' });
  });

  test('a mail that the database kept from being written is due again at once', async () => {
    const mailId = await aQuestion();
    gatewayOf = () => Promise.reject(new DatabaseTrouble(sqlStates.connectionLost, 'the connection was lost'));

    await expect(activities.sendMail({ mailId })).rejects.toThrow('the connection was lost');
    expect(await stateOf(mailId)).toMatchObject({ state: 'waiting', is_due: true });
    gatewayOf = () => Promise.resolve(undefined);

    expect(await activities.sendMail({ mailId })).toEqual({ state: 'sent' });
  });
});

describe('while held', () => {
  const orm = useDatabase();

  const { fork, change, theMail } = booksOf(() => orm);

  let mails = 0;
  async function aClaimedMail() {
    const fields = { posOrderId: `held-${++mails}`, currency: 'USD' };
    const receiptId = await saveReceipt(fork(), secretBox, { fields, items: [{ name: 'Mug' }] });
    const mailId = await postReceiptMail(fork(), secretBox, { receiptId, to: 'grace@example.com', key: `k${mails}` });
    const mail = await claimMail(fork(), mailId);
    if (!mail) throw new Error('it could not be claimed');
    return mail;
  }

  const ended = (lost: AbortSignal) =>
    new Promise<'ended'>((resolve) => lost.addEventListener('abort', () => resolve('ended')));
  const isDue = async (mailId: number) => new Date((await theMail(mailId, 'due_at')).due_at) <= new Date();

  test('a mail stays with its sender for as long as the mail server works', async () => {
    const mail = await aClaimedMail();
    await change('mail_outbox', { mail_id: mail.mailId }, { due_at: new Date() });

    await whileHeld(fork(), mail, async () =>
      waitUntil('it is held anew', async () => !(await isDue(mail.mailId)), 10_000),
    );

    expect(await claimMail(fork(), mail.mailId)).toBeUndefined();
  });

  test('a sender whose mail another one took over ends, and changes nothing of it', async () => {
    const mail = await aClaimedMail();
    await change('mail_outbox', { mail_id: mail.mailId }, { tries: mail.tries + 1 });

    expect(await whileHeld(fork(), mail, ended)).toBe('ended');
    await concludeMail(fork(), { ...mail, state: 'dropped', reason: 'ETIMEDOUT' });
    await postponeMail(fork(), { ...mail, seconds: 60, reason: 'ETIMEDOUT' });

    expect(await theMail(mail.mailId, 'state', 'reason')).toEqual({ state: 'waiting', reason: null });
  });

  test('the mail server’s yes counts, whoever has the mail by then', async () => {
    const mail = await aClaimedMail();
    await change('mail_outbox', { mail_id: mail.mailId }, { tries: mail.tries + 1 });

    await concludeMail(fork(), { ...mail, state: 'sent' });

    expect(await theMail(mail.mailId, 'state')).toEqual({ state: 'sent' });
  });

  test('a sender that cannot renew its hold ends before another one may take the mail', async () => {
    const mail = await aClaimedMail();
    const away = fork();
    jest.spyOn(away, 'getKysely').mockImplementation(() => {
      throw new Error('the database is away');
    });
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
    });
    try {
      const sending = whileHeld(away, mail, ended);
      await jest.advanceTimersByTimeAsync(7_000);
      expect(await sending).toBe('ended');
    } finally {
      jest.useRealTimers();
    }
    expect(await isDue(mail.mailId)).toBe(false);
  });
});
