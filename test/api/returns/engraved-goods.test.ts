import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { ownAttributes } from '../../support/attribute-token.ts';
import { aCup, type Cup } from '../../support/builders/cup.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { booksOf } from '../../support/books.ts';
import { flow, opensACounter, register } from './settled-returns.ts';

/** A cup that was engraved: its line has the SKU of the engraving too, and its goods are those of the cup. */
opensACounter();
const { shelf, promised, booksHold, find } = booksOf(() => flow.api.orm);
const admin = (method: string, path: string, body?: object) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body ? { body } : {}) });
const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
const inBoth = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );

let cup: Cup;
let productId: number;
beforeAll(async () => {
  cup = await aCup(flow.api);
  productId = (await admin('GET', '/V1/products/CUP')).body.id;
});

/** Four cups at 50 and 8 % tax, posted by the register as it worked them out. */
async function soldCups(line: object = {}, method = 'checkmo') {
  const money = inBoth({ price: 50, row_total: 200, tax_amount: 16, row_total_incl_tax: 216 });
  const product_option = cup.enter({ engraving: 'For Ada', glaze: ['Gold'] });
  const sold = { ...money, sku: 'CUP-ENGR-GOLD', product_id: productId, qty_ordered: 4, product_option, ...line };
  const entity = aPostedSale({
    ...inBoth({ subtotal: 200, tax_amount: 16, subtotal_incl_tax: 216, grand_total: 216 }),
    ...{ customer_id: null, customer_is_guest: 1, items: [aPostedLine(sold)] },
    payment: { method, last_trans_id: `pay_${randomUUID()}`, ...inBoth({ amount_ordered: 216 }) },
  });
  const { status, body } = await register.call('PUT', '/V1/orders/create', { entity });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { orderId: Number(body.entity_id), itemId: Number(body.items[0].item_id), sold: body.items[0] };
}

async function handedOver(method?: string) {
  const sale = await soldCups({}, method);
  await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
  return sale;
}

test('a register’s line keeps its SKU and what was entered, and promises the cups', async () => {
  const { orderId, sold } = await soldCups();
  expect(sold).toMatchObject({
    sku: 'CUP-ENGR-GOLD',
    product_option: { extension_attributes: { custom_options: [{}, {}] } },
  });
  expect(await promised(orderId)).toBe(-4);
});

test('a line without options, or under the SKU of a product of its own, goes by that SKU', async () => {
  const plain = await soldCups({ product_option: null });
  const other = await soldCups({ sku: 'MUG' });
  const [promise] = await find('inventory_reservation', { order_id: other.orderId }, 'sku');
  expect([await promised(plain.orderId), promise]).toEqual([0, { sku: 'MUG' }]);
  const unknown = await soldCups({ product_id: 999_999 });
  expect(await promised(unknown.orderId)).toBe(0);
});

test('engraved cups come back by card, by hand and in one call, to the shelf of the cups', async () => {
  const before = await shelf('CUP');
  const sale = await handedOver('provider_a');
  expect(await shelf('CUP')).toBe(before - 4);
  const good = { inspected_condition: 'pristine' };
  const byCard = await register.returnOne(sale, { refundMethod: 'original_payment' }, good);
  expect(byCard).toMatchObject({ status: 200, body: { status: 'closed', items: [{ product_sku: 'CUP-ENGR-GOLD' }] } });
  const byHand = await register.returnOne(sale, { refundMethod: 'cash' }, good);
  for (const _time of [1, 2])
    expect(await register.settle(byHand.body.id, { method: 'cash' })).toMatchObject({ body: { status: 'closed' } });
  expect(await shelf('CUP')).toBe(before - 2);
  const rest = JSON.stringify([{ order_item_id: sale.itemId, qty: 2 }]);
  const atOnce = { orderId: sale.orderId, items: rest, resolution: 'refund', isOnline: false };
  expect(await register.call('POST', '/V1/pos/rma/process', atOnce)).toMatchObject({ status: 200 });
  expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 216, state: 'closed' });
  await booksHold();
});

test('a damaged cup lies with the damaged ones, and leaves them when its buyer keeps it', async () => {
  const sale = await handedOver();
  const before = { floor: await shelf('CUP'), damaged: (await shelf('CUP', 'damaged')) ?? 0 };
  const back = await register.returnOne(sale, { refundMethod: 'cash' }, { inspected_condition: 'damaged' });
  expect(await shelf('CUP', 'damaged')).toBe(before.damaged + 1);
  const close = () => register.call('POST', `/V1/pos/rma/${back.body.id}/close`, { comment: 'Ann keeps it' });
  expect(await close()).toMatchObject({ status: 200, body: { status: 'closed' } });
  await close();
  expect([await shelf('CUP'), await shelf('CUP', 'damaged')]).toEqual([before.floor, before.damaged]);
  await booksHold();
});

test('a cup that cannot be returned by its product cannot be returned engraved', async () => {
  await ownAttributes(flow.api, { is_returnable: 'boolean' });
  const custom_attributes = [{ attribute_code: 'is_returnable', value: '0' }];
  await admin('PUT', '/V1/products/CUP', { product: { custom_attributes } });
  const sale = await handedOver();
  const { body } = await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`);
  expect(body.lines).toMatchObject([{ outcome: 'forbidden', reason_code: 'not_returnable' }]);
});
