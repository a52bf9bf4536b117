import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { grantLicense } from '../../../db/terminals/licenses.ts';
import { booksOf } from '../../support/books.ts';
import { aReceipt, aTerminal, secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { aStoredReceipt, receiptVisitor, type Visitor } from '../../support/receipt-visitor.ts';
import { atOnce, eightAtOnce } from '../../support/rivals.ts';

describe('create receipt', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  let terminalId: number;
  let locationId: number;

  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
    ({ terminalId } = await aTerminal(fork(), { locationId }));
  });

  const { fork, howMany } = booksOf(() => api.orm);
  const post = (receipt: unknown, token = api.tokens.register) =>
    api.call('POST', '/V1/pos/receipts', { token, body: { receipt } });
  const read = (path: string) => api.call('GET', `/V1/pos/receipts${path}`, { token: api.tokens.register });
  const placeOrder = (posSaleId: string) =>
    api.call('POST', '/V1/orders', {
      token: api.tokens.register,
      body: {
        entity: {
          base_currency_code: 'USD',
          order_currency_code: 'USD',
          grand_total: 108,
          base_grand_total: 108,
          items: [{ sku: 'MUG', name: 'Mug', qty_ordered: 2, price: 50 }],
          payment: { method: 'cashondelivery' },
          extension_attributes: { pos_sale_id: posSaleId },
        },
      },
    });

  test('a sale’s receipt is stored as sent, and read back the same', async () => {
    const sent = aReceipt(terminalId, { raw_payload: '{"a": 1}', split_payments: '[]', future_field: true });
    const { status, body } = await post(sent);

    expect(status).toBe(200);
    const { items, future_field: _unknown, created_at: _at, ...fields } = sent as Record<string, unknown>;
    expect(body).toMatchObject({
      ...fields,
      receipt_id: expect.any(Number),
      pos_order_id: fields['sale_id'],
      created_at: '2026-11-21 10:00:00',
      order_increment_id: null,
      receipt_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      sale_type: null,
      is_reverse_charge: false,
    });
    expect(body).not.toHaveProperty('future_field');
    expect(body.items).toEqual([
      {
        sku: 'MUG',
        name: 'Mug',
        qty: 2,
        price: 50,
        row_total: 100,
        tax_amount: 8,
        discount_amount: 0,
        base_unit_price: null,
        fulfillment_mode: null,
      },
      expect.objectContaining({ sku: 'PLATE', qty: 0.5, tax_amount: null }),
    ]);
    expect((await read(`/${body.receipt_id}`)).body).toEqual(body);
    expect(items).toHaveLength(2);
  });

  test('camelCase keys say the same, and an empty kind counts as absent', async () => {
    const { body } = await post({ saleId: 'camel-1', terminalId, grandTotal: '12.3400', saleType: '', items: null });
    expect(body).toMatchObject({ sale_id: 'camel-1', grand_total: 12.34, sale_type: null, items: [] });
  });

  test('a repeat answers the stored receipt, with at most a newer token and the order’s number', async () => {
    const sent = aReceipt(terminalId);
    const { body: first, headers } = await post(sent);
    expect(headers.get(replayHeader)).toBeNull();
    const [...again] = await eightAtOnce(() => post({ ...sent, grand_total: 1 }));
    for (const { status, body, headers } of again)
      expect([status, body, headers.get(replayHeader)]).toEqual([200, first, 'true']);

    const token = 'ab'.repeat(32);
    const updated = (await post({ ...sent, receipt_token: token, order_increment_id: '000000555', staff_name: 'Eve' }))
      .body;
    expect(updated).toEqual({ ...first, receipt_token: token, order_increment_id: '000000555' });
  });

  test('pos_order_id goes before sale_id', async () => {
    const first = (await post(aReceipt(terminalId, { pos_order_id: 'the-sale', sale_id: 'upload-1' }))).body;
    const second = (await post(aReceipt(terminalId, { pos_order_id: 'the-sale', sale_id: 'upload-2' }))).body;
    expect(second).toEqual(first);
    expect(first).toMatchObject({ pos_order_id: 'the-sale', sale_id: 'upload-1' });
  });

  test('the order placed next writes its number on the receipt; an order placed before is found', async () => {
    const before = aReceipt(terminalId);
    const { body: waiting } = await post(before);
    const order = await placeOrder(String(before.sale_id));
    expect(order.status).toBe(200);
    expect((await read(`/by-increment-id/${order.body.increment_id}`)).body).toEqual({
      ...waiting,
      order_increment_id: order.body.increment_id,
    });

    const after = aReceipt(terminalId);
    const earlier = await placeOrder(String(after.sale_id));
    expect((await post(after)).body.order_increment_id).toBe(earlier.body.increment_id);
  });

  test.each([
    ['none', async () => (await aTerminal(fork(), { license: 'none' })).terminalId],
    ['a free one', async () => (await aTerminal(fork(), { license: 'free' })).terminalId],
    ['one that ran out', async () => (await aTerminal(fork(), { expiresAt: new Date('2020-01-01') })).terminalId],
    [
      'a revoked one',
      async () => {
        const revoked = (await aTerminal(fork())).terminalId;
        await grantLicense(fork(), secretBox, { terminalId: revoked, type: 'none' });
        return revoked;
      },
    ],
    ['that of an unknown terminal', async () => 99_999],
    ['that of no terminal', async () => null],
  ])('without an active PRO license, with %s, it is a 401 and nothing is kept', async (_case, terminal) => {
    const receipt = aReceipt(0, { terminal_id: await terminal() });
    expect(await post(receipt)).toMatchObject({
      status: 401,
      body: { message: 'An active PRO license of the terminal is required.' },
    });
    expect(await howMany('pos_receipt', { sale_id: receipt.sale_id })).toBe(0);
  });

  test.each([
    ['no sale id', { sale_id: null }],
    ['a sale id that no order could carry', { sale_id: 's'.repeat(65) }],
    ['what is no token', { receipt_token: 'short' }],
    ['a card number', { terminal_raw_payload: '{"pan":"4111111111111111"}' }],
    ['a track', { raw_payload: ';4111111111111111=25121010000012300000?' }],
    ['a security code', { terminal_info: '{"cvv":"123"}' }],
  ])('a receipt with %s is refused in the interface’s words', async (_case, more) => {
    const { status, body } = await post(aReceipt(terminalId, more));
    expect(status).toBe(400);
    expect(body).toEqual({ message: 'Could not save the receipt: %1', parameters: [expect.any(String)] });
    expect(JSON.stringify(body)).not.toMatch(/4111|"123/);
  });

  test.each([
    ['an amount in words', { grand_total: 'lots' }, /lots.*float/],
    ['an unknown kind', { sale_type: 'gift' }, /saleType/],
    ['lines that are no list', { items: 'MUG' }, /./],
    ['too many lines', { items: Array.from({ length: 10_001 }, () => ({})) }, /10000/],
    ['a zero character', { raw_payload: 'a\u0000b' }, /cannot be stored/],
    ['half a character', { customer_name: 'a\ud800' }, /cannot be stored/],
    ['a moment beyond all time', { created_at: '300000-01-01 00:00:00' }, /./],
  ])('whatever is wrong with a receipt is said in the interface’s words: %s', async (_case, more, why) => {
    const { status, body } = await post(aReceipt(terminalId, more));
    expect([status, body.message]).toEqual([400, 'Could not save the receipt: %1']);
    expect(body.parameters[0]).toMatch(why);
  });

  test.each([
    ['no receipt', null],
    ['a text', 'receipt'],
    ['what is no terminal', { terminal_id: 'till', grand_total: 'lots' }],
  ])('without a license that is said first: %s', async (_case, receipt) => {
    expect((await post(receipt)).status).toBe(401);
  });

  test('a body that is not JSON, or larger than the limit, gets the platform’s refusal', async () => {
    const send = (body: string) => api.call('POST', '/V1/pos/receipts', { token: api.tokens.register, body });
    expect(await send('{')).toMatchObject({ status: 400, body: { message: 'Decoding error.' } });
    expect((await send(`{"receipt":{"raw_payload":"${'x'.repeat(1_100_000)}"}}`)).status).toBe(413);
  });

  test('a gift card whose number fits a card’s check digit costs no sale its receipt; in a note it is refused', async () => {
    const number = '4111111111111111';
    const sold = aReceipt(terminalId, {
      items: [{ sku: number, name: `Gift card ${number}` }],
      applied_credits: JSON.stringify([{ type: 'gift_card', code: number }]),
      raw_payload: JSON.stringify({ items: [{ sku: number, barcode: number }] }),
    });
    expect((await post(sold)).status).toBe(200);
    const noted = await post(aReceipt(terminalId, { raw_payload: JSON.stringify({ order: { note: number } }) }));
    expect(noted.body.parameters).toEqual([
      'it carries a card number in raw_payload.order.note, which must not be stored.',
    ]);
  });

  test('receipts need the resource', async () => {
    const other = await api.tokenFor('Vendor_Pos::locations');
    expect(await post(aReceipt(terminalId), other)).toMatchObject({
      status: 401,
      body: { parameters: { resources: 'Vendor_Pos::receipts' } },
    });
  });

  test('an unknown receipt is a 404 that names it', async () => {
    expect(await read('/99999')).toMatchObject({
      status: 404,
      body: { message: 'The POS receipt with id %1 does not exist.', parameters: [99_999] },
    });
    expect((await read('/by-increment-id/%25')).status).toBe(404);
  });

  test('of several receipts of one order the newest is found, and a header counts them', async () => {
    const order_increment_id = '000000800';
    await post(aReceipt(terminalId, { order_increment_id }));
    const newest = (await post(aReceipt(terminalId, { order_increment_id, sale_type: 'refund', grand_total: -8 })))
      .body;
    const { body, headers } = await read('/by-increment-id/000000800');

    expect(body).toEqual(newest);
    expect(body.grand_total).toBe(-8);
    expect(headers.get('x-receipt-count')).toBe('2');
  });

  test('receipts are listed by the interface’s filters, each with its lines', async () => {
    const by = (field: string, value: string, condition = 'eq') =>
      read(
        `?searchCriteria[filter_groups][0][filters][0][field]=${field}` +
          `&searchCriteria[filter_groups][0][filters][0][value]=${encodeURIComponent(value)}` +
          `&searchCriteria[filter_groups][0][filters][0][condition_type]=${condition}`,
      );
    const till = await aTerminal(fork(), { locationId });
    await post(aReceipt(till.terminalId, { location_id: 42, created_at: '2031-01-01T10:00:00+02:00' }));
    await post(aReceipt(till.terminalId, { location_id: 42, sale_type: 'exchange', items: [] }));

    const { body } = await by('terminal_id', String(till.terminalId));
    expect(Object.keys(body)).toEqual(['items', 'search_criteria', 'total_count']);
    expect(body.total_count).toBe(2);
    expect(body.items.map((receipt: { items: unknown[] }) => receipt.items.length)).toEqual([2, 0]);
    expect(body.items[0].created_at).toBe('2031-01-01 08:00:00');
    expect((await by('location_id', '42')).body.total_count).toBe(2);
    expect((await by('sale_type', 'exchange')).body.total_count).toBe(1);
    expect((await by('created_at', '2030-01-01', 'gteq')).body.total_count).toBe(1);
    expect((await by('order_increment_id', '000000800')).body.total_count).toBe(2);
    expect(await by('sealed_token', 'v1%', 'like')).toMatchObject({
      status: 400,
      body: { message: 'Invalid attribute name: %1', parameters: ['sealed_token'] },
    });
  });
});

describe('email receipt', () => {
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
});

describe('receipt fields', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  let terminalId: number;

  beforeAll(async () => {
    const { locationId } = await aShop(api.orm.em.fork());
    ({ terminalId } = await aTerminal(api.orm.em.fork(), { locationId }));
  });

  const post = (receipt: unknown) =>
    api.call('POST', '/V1/pos/receipts', { token: api.tokens.register, body: { receipt } });
  const read = (path: string) => api.call('GET', `/V1/pos/receipts${path}`, { token: api.tokens.register });

  /** Every field of spec 2.14 that a register sends, each with a value of its own. */
  const everyField = () => ({
    ...aReceipt(terminalId),
    pos_order_id: 'every-field',
    staff_id: 7,
    terminal_name: 'Till 1',
    location_name: 'Harbor Street',
    order_increment_id: '000000777',
    receipt_token: '7'.repeat(64),
    items: [
      {
        sku: 'MUG',
        name: 'Mug',
        qty: 1.5,
        price: 50,
        row_total: 75,
        tax_amount: 6,
        discount_amount: 1,
        base_unit_price: 55,
        fulfillment_mode: 'ship',
      },
    ],
    raw_payload: '{ "kept" :  "byte for byte", "é": 1.50 }',
    receipt_model: '{"schema_version": 1,\n "header": {}}',
    sale_type: 'refund',
    credit_memo_id: 11,
    rma_id: 12,
    original_order_increment_id: '000000700',
    shipping_refund: 1.25,
    adjustment_positive: 2.5,
    adjustment_negative: 3.75,
    layaway_kind: 'credit_due',
    layaway_amount_captured: 10,
    layaway_total_paid: 20,
    layaway_balance_owed: 30,
    layaway_expires_at: '2026-12-23 12:00:00',
    split_payments: '[{"method":"cash","amount":10}]',
    ship_to_shipments: '[{"name":"Grace"}]',
    backorder_shipments: '[{"name":"Ada"}]',
    applied_credits: '[{"type":"gift_card","amount":1}]',
    terminal_provider: 'provider_a',
    terminal_payment_id: 'pay_1',
    terminal_dashboard_url: 'https://dashboard.example/pay_1',
    terminal_info: '{"card_brand":"Visa"}',
    terminal_raw_payload: '{"status":"ok"}',
    is_reverse_charge: true,
    points_earned: 12,
    customer_name: 'Grace Hopper',
    customer_email: 'grace@example.com',
  });

  test('every field of a receipt comes back as it was sent, and texts byte for byte', async () => {
    const sent = everyField();
    const { status, body } = await post(sent);
    expect(status).toBe(200);
    expect(body).toEqual({ ...sent, receipt_id: expect.any(Number) });
    expect((await read(`/${body.receipt_id}`)).body).toEqual(body);
  });

  test.each(['deposit', 'top_up', 'settlement', 'credit_due'])('a payment of the kind %s is kept', async (kind) => {
    expect((await post(aReceipt(terminalId, { layaway_kind: kind }))).body.layaway_kind).toBe(kind);
  });

  test('a till may read and sync as often as it likes', async () => {
    const sent = aReceipt(terminalId);
    const { body } = await post(sent);
    const reads = await atOnce(25, () => read(`/${body.receipt_id}`));
    const syncs = await atOnce(25, () => post(sent));
    expect(new Set([...reads, ...syncs].map(({ status }) => status))).toEqual(new Set([200]));
  });
});
