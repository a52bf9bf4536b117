import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteProduct } from '../../../../db/platform/catalog/products.ts';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { reserve } from '../../../../db/platform/inventory/move-stock.ts';
import { prepareOrder } from '../../../../db/platform/orders/prepare-order.ts';
import { money, pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { hold } from '../../../support/books/held.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { useDatabase } from '../../../support/fixtures.ts';

const orm = useDatabase();
beforeAll(() => aShop(fork()));

let sku: string;
let made = 0;
beforeEach(async () => {
  sku = `CUP-${++made}`;
  await aProduct(sku);
});

const { fork, find, howMany } = booksOf(() => orm);

async function aProduct(sku: string): Promise<void> {
  const em = fork();
  em.create(Product, { attributeSetId: 4, sku, name: 'Cup', price: money('10'), websiteIds: [1] });
  await em.flush();
}

test.each<[string, (tx: EntityManager) => Promise<unknown>]>([
  ['being placed', (tx) => prepareOrder(tx, { storeId: 1, incrementId: undefined, skus: [sku] })],
  [
    'being changed',
    (tx) => reserve(tx, { orderId: 7, storeId: 1, eventType: 'order_placed', lines: [{ sku, qty: pieces(-1) }] }),
  ],
])('a product of an order that is %s cannot go before the order is saved', async (_what, promise) => {
  const deletes = fork();
  await fork().transactional(async (tx) => {
    await promise(tx);
    const taken = deletes.transactional((other) => hold(other, 'product', { sku }, { waits: false }));
    await expect(taken).rejects.toThrow('could not obtain lock');
  });
});

test('orders and deletions at once leave no promise of a product that is gone', async () => {
  const skus = Array.from({ length: 12 }, (_, at) => `PLATE-${at}`);
  for (const one of skus) await aProduct(one);
  await Promise.allSettled(
    skus.flatMap((one) => [
      anOrder(fork(), { paid: false, shipped: false, lines: [{ sku: one, qty: 1, price: '10' }] }),
      deleteProduct(fork(), one),
    ]),
  );
  const orphans = [];
  for (const one of skus) {
    const promises = await find('inventory_reservation', { sku: one }, 'quantity');
    const promised = promises.reduce((sum, { quantity }) => sum + Number(quantity), 0);
    if (promised !== 0 && (await howMany('product', { sku: one })) === 0) orphans.push(one);
  }
  expect(orphans).toEqual([]);
});
