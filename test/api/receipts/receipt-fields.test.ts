import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aReceipt, aTerminal, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { atOnce } from '../../support/rivals.ts';

let api: TestApi;
let terminalId: number;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  const { locationId } = await aShop(api.orm.em.fork());
  ({ terminalId } = await aTerminal(api.orm.em.fork(), { locationId }));
});
afterAll(() => api.close());

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
