import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { secretBoxOf } from '../../../api/http/secret-box.ts';
import { sendReceiptMail } from '../../../api/receipts/email-receipt.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { money } from '../../../domain/money.ts';
import type { Printer } from '../../../providers/documents/print-in.ts';
import { createMailer, type Mail, type Mailer } from '../../../providers/mail.ts';
import { createWorkflows } from '../../../providers/temporal/connect-workflows.ts';
import { aWayTo } from '../../support/a-way-to-temporal.ts';
import { booksOf } from '../../support/books.ts';
import { aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { silent } from '../../support/fakes.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { KeepingMailer } from '../../support/kiosk.ts';
import { aMailServerSilentOnce, type SlowMailServer } from '../../support/mail-server.ts';
import { minutesAgo } from '../../support/moments.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('dead senders', () => {
  /** A death is noticed after six seconds of silence, and the mail is free after eight; the rest is this machine's. */
  const soonMs = 20_000;
  const shop = 'https://shop.example';

  let flow: Flow;
  let server: SlowMailServer;
  let first: Awaited<ReturnType<typeof aWorkerProcess>> | undefined;

  /** The worker that will die is a process of its own; the one that goes on starts in this process before that. */
  beforeEach(async () => {
    first = undefined;
    server = await aMailServerSilentOnce();
    const mail = createMailer({ smtpUrl: server.url, from: 'shop@example.com' });
    const printer = {
      missing: () => Promise.resolve(null),
      print: () => Promise.resolve(Buffer.from('%PDF of the second worker')),
      close: () => Promise.resolve(),
    };
    const settings = { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: shop };
    flow = await aFlow({ startsWorker: false, mail, printer, settings });
    flow.api.providers.mail = mail;
  });
  afterEach(async () => {
    await first?.kill();
    await flow.close();
    await server.stop();
  });

  const { latest, fork, theMail, howMany } = booksOf(() => flow.api.orm);

  const aWorkerToDie = async (chromium: string) =>
    (first = await aWorkerProcess(flow, {
      env: { SMTP_URL: server.url, POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: shop, CHROMIUM_PATH: chromium },
    }));

  async function askForReceipt(): Promise<Promise<string>[]> {
    const fields = { posOrderId: `sale-${flow.taskQueue}`, currency: 'USD', receiptNumber: 'R-7' };
    const receiptId = await saveReceipt(fork(), secretBoxOf(flow.api.settings), { fields, items: [{ name: 'Mug' }] });
    const { client, taskQueue, api } = flow;
    const workflows = createWorkflows({ client, taskQueue, log: silent });
    const operation = { key: `once-${taskQueue}`, leaveOpen: () => undefined };
    const wish = { workflows, settings: api.settings, requestId: 'r', receiptId, to: 'grace@example.com', operation };
    // The register asks twice under one key.
    return [1, 2].map(() => sendReceiptMail({ em: fork(), ...wish }));
  }

  /** Kills the first worker and says how long the mail took from there. */
  async function died(): Promise<number> {
    await flow.startWorker();
    await first?.kill();
    const at = Date.now();
    await waitUntil('the mail was taken', async () => server.took.length > 0);
    return Date.now() - at;
  }

  /** A worker has taken up the print of the newest mail. */
  async function isPrinting(): Promise<boolean> {
    if ((await howMany('mail_outbox')) === 0) return false;
    const { mail_id: mailId } = await latest('mail_outbox', 'mail_id');
    const run = await flow.client.workflow
      .getHandle(`mail-${mailId}`)
      .describe()
      .catch(() => undefined);
    return (run?.raw.pendingActivities ?? []).some(
      ({ activityType, lastStartedTime }) => activityType?.name === 'makeReceiptPdf' && Boolean(lastStartedTime),
    );
  }

  test('a worker that dies while the mail server works delays a receipt by seconds, and it is sent once', async () => {
    await aWorkerToDie('/nowhere/chromium');
    const answers = await askForReceipt();
    await waitUntil('the mail server has it', async () => server.arrived === 1);

    const tookMs = await died();

    // Whoever asked heard within the caller's patience that it is on its way.
    for (const answer of await Promise.all(answers)) expect(['sent', 'on_its_way']).toContain(answer);
    expect(server.took).toHaveLength(1);
    expect(tookMs).toBeLessThan(soonMs);
    const { mail_id: mailId } = await latest('mail_outbox', 'mail_id');
    expect(await theMail(Number(mailId), 'state', 'tries')).toEqual({ state: 'sent', tries: 2 });
  });

  test('a worker that dies while it prints delays a receipt by seconds, and it goes out with its PDF', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pos-hanging-browser-'));
    const [browser, begun] = [join(folder, 'chromium'), join(folder, 'begun')];
    // A browser that never starts, and ends with the process that started it.
    writeFileSync(browser, `#!/bin/sh\n: > ${begun}\nexec cat <&3\n`);
    chmodSync(browser, 0o755);
    await aWorkerToDie(browser);
    server.arrived = 1;
    const answers = await askForReceipt();
    await waitUntil('it prints', async () => existsSync(begun) && (await isPrinting()));

    const tookMs = await died();

    // Whoever asked heard within the caller's patience that it is on its way.
    for (const answer of await Promise.all(answers)) expect(['sent', 'on_its_way']).toContain(answer);
    expect(server.took).toHaveLength(1);
    expect(server.took[0]).toContain('Content-Type: application/pdf');
    expect(tookMs).toBeLessThan(soonMs);
  });

  test('a worker that dies while it sends a one-time code delays that code by seconds', async () => {
    const { terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId });
    const customer = { email: 'ada@shop.test', firstname: 'Ada', lastname: 'Lovelace' };
    await flow.api.call('POST', '/V1/customers', { body: { customer } });
    await aWorkerToDie('/nowhere/chromium');
    const body = { request: { terminalId, email: customer.email } };
    const token = flow.api.tokens.register;
    expect((await flow.api.call('POST', '/V1/pos/self-checkout/otp/request', { token, body })).status).toBe(200);
    await waitUntil('the mail server has it', async () => server.arrived === 1);

    const tookMs = await died();

    expect(server.took).toHaveLength(1);
    expect(tookMs).toBeLessThan(soonMs);
  });
});

describe('document mail', () => {
  let took: Mail[] = [];
  let holdsBack: Promise<void> | undefined;
  const { fork, howMany } = booksOf(() => flow.api.orm);

  const mail: Mailer = {
    isEnabled: true,
    isReachable: () => Promise.resolve(true),
    send: async (letter) => {
      await holdsBack;
      took.push(letter);
    },
  };

  let flow: Flow;
  let ids: Record<'orders' | 'invoices' | 'shipment' | 'creditmemo', number>;
  let increment: string;
  beforeAll(async () => {
    flow = await aFlow({ mail });
    const order = await anOrder(fork(), { shipped: false });
    const { orderId, invoiceId } = order;
    const shipment = await ask('POST', `order/${orderId}/ship`, {
      tracks: [{ track_number: 'Z9', title: 'Bike', carrier_code: 'x' }],
    });
    const memo = await ask('POST', `order/${orderId}/refund`, {});
    ids = { orders: orderId, invoices: invoiceId!, shipment: shipment.body, creditmemo: memo.body };
    increment = order.incrementId;
  });
  beforeEach(() => {
    took = [];
    holdsBack = undefined;
  });
  afterAll(() => flow.close());

  const ask = (method: string, path: string, body?: object) =>
    flow.api.call(method, `/V1/${path}`, { token: flow.api.tokens.admin, ...(body ? { body } : {}) });

  type Document = keyof typeof ids;
  const email = (document: Document, id = ids[document]) => ask('POST', `${document}/${id}/emails`);
  const isSent = async (document: Document) => (await ask('GET', `${document}/${ids[document]}`)).body.email_sent === 1;

  test.each<[Document, RegExp, RegExp]>([
    ['orders', /^Your order /, /2 × Mug[^]*108\.00 USD/],
    ['invoices', /^Invoice /, /2 × Mug[^]*108\.00 USD/],
    ['shipment', /is on its way$/, /2 × Mug[^]*Tracking: Bike Z9/],
    ['creditmemo', /^Credit memo /, /2 × Mug[^]*108\.00 USD/],
  ])('%s: its customer gets a short mail, and the document says so', async (document, subject, text) => {
    expect(await isSent(document)).toBe(false);
    expect(await email(document)).toMatchObject({ status: 200, body: true });
    await waitUntil('the document was sent', () => isSent(document), 15_000);

    expect(took).toMatchObject([{ to: 'ann@example.com', subject: expect.stringMatching(subject) }]);
    expect(took[0]?.subject).toContain(increment);
    expect(took[0]?.text).toMatch(text);
  });

  test('asked for eight times at once it is one mail; asked for after that it is another', async () => {
    let release: () => void = () => undefined;
    holdsBack = new Promise((resolve) => {
      release = resolve;
    });
    const answers = await eightAtOnce(() => email('orders'));
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => true));
    release();
    await waitUntil('it was sent', async () => took.length === 1);
    await waitUntil('that is noted', async () => {
      return (await howMany('mail_outbox', { state: 'waiting' })) === 0;
    });
    await email('orders');
    await waitUntil('it was sent again', async () => took.length === 2);
  });

  test.each<Document>(['orders', 'invoices', 'shipment', 'creditmemo'])(
    'an unknown document of %s is 404',
    async (document) => {
      expect(await email(document, 999_999)).toMatchObject({
        status: 404,
        body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
      });
    },
  );

  test('an order without an e-mail address is not mailed', async () => {
    const { orderId } = await anOrder(fork(), { columns: { customerEmail: null } });
    expect(await email('orders', orderId)).toMatchObject({ status: 200, body: false });
  });

  const oddAddresses = [
    'ann@example.com\r\nBcc: bob@example.com',
    'ann@example.com, bob@example.com',
    'ann@example.com;bob@example.com',
    'Ann <ann@example.com>',
    'not known',
  ];

  test.each(oddAddresses)(
    'no mail is promised to %j; the order stays, and whoever asked hears why',
    async (address) => {
      const { orderId, invoiceId } = await anOrder(fork(), { shipped: false, columns: { customerEmail: address } });
      for (const answer of [await email('orders', orderId), await email('invoices', invoiceId)])
        expect(answer).toMatchObject({
          status: 400,
          body: { message: 'The e-mail address of the order is not one address, so no mail was sent.' },
        });
      expect(await ask('POST', `order/${orderId}/ship`, { notify: true })).toMatchObject({ status: 200 });
      expect(await howMany('mail_outbox', { state: 'waiting' })).toBe(0);
      expect(took).toEqual([]);
    },
  );

  test('nor are the shipment and the credit memo of such an order mailed', async () => {
    const { orderId } = await anOrder(fork(), { shipped: false, columns: { customerEmail: 'not known' } });
    const { body: shipmentId } = await ask('POST', `order/${orderId}/ship`, {});
    const { body: memoId } = await ask('POST', `order/${orderId}/refund`, {});
    for (const answer of [await email('shipment', Number(shipmentId)), await email('creditmemo', Number(memoId))])
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'The e-mail address of the order is not one address, so no mail was sent.' },
      });
    expect(took).toEqual([]);
  });

  test('an address with blanks around it is mailed', async () => {
    const { orderId } = await anOrder(fork(), { columns: { customerEmail: ' ann@example.com ' } });
    expect(await email('orders', orderId)).toMatchObject({ status: 200, body: true });
    await waitUntil('it was sent', async () => took.length === 1);
    expect(took[0]?.to).toBe('ann@example.com');
  });

  test('an invoice, a shipment and a credit memo made with notify are each mailed once', async () => {
    const { orderId, incrementId } = await anOrder(fork(), { shipped: false, paid: false });
    const made = [];
    for (const verb of ['invoice', 'ship', 'refund']) {
      made.push(await ask('POST', `order/${orderId}/${verb}`, { notify: true }));
      await waitUntil('its mail was sent', async () => took.length === made.length, 15_000);
    }
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(took.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Invoice /),
      expect.stringMatching(/is on its way$/),
      expect.stringMatching(/^Credit memo /),
    ]);
    expect(took.every(({ subject }) => subject.includes(incrementId))).toBe(true);
  });

  test('a refund of an invoice is mailed once, also when its request is sent again', async () => {
    const { invoiceId } = await anOrder(fork(), { shipped: false, method: 'provider_a', lastTransId: 'pay_1' });
    const headers = { 'idempotency-key': randomUUID() };
    const refund = () =>
      flow.api.call('POST', `/V1/invoice/${invoiceId}/refund`, {
        ...{ token: flow.api.tokens.admin, headers, body: { notify: true } },
      });
    const first = await refund();
    expect(first).toMatchObject({ status: 200 });
    await waitUntil('its mail was sent', async () => took.length === 1, 15_000);
    expect((await refund()).body).toBe(first.body);
    expect(await howMany('mail_outbox', { document_name: 'creditmemo', document_id: first.body })).toBe(1);
  });

  test('the comment is in the mail where the request appends it, and nowhere else', async () => {
    for (const appendComment of [true, false]) {
      took = [];
      const { orderId } = await anOrder(fork(), { shipped: false, paid: false });
      await ask('POST', `order/${orderId}/invoice`, {
        notify: true,
        appendComment,
        comment: { comment: 'Thanks,\nAnn!' },
      });
      await waitUntil('its mail was sent', async () => took.length === 1, 15_000);
      expect(took[0]?.text.includes('Total: 108.00 USD\n\nThanks,\nAnn!\n\n')).toBe(appendComment);
    }
  });

  test('a refused document is not mailed', async () => {
    const { orderId } = await anOrder(fork(), { shipped: false });
    expect(await ask('POST', `order/${orderId}/invoice`, { notify: true })).toMatchObject({ status: 400 });
    expect(await howMany('mail_outbox', { state: 'waiting' })).toBe(0);
    expect(took).toEqual([]);
  });
});

describe('refund mail', () => {
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
    // Its end is noted after the mail was handed over.
    await flow.client.workflow.getHandle(`mail-${mailId}`).result();
    // As a crash right after the commit leaves it.
    const unsent = { state: 'waiting', tries: 0, due_at: new Date(), created_at: minutesAgo(1) };
    await change('mail_outbox', { mail_id: mailId }, unsent);

    await Promise.all([1, 2].map(() => lookNow(flow)));

    await waitUntil('the mail was sent', async () => took.length > 1);
    expect(await flow.client.workflow.getHandle(`mail-${mailId}`).result()).toMatch(/sent|not_ours/);
    expect(took).toHaveLength(2);
  });
});

describe('silent parts', () => {
  /** What a register and a customer hear of mails, PDFs and codes while the worker or Temporal stands still. */
  let way: Awaited<ReturnType<typeof aWayTo>>;
  let flow: Flow;
  let mail: KeepingMailer;
  let terminalId: number;
  let token: string;
  let sales = 0;

  const printer: Printer = {
    missing: () => Promise.resolve(null),
    print: () => Promise.resolve(Buffer.from('%PDF 1')),
    close: () => Promise.resolve(),
  };

  beforeEach(async () => {
    way = await aWayTo(process.env['TEST_TEMPORAL'] ?? '');
    mail = new KeepingMailer();
    const settings = { POS_SECRET_KEY: secretKey, PUBLIC_BASE_URL: 'https://shop.example' };
    flow = await aFlow({ temporalAddress: way.address, startsWorker: false, mail, printer, settings });
    flow.api.providers.mail = mail;
    ({ terminalId } = await aTerminal(fork(), { locationId: flow.shop.locationId }));
    token = String(++sales).padStart(64, 'b');
    await saveReceipt(fork(), secretBox, {
      fields: {
        posOrderId: `silent-${flow.taskQueue}`,
        grandTotal: money('54.00'),
        currency: 'USD',
        receiptNumber: 'R-7',
      },
      items: [{ name: 'Mug', rowTotal: money('54.00') }],
      receiptToken: token,
    });
  });
  afterEach(async () => {
    way.goOn();
    await flow.close();
    await way.cut();
  });

  const { fork, find, howMany } = booksOf(() => flow.api.orm);

  /** What is asked for at once; none of it waits as long as for a gateway. */
  async function askForAll() {
    const { api } = flow;
    const begun = performance.now();
    const page = (name: string, init?: RequestInit) => fetch(`${api.url}/receipt/${token}/${name}`, init);
    const send = (path: string, body: object) => api.call('POST', path, { token: api.tokens.register, body });
    const [pdf, mailed, register, code] = await Promise.all([
      page('pdf'),
      page('email', { method: 'POST', body: new URLSearchParams({ email: 'grace@example.com' }) }),
      send('/V1/pos/receipts/email', { receiptToken: token, destination: 'ada@example.com' }),
      send('/V1/pos/self-checkout/otp/request', { request: { email: 'ada@example.com', terminalId } }),
    ]);
    expect(performance.now() - begun).toBeLessThan(12_000);
    return { pdf: pdf.status, page: await mailed.text(), register, code };
  }

  const onItsWay = 'The receipt is on its way to grace@example.com.';
  const mayArrive = {
    status: 400,
    body: {
      message: 'Failed to send receipt email: %1',
      parameters: ['The mail server has not answered yet; the receipt may still arrive.'],
    },
  };

  test('no worker: the PDF is asked for again, mails and the code are on their way, and go out once', async () => {
    const { pdf, page, register, code } = await askForAll();
    expect(pdf).toBe(503);
    expect(page).toContain(onItsWay);
    expect(register).toMatchObject(mayArrive);
    expect(code.status).toBe(200);

    await flow.startWorker();
    await waitUntil('both mails are sent', async () => (await howMany('mail_outbox', { state: 'sent' })) === 2);
    expect(mail.took.map(({ to }) => to).toSorted()).toEqual(['ada@example.com', 'grace@example.com']);
  });

  test('Temporal that stands still in the middle of it: the same, and the code is taken back', async () => {
    await flow.startWorker();
    await flow.client.workflowService.getSystemInfo({});
    const asked = askForAll();
    way.standStill();
    const { pdf, page, register, code } = await asked;

    expect(pdf).toBe(503);
    expect(page).toContain(onItsWay);
    expect(register).toMatchObject(mayArrive);
    expect(code.status).toBe(503);
    expect(await find('pos_one_time_code', {})).toEqual([]);
  });

  test('Temporal away: the same, and no code is written', async () => {
    await way.cut();
    const { pdf, page, register, code } = await askForAll();

    expect(pdf).toBe(503);
    expect(page).toContain(onItsWay);
    expect(register).toMatchObject(mayArrive);
    expect(code.status).toBe(503);
    expect(await find('pos_one_time_code', {})).toEqual([]);
    await way.restore();
  });
});
