import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../books/verify/verify.ts';
import { addPoints } from '../../cli/add-points.ts';
import { eraseCustomerData, exportCustomer } from '../../cli/customer-data.ts';
import { createOrm } from '../../db/orm.ts';
import { seedDemoShop } from '../../local/demo-shop/seed.ts';
import { booksOf } from '../support/books.ts';
import { everyWord } from '../support/books/every-word.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await seedDemoShop(orm, Buffer.alloc(32, 7).toString('base64'));
});
afterAll(() => orm.close());

const books = booksOf(() => orm);
const { fork, find, findOne, howMany, change, insert, remove } = books;
const shop = () => commandContextOf(orm);
const walter = 'walter@demo.example';
const idOf = async (email: string): Promise<number> => (await findOne('customer', { email }))['id'];

/** Walter has bought, ships to his street, and has a receipt with his name in three places. */
async function aSaleOfWalter(): Promise<{ orderId: number; receiptId: number }> {
  const [order] = await find('sales_order', { customer_email: walter }, 'entity_id', 'increment_id');
  const { entity_id: orderId, increment_id: number } = order!;
  await change(
    'sales_order',
    { entity_id: orderId },
    { customer_email: walter, customer_firstname: 'Walter', customer_lastname: 'White' },
  );
  await change(
    'sales_order_address',
    { order_id: orderId },
    { firstname: 'Walter', lastname: 'White', street: '["308 Negra Arroyo Lane"]' },
  );
  const [receipt] = await find('pos_receipt', {}, 'receipt_id');
  const papers = {
    ...{ order_increment_id: number, customer_name: 'Walter White', customer_email: walter },
    raw_payload: JSON.stringify({ customer_name: 'Walter White', items: [{ name: 'Mug', qty: 1 }] }),
    ship_to_shipments: JSON.stringify([
      { name: 'Walter White', street: ['308 Negra Arroyo Lane'], items: [{ name: 'Mug', qty: 1 }] },
    ]),
  };
  if (receipt) await change('pos_receipt', { receipt_id: receipt['receipt_id'] }, papers);
  else
    await insert('pos_receipt', {
      pos_order_id: 'sale-of-walter',
      token_digest: 'd'.repeat(64),
      sealed_token: 'sealed',
      ...papers,
    });
  const [{ receipt_id: receiptId } = { receipt_id: 0 }] = await find(
    'pos_receipt',
    { customer_email: walter },
    'receipt_id',
  );
  return { orderId, receiptId };
}

test('a customer gets all that the shop has about them, and no secret', async () => {
  await aSaleOfWalter();
  const { text, json } = await exportCustomer(shop(), walter);
  const data = json as Record<string, Record<string, unknown>[]>;

  expect(data['account']).toMatchObject([{ email: walter, firstname: 'Walter' }]);
  expect(data['orders']).toMatchObject([{ customer_lastname: 'White' }]);
  expect(data['order_addresses']?.[0]).toMatchObject({ street: ['308 Negra Arroyo Lane'] });
  expect(data['receipts']).toMatchObject([{ customer_name: 'Walter White' }]);
  expect(text).not.toMatch(/password_hash|\$2[aby]\$|sealed_token|token_digest/);
});

test('an erased customer is nowhere in the shop; the order, its figures and its receipt are', async () => {
  const { orderId, receiptId } = await aSaleOfWalter();
  const before = await findOne('sales_order', { entity_id: orderId });
  const id = await idOf(walter);
  // Points are still to be given for the order.
  await expect(eraseCustomerData(shop(), walter)).rejects.toMatchObject({ status: 400 });
  await remove('reward_points_due', {});
  const { text } = await eraseCustomerData(shop(), walter);

  expect(text).toBe('The account is deleted. 1 orders and 1 receipts lost their names and stay with their figures.');
  expect(await howMany('customer', { id })).toBe(0);
  expect((await everyWord(books)).match(/walter@|Walter|Negra/)).toBeNull();
  const after = await findOne('sales_order', { entity_id: orderId });
  expect([after['grand_total'], after['increment_id'], after['customer_email']]).toEqual([
    before['grand_total'],
    before['increment_id'],
    `erased-${id}@erased.invalid`,
  ]);
  expect(JSON.parse((await findOne('pos_receipt', { receipt_id: receiptId }))['raw_payload'])).toEqual({
    customer_name: null,
    items: [{ name: 'Mug', qty: 1 }],
  });
  expect(await howMany('pos_audit_log', { entity_type: 'customer', entity_id: String(id), new_value: 'erased' })).toBe(
    1,
  );
  expect(await verify(fork())).toEqual([]);
});

test('who still has credit is not erased, and who had some keeps the ledger without a name', async () => {
  const grace = 'grace@demo.example';
  const id = await idOf(grace);
  await expect(eraseCustomerData(shop(), String(id))).rejects.toMatchObject({ status: 400 });
  expect(await howMany('customer', { email: grace })).toBe(1);

  const chloe = String(await idOf('chloe@demo.example'));
  for (const points of ['5', '-5']) await addPoints(shop(), { customer: chloe, points });
  await remove('reward_points_due', {});
  const { text } = await eraseCustomerData(shop(), 'CHLOE@demo.example');
  expect(text).toMatch(/^The account stays without a name/);
  expect((await everyWord(books)).match(/chloe@|Chloé/i)).toBeNull();
});

test('nobody is nobody', async () => {
  await expect(exportCustomer(shop(), 'nobody@demo.example')).rejects.toMatchObject({ status: 404 });
  await expect(eraseCustomerData(shop(), '4711')).rejects.toMatchObject({ status: 404 });
});
