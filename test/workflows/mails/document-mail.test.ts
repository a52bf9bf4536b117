import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Mail, Mailer } from '../../../providers/mail/mailer.ts';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

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

test.each(oddAddresses)('no mail is promised to %j; the order stays, and whoever asked hears why', async (address) => {
  const { orderId, invoiceId } = await anOrder(fork(), { shipped: false, columns: { customerEmail: address } });
  for (const answer of [await email('orders', orderId), await email('invoices', invoiceId)])
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'The e-mail address of the order is not one address, so no mail was sent.' },
    });
  expect(await ask('POST', `order/${orderId}/ship`, { notify: true })).toMatchObject({ status: 200 });
  expect(await howMany('mail_outbox', { state: 'waiting' })).toBe(0);
  expect(took).toEqual([]);
});

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
