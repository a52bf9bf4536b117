import { afterAll, beforeAll, expect, test } from 'vitest';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { aStoredReceipt, receiptVisitor, type Visitor } from '../../support/receipt-visitor.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

let shop: Visitor;
let workerSays: unknown = { state: 'sent' };

beforeAll(async () => {
  shop = await receiptVisitor(() => workerSays);
  await aShop(fork());
});
afterAll(() => shop.api.close());

const { find, fork, howMany, change } = booksOf(() => shop.api.orm);

const send = (body: object, headers: Record<string, string> = {}, token = shop.api.tokens.register) =>
  shop.api.call('POST', '/V1/pos/receipts/email', { token, body, headers });

test.each([
  ['receiptToken', 'destination'],
  ['receipt_token', 'email'],
  ['token', 'email_address'],
  ['token', 'recipient'],
  ['receipt_token', 'to'],
])('a register mails a receipt, calling its token %s and the address %s', async (token, address) => {
  const before = shop.mails.length;
  const body = { [token]: (await aStoredReceipt(shop)).toUpperCase(), [address]: ' grace@example.com ' };
  expect(await send(body)).toMatchObject({ status: 200, body: true });
  expect(shop.mails).toHaveLength(before + 1);
});

test('what a call brings of a page or a picture is not looked at: the mail is the receipt', async () => {
  const before = shop.mails.length;
  const receiptToken = await aStoredReceipt(shop);
  const own = { html: '<b>own</b>', body: 'own', image: 'aGk=', pdf: 'aGk=', subject: 'own' };
  expect(await send({ receiptToken, destination: 'grace@example.com', ...own })).toMatchObject({ status: 200 });
  expect(shop.mails).toHaveLength(before + 1);
  expect(JSON.stringify(await find('mail_outbox'))).not.toMatch(/own|aGk=/);
});

test('an address with an apostrophe is one like any other', async () => {
  const body = { receiptToken: await aStoredReceipt(shop), destination: "o'brien@example.com" };
  expect(await send(body)).toMatchObject({ status: 200, body: true });
});

const mails = () => howMany('mail_outbox');
/** As the worker notes it. */
const allAreSent = () => change('mail_outbox', {}, { state: 'sent', sealed_to: null, wish_digest: null });

test('each call is a mail; one with a key is one mail, however often it is sent', async () => {
  const body = { receiptToken: await aStoredReceipt(shop), destination: 'grace@example.com' };
  const before = await mails();
  await send(body);
  await allAreSent();
  await send(body);
  await allAreSent();
  expect(await mails()).toBe(before + 2);

  const key = { 'idempotency-key': 'mail-once' };
  const answers = await atOnce(3, () => send(body, key));
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(await send(body, key)).toMatchObject({ status: 200, body: true });
  await allAreSent();
  expect(await send(body, key)).toMatchObject({ status: 200, body: true });
  expect(await mails()).toBe(before + 3);
});

test('a repeat while the mail waits gets the same mail, eight at once and in either case; another address gets its own', async () => {
  const receiptToken = await aStoredReceipt(shop);
  const body = { receiptToken, destination: 'grace@example.com' };
  const before = await mails();
  workerSays = { state: 'waiting' };
  const answers = await eightAtOnce(() => send(body));
  await send({ ...body, destination: 'Grace@Example.com' });
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(await mails()).toBe(before + 1);

  await send({ ...body, destination: 'ada@example.com' });
  await send({ ...body, receiptToken: await aStoredReceipt(shop) });
  workerSays = { state: 'sent' };
  expect(await mails()).toBe(before + 3);
});

test('a request that joined a waiting mail is that mail, also when it is repeated after the sending', async () => {
  const body = { receiptToken: await aStoredReceipt(shop), destination: 'grace@example.com' };
  const before = await mails();
  workerSays = { state: 'waiting' };
  await send(body);
  const first = await send(body, { 'idempotency-key': 'joined' });
  workerSays = { state: 'sent' };
  await allAreSent();

  expect(first.status).toBe(400);
  expect(await send(body, { 'idempotency-key': 'joined' })).toMatchObject({ status: 200, body: true });
  expect(await mails()).toBe(before + 1);
});

test.each([{ state: 'waiting' }, { state: 'not_ours' }])(
  'while it is not known ($state) the wish stays open, and who tells it again hears how it ended',
  async (unknown) => {
    const body = { receiptToken: await aStoredReceipt(shop), destination: 'grace@example.com' };
    const key = { 'idempotency-key': `unknown-${unknown.state}` };
    workerSays = unknown;
    const first = await send(body, key);
    workerSays = { state: 'sent' };

    expect(first).toMatchObject({ status: 400, body: { parameters: [expect.stringMatching(/may still arrive/)] } });
    expect(await send(body, key)).toMatchObject({ status: 200, body: true });
  },
);

test('what the mail server refused is its last word under a key', async () => {
  const body = { receiptToken: await aStoredReceipt(shop), destination: 'grace@example.com' };
  const key = { 'idempotency-key': 'refused' };
  workerSays = { state: 'dropped', reason: 'EENVELOPE' };
  const first = await send(body, key);
  workerSays = { state: 'sent' };
  expect(await send(body, key)).toMatchObject({ status: 400, body: first.body as object });
});

test.each([
  ['EENVELOPE', 'The mail server refused the address.'],
  ['EMESSAGE', 'The mail server did not take the mail.'],
])('a refusal of the mail server (%s) is reported in the interface’s words', async (reason, said) => {
  workerSays = { state: 'dropped', reason };
  const body = { receiptToken: await aStoredReceipt(shop), destination: 'grace@example.com' };
  const answer = await send(body);
  workerSays = { state: 'sent' };
  expect(answer).toMatchObject({
    status: 400,
    body: { message: 'Failed to send receipt email: %1', parameters: [said] },
  });
});

test('an invalid address is refused likewise, an unknown token is 404, and a missing argument is named', async () => {
  const receiptToken = await aStoredReceipt(shop);
  const before = shop.mails.length;
  for (const destination of ['a@b,c@d', 'x@y.z\r\nBcc: e@f.g', 'Grace <grace@example.com>'])
    expect(await send({ receiptToken, destination })).toMatchObject({
      status: 400,
      body: { message: 'Failed to send receipt email: %1' },
    });
  for (const unknown of ['f'.repeat(64), 'short', '%'])
    expect((await send({ receiptToken: unknown, destination: 'grace@example.com' })).status).toBe(404);
  expect(await send({ destination: 'grace@example.com' })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'receiptToken' } },
  });
  expect(await send({ receiptToken })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'destination' } },
  });
  expect(shop.mails).toHaveLength(before);
});

test('mailing needs the resource, and has no limit', async () => {
  const receiptToken = await aStoredReceipt(shop);
  const other = await shop.api.tokenFor('Vendor_Pos::locations');
  expect((await send({ receiptToken, destination: 'a@example.com' }, {}, other)).status).toBe(401);
  const many = await atOnce(25, () => send({ receiptToken, destination: 'a@example.com' }));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
});
