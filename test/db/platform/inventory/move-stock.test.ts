import { beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { deductFromSource } from '../../../../db/platform/inventory/source-items.ts';
import { moveStock, reserve } from '../../../../db/platform/inventory/move-stock.ts';
import { pieces } from '../../../../domain/money.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

const orm = useDatabase();
beforeAll(async () => {
  await aShop(fork());
  await insert('product', { sku: 'VASE', name: 'Vase', price: 1, min_qty: 2 });
});

const { promised, fork, change, insert, find } = booksOf(() => orm);

const item = async (sku: string, sourceCode = 'floor') =>
  (await find('inventory_source_item', { sku, source_code: sourceCode }, 'quantity', 'status'))[0];
const inTransaction = (work: (em: MikroORM['em']) => Promise<unknown>) =>
  fork().transactional((em) => work(em as MikroORM['em']));

test('goods arrive where they never lay before, run out at the threshold and come back above it', async () => {
  await inTransaction((em) => moveStock(em, [{ sku: 'VASE', sourceCode: 'damaged', qty: pieces(3) }]));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '3.0000', status: 1 });
  await inTransaction((em) => deductFromSource(em, { sku: 'VASE', sourceCode: 'damaged', qty: pieces(1) }));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '2.0000', status: 0 });
  await inTransaction((em) => moveStock(em, [{ sku: 'VASE', sourceCode: 'damaged', qty: pieces(1) }]));
  expect(await item('VASE', 'damaged')).toEqual({ quantity: '3.0000', status: 1 });
});

test('eight arrivals at once all count, the first one makes the place', async () => {
  await eightAtOnce(() =>
    inTransaction((em) => moveStock(em, [{ sku: 'PLATE', sourceCode: 'damaged', qty: pieces(1) }])),
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

test('an unknown source is refused, and goods without stock management are passed over', async () => {
  await expect(
    inTransaction((em) => moveStock(em, [{ sku: 'MUG', sourceCode: 'nowhere', qty: pieces(1) }])),
  ).rejects.toMatchObject({ status: 400, parameters: { value: 'nowhere' } });
  await inTransaction((em) => deductFromSource(em, { sku: 'GIFTWRAP', sourceCode: 'floor', qty: pieces(1) }));
  await inTransaction((em) => moveStock(em, [{ sku: 'UNKNOWN', sourceCode: 'floor', qty: pieces(1) }]));
  expect(await item('UNKNOWN')).toBeUndefined();
});

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
  expect(await promised(orderId)).toBe(-1);
  await change('product', { sku: 'MUG' }, { manage_stock: false });
  await giveBack(5);
  expect(await promised(orderId)).toBe(0);
  await change('product', { sku: 'MUG' }, { manage_stock: true });
  await giveBack(1);
  expect(await promised(orderId)).toBe(0);
});
