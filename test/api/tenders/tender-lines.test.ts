import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';

let flow: Flow;
let register: Register;

beforeAll(async () => {
  flow = await aFlow({ gatewayTimeoutSeconds: 2 });
  register = aRegister(flow);
});
afterAll(() => flow.close());

const admin = (method: string, path: string, body?: unknown) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body === undefined ? {} : { body }) });

const posted = (posTenders: unknown, more: object = {}, extension: object = {}) =>
  admin('POST', '/V1/orders', {
    entity: aPostedSale({
      payment: { method: 'provider_a', last_trans_id: `pay_${randomUUID()}` },
      extension_attributes: { pos_sale_id: randomUUID(), pos_tenders: posTenders, ...extension },
      ...more,
    }),
  });

async function sold(posTenders: unknown, extension: object = {}) {
  const { body } = await posted(posTenders, {}, extension);
  await admin('POST', `/V1/order/${body.entity_id}/invoice`, { capture: true });
  return {
    orderId: body.entity_id as number,
    itemId: body.items[0].item_id as number,
    number: body.increment_id as string,
    body,
  };
}

const previewOf = async ({ orderId, itemId }: { orderId: number; itemId: number }, qty = 1, more: object = {}) =>
  (
    await register.call('POST', '/V1/pos/refunds/preview', {
      orderId,
      items: JSON.stringify([{ order_item_id: itemId, qty }]),
      ...more,
    })
  ).body;

const shown = (lines: Record<string, unknown>[]) =>
  lines.map(({ method, payment_method, source, paid, proposed }) => [method, payment_method, source, paid, proposed]);

describe('what each tender of a sale took', () => {
  test('tenders sent with the sale are the lines of its preview: cards are filled first, then cash', async () => {
    const sale = await sold([
      { method: 'cash', amount: 58 },
      { method: 'provider_a', amount: 30, payment_id: 'pay_one' },
      { method: 'provider_a', amount: 20, payment_id: 'pay_two' },
    ]);
    const preview = await previewOf(sale);
    expect(preview.handback).toBe(54);
    expect(preview.tender_lines.map((line: { line_id: number }) => line.line_id)).toEqual([1, 2, 3]);
    expect(preview.tender_lines.map((line: { payment_id: string }) => line.payment_id)).toEqual([
      null,
      'pay_one',
      'pay_two',
    ]);
    expect(shown(preview.tender_lines)).toEqual([
      ['cash', 'cash', 'pos_tenders', 58, 4],
      ['original_payment', 'provider_a', 'pos_tenders', 30, 30],
      ['original_payment', 'provider_a', 'pos_tenders', 20, 20],
    ]);
    expect(sale.body.extension_attributes.pos_tenders).toHaveLength(3);
  });

  test('a sum that is not the order’s total less its due is refused with both figures', async () => {
    const refused = await posted([{ method: 'cash', amount: 100 }]);
    expect(refused).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'pos_tenders_differ', sum: '100', expected: '108' } },
    });
    expect((await posted([{ method: 'cash', amount: 100 }], {}, { pos_credit_due: 8 })).status).toBe(200);
    expect((await posted([{ method: 'cash', amount: -8 }])).status).toBe(400);
    expect((await posted([])).status).toBe(400);
  });

  test.each([
    ['POST', '/V1/orders'],
    ['PUT', '/V1/orders/create'],
  ])('%s %s takes no tenders of a layaway, whose payments have their own methods', async (method, path) => {
    const post = (more: object, extension: object) =>
      admin(method, path, {
        entity: aPostedSale({
          ...more,
          extension_attributes: {
            pos_sale_id: randomUUID(),
            pos_tenders: [{ method: 'cash', amount: 10 }],
            ...extension,
          },
        }),
      });
    const layaway = { state: 'pending_payment', status: 'pending_payment' };
    expect(await post(layaway, { pos_layaway_status: 'open', pos_layaway_deposit_amount: 0 })).toMatchObject({
      status: 400,
      body: { message: 'A layaway has no pos_tenders: each payment has its own method.' },
    });
    expect((await post({}, {})).body.parameters.outcome).toBe('pos_tenders_differ');
  });

  test('the tenders of a sale never change', async () => {
    const sale = await sold([{ method: 'cash', amount: 108 }]);
    const save = (posTenders: unknown) =>
      admin('POST', '/V1/orders', {
        entity: { entity_id: sale.orderId, extension_attributes: { pos_tenders: posTenders } },
      });
    expect((await save([{ method: 'cash', amount: 108 }])).status).toBe(200);
    expect((await save([{ method: 'provider_a', amount: 108 }])).status).toBe(400);
    const other = await sold(undefined);
    const late = await admin('POST', '/V1/orders', {
      entity: { entity_id: other.orderId, extension_attributes: { pos_tenders: [{ method: 'cash', amount: 108 }] } },
    });
    expect(late.status).toBe(400);
  });

  test.each([
    [
      'parts that fit',
      '[{"method":"card","amount":"58.00"},{"method":"cash","amount":50}]',
      0,
      ['original_payment', 'cash'],
    ],
    [
      'cash with its change',
      '[{"method":"card","amount":58},{"method":"cash","amount":60}]',
      10,
      ['original_payment', 'cash'],
    ],
    ['another sum', '[{"method":"card","amount":58},{"method":"cash","amount":60}]', 0, ['original_payment']],
    ['what cannot be read', '[{"method":"card","amount":"much"}]', 0, ['original_payment']],
  ])('the receipt names the tenders: %s', async (_case, split, change, methods) => {
    const sale = await sold(undefined);
    await aBareReceipt(flow.api.orm, {
      order_increment_id: sale.number,
      split_payments: split,
      change_due: change,
      grand_total: 108,
    });
    const { tender_lines: lines } = await previewOf(sale);
    expect(lines.map((line: { method: string }) => line.method)).toEqual(methods);
    expect(lines.reduce((sum: number, line: { paid: number }) => sum + line.paid, 0)).toBe(108);
    expect(lines[0]).toMatchObject({
      payment_method: 'provider_a',
      payment_id: expect.stringMatching(/^pay_/),
      source: methods.length > 1 ? 'split_payments' : 'order_payment',
    });
  });

  test('what went back lowers what a tender can give back; with store credit no tender gives any', async () => {
    const sale = await register.sale('50.00', {});
    const { body: rma } = await register.returnOne(sale, { refundMethod: 'original_payment' });
    expect(rma.status).toBe('closed');
    const preview = await previewOf(sale);
    expect(preview.tender_lines).toMatchObject([
      { method: 'original_payment', paid: 100, refunded: 50, available: 50, proposed: 50 },
    ]);
    expect((await previewOf(sale, 1, { channel: 'store_credit' })).tender_lines).toMatchObject([{ proposed: 0 }]);
  });
});
