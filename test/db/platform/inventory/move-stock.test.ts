import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { deductFromSource } from '../../../../db/platform/inventory/deduct-from-source.ts';
import { moveStock } from '../../../../db/platform/inventory/move-stock.ts';
import { reserve } from '../../../../db/platform/inventory/reserve.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { testDatabase } from '../../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
  await orm.em.fork().execute(`insert into product (sku, name, price, min_qty) values ('VASE', 'Vase', 1, 2)`);
});
afterAll(() => orm.close());

const item = async (sku: string, sourceCode = 'floor') =>
  (
    await orm.em
      .fork()
      .execute('select quantity, status from inventory_source_item where sku = ? and source_code = ?', [
        sku,
        sourceCode,
      ])
  )[0];
const inTransaction = (work: (em: MikroORM['em']) => Promise<void>) =>
  orm.em.fork().transactional((em) => work(em as MikroORM['em']));

test('goods arrive where they never lay before, run out at the threshold and come back above it', async () => {
  await inTransaction((em) => moveStock(em, [{ sku: 'VASE', sourceCode: 'damaged', qty: pieces(3) }]));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '3.0000', status: 1 });
  await inTransaction((em) => deductFromSource(em, { sku: 'VASE', sourceCode: 'damaged', qty: pieces(1) }));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '2.0000', status: 0 });
  await inTransaction((em) => moveStock(em, [{ sku: 'VASE', sourceCode: 'damaged', qty: pieces(1) }]));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '3.0000', status: 1 });
});

test('eight arrivals at once all count, the first one makes the place', async () => {
  await Promise.all(
    Array.from({ length: 8 }, () =>
      inTransaction((em) => moveStock(em, [{ sku: 'PLATE', sourceCode: 'damaged', qty: pieces(1) }])),
    ),
  );
  expect(await item('PLATE', 'damaged')).toEqual({ quantity: '8.0000', status: 1 });
});

test('several moves of one product at one source are one', async () => {
  const move = { sku: 'MUG', sourceCode: 'floor', qty: pieces(60) };
  await expect(inTransaction((em) => deductFromSource(em, move, move))).rejects.toMatchObject({ status: 400 });
  await inTransaction((em) => deductFromSource(em, { ...move, qty: pieces(60) }, { ...move, qty: pieces(40) }));
  expect(await item('MUG')).toEqual({ quantity: '0.0000', status: 0 });
  await inTransaction((em) => moveStock(em, [{ ...move, qty: pieces(100) }]));
});

test('a source nobody knows is refused, goods nobody manages are passed over', async () => {
  await expect(
    inTransaction((em) => moveStock(em, [{ sku: 'MUG', sourceCode: 'nowhere', qty: pieces(1) }])),
  ).rejects.toMatchObject({ status: 400, parameters: { value: 'nowhere' } });
  await inTransaction((em) => deductFromSource(em, { sku: 'GIFTWRAP', sourceCode: 'floor', qty: pieces(1) }));
  await inTransaction((em) => moveStock(em, [{ sku: 'UNKNOWN', sourceCode: 'floor', qty: pieces(1) }]));
  expect(await item('UNKNOWN')).toBeUndefined();
});

const promised = async (orderId: number) =>
  (
    await orm.em
      .fork()
      .execute<{ sum: string }[]>('select sum(quantity) as sum from inventory_reservation where order_id = ?', [
        orderId,
      ])
  )[0]?.sum;

test('no more is given back than is still promised, whatever became of the product', async () => {
  const { orderId } = await anOrder(orm.em, { paid: false, shipped: false });
  const giveBack = (count: number) =>
    inTransaction((em) =>
      reserve(em, {
        orderId,
        storeId: 1,
        eventType: 'creditmemo_created',
        lines: [{ sku: 'MUG', qty: pieces(count) }],
      }),
    );
  await giveBack(1);
  expect(await promised(orderId)).toBe('-1.0000');
  await orm.em.fork().execute(`update product set manage_stock = false where sku = 'MUG'`);
  await giveBack(5);
  expect(await promised(orderId)).toBe('0.0000');
  await orm.em.fork().execute(`update product set manage_stock = true where sku = 'MUG'`);
  await giveBack(1);
  expect(await promised(orderId)).toBe('0.0000');
});
