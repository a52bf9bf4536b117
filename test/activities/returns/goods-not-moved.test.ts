import { afterEach, expect, test } from '@jest/globals';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { deleteProduct } from '../../../db/platform/catalog/products.ts';
import { deleteSourceItems, setSourceItems, transferStock } from '../../../db/platform/inventory/source-items.ts';
import { readReturned } from '../../../db/returns/read-returned.ts';
import { pieces, zero } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import { aReturn, aReturnReceived, aSale, brokenRules, close, opensAShelf, orm, settle } from './goods-on-the-shelf.ts';

/** Goods whose product, source or stock management changed between the sale and its return. */

opensAShelf();

const { change, find, fork, insert, insertAll, itemsOf, promised, remove, shelf, storyOf } = booksOf(() => orm);
const manage = (manage_stock: boolean) => change('product', { sku: 'MUG' }, { manage_stock });
async function movementsOf(returnId: number) {
  const lines = await itemsOf(returnId, 'entity_id');
  const which = { return_item_id: lines.map((line) => Number(line['entity_id'])) };
  const found = await find('sale_return_movement', which, 'kind', 'source_code', 'quantity', 'stock_change');
  return found.map((row) => ({
    ...row,
    quantity: Number(row['quantity']),
    stock_change: Number(row['stock_change']),
  }));
}
const commentsOf = async (returnId: number) =>
  (await find('sale_return_comment', { return_id: returnId }, 'comment')).map(({ comment }) => String(comment));
const product = async () => (await find('product', { sku: 'MUG' }))[0]!;

/** Deletes the mug, and has it again after the work. */
async function withoutMug(work: () => Promise<void>): Promise<void> {
  const before = await product();
  await remove('inventory_reservation');
  await deleteProduct(fork(), 'MUG');
  await work();
  await insertAll('product', [before]);
  await setSourceItems(fork(), [{ sku: 'MUG', sourceCode: 'floor', quantity: pieces(1_000), status: 1 }]);
}

afterEach(async () => {
  await manage(true);
  expect((await brokenRules()).filter(({ id }) => !id.startsWith('I-30'))).toEqual([]);
});

const notManaged = (count: number) => `${count} of MUG not put into stock: its stock is not managed.`;
const deleted = (count: number) => `${count} of MUG not put into stock: the product no longer exists.`;

test('a return of a deleted product is received into no stock, and its history says why', async () => {
  const sale = await aSale(3);
  await withoutMug(async () => {
    const returnId = await aReturn(sale, 2, true);

    expect(await movementsOf(returnId)).toEqual([
      { kind: 'received', source_code: null, quantity: 2, stock_change: 0 },
    ]);
    expect(await commentsOf(returnId)).toContain(deleted(2));
    expect(await find('inventory_source_item', { sku: 'MUG' })).toEqual([]);
    await close(returnId);
    expect(await find('inventory_source_item', { sku: 'MUG' })).toEqual([]);
  });
});

test('a product that is deleted after the receipt leaves nothing to hand back', async () => {
  const sale = await aSale(3);
  const returnId = await aReturn(sale, 2, true);
  expect(await movementsOf(returnId)).toMatchObject([{ source_code: 'floor', stock_change: 2 }]);
  await withoutMug(async () => {
    await close(returnId);

    expect((await movementsOf(returnId))[1]).toEqual({
      ...{ kind: 'closed', source_code: 'floor', quantity: 0, stock_change: 0 },
    });
    expect(await commentsOf(returnId)).toContain('2 of MUG no longer lay at "floor"; 0 went out.');
  });
});

test('stock that is not managed at the receipt takes in nothing, and a close with managed stock takes out nothing', async () => {
  const sale = await aSale(3);
  const before = await shelf();
  await manage(false);
  const returnId = await aReturn(sale, 2, true);
  expect(await movementsOf(returnId)).toMatchObject([{ source_code: null, stock_change: 0 }]);
  expect(await commentsOf(returnId)).toContain(notManaged(2));
  await manage(true);

  await close(returnId);

  expect(await shelf()).toBe(before);
  expect(await movementsOf(returnId)).toMatchObject([{}, { kind: 'closed', source_code: null, stock_change: 0 }]);
});

test('a close takes out what the receipt put in, also when the stock is no longer managed', async () => {
  const sale = await aSale(3);
  const before = await shelf();
  const returnId = await aReturn(sale, 2, true);
  expect(await shelf()).toBe(before + 2);
  await manage(false);

  await close(returnId);

  expect(await shelf()).toBe(before);
  expect(await movementsOf(returnId)).toMatchObject([{}, { source_code: 'floor', quantity: 2, stock_change: -2 }]);
});

test('pieces never handed over are no longer reserved after a return, whether or not their stock is managed', async () => {
  const sale = await aSale(0);
  const before = await shelf();
  await manage(false);

  await settle(await aReturn(sale, 3, true));

  expect([await shelf(), await promised(sale.orderId)]).toEqual([before, 0]);
});

test('a source that no longer lists the product lists it again, and a disabled one takes it in as well', async () => {
  const sale = await aSale(3);
  const rest = await shelf();
  await deleteSourceItems(fork(), [{ sku: 'MUG', sourceCode: 'floor' }]);
  await change('inventory_source', { source_code: 'floor' }, { is_enabled: false });

  const returnId = await aReturn(sale, 1, true);

  expect(await shelf()).toBe(1);
  expect(await movementsOf(returnId)).toMatchObject([{ source_code: 'floor', stock_change: 1 }]);
  await change('inventory_source', { source_code: 'floor' }, { is_enabled: true });
  await close(returnId);
  expect(await shelf()).toBe(0);
  await setSourceItems(fork(), [{ sku: 'MUG', sourceCode: 'floor', quantity: pieces(rest), status: 1 }]);
});

test('a product that changed its type is put into stock by its row', async () => {
  const sale = await aSale(3);
  const before = await shelf();
  await change('product', { sku: 'MUG' }, { type_id: 'virtual' });

  const returnId = await aReturn(sale, 1, true);

  expect(await shelf()).toBe(before + 1);
  expect(await movementsOf(returnId)).toMatchObject([{ source_code: 'floor', stock_change: 1 }]);
  await change('product', { sku: 'MUG' }, { type_id: 'simple' });
});

test('damaged pieces that were never handed over leave their shelf as far as they are there, and the movement says so', async () => {
  const sale = await aSale(0);
  const before = await shelf();
  await change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity: 1 });

  const returnId = await aReturnReceived(sale, 2, { inspection: 'dispose' });

  expect(await shelf()).toBe(0);
  expect(
    await find('sale_return_movement', { origin_source_code: 'floor', kind: 'received' }, 'origin_change'),
  ).toEqual([{ origin_change: '-1.0000' }]);
  expect(await commentsOf(returnId)).toContain('1 of MUG not written off: no longer in stock.');
  await change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity: before });
});

const refund = (
  { orderId, itemId }: { orderId: number; itemId: number },
  { count, isToStock }: { count: number; isToStock: boolean },
) =>
  refundOrder(fork(), {
    orderId,
    items: [{ orderItemId: itemId, qty: pieces(count) }],
    adjustmentPositive: zero,
    adjustmentNegative: zero,
    returnToStockItemIds: isToStock ? [itemId] : [],
    readReturned,
  });

test('a memo that returns goods to stock tells the order’s history which of them are in no stock', async () => {
  const sale = await aSale(3);
  const before = await shelf();
  await manage(false);
  await refund(sale, { count: 1, isToStock: true });
  expect(await shelf()).toBe(before);
  expect(await storyOf(sale.orderId)).toContain(notManaged(1));
  await withoutMug(async () => {
    await refund(sale, { count: 2, isToStock: true });
    expect(await storyOf(sale.orderId)).toContain(deleted(2));
  });
});

test('a memo that writes goods off takes what is there, and the order’s history has the rest', async () => {
  const sale = await aSale(0);
  const before = await shelf();
  await change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity: 1 });
  await refund(sale, { count: 3, isToStock: false });
  expect(await shelf()).toBe(0);
  expect(await storyOf(sale.orderId)).toContain('2 of MUG not written off: no longer in stock.');
  await change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity: before });
});

test('goods that were reserved and leave no stock are in the order’s history', async () => {
  const sale = await aSale(0);
  const before = await shelf();
  await manage(false);

  await sale.ship(2);

  expect(await shelf()).toBe(before);
  expect(await storyOf(sale.orderId)).toContain('2 of MUG not taken from stock: its stock is not managed.');
  expect(await promised(sale.orderId)).toBe(-1);
});

test('a cancel moves no row and frees what was reserved, whether or not the stock is managed', async () => {
  const sale = await aSale(0, { invoiced: 1 });
  const before = await shelf();
  await manage(false);

  await cancelOrder(fork(), sale.orderId);

  expect([await shelf(), await promised(sale.orderId)]).toEqual([before, -1]);
});

test('a transfer moves the rows of a product whose stock is not managed, and of one that no longer exists', async () => {
  const before = await shelf();
  const move = () => transferStock(fork(), { from: 'floor', to: 'damaged', items: [{ sku: 'MUG', qty: pieces(2) }] });
  await manage(false);
  const lay = await shelf('MUG', 'damaged');
  await move();
  expect([await shelf(), await shelf('MUG', 'damaged')]).toEqual([before - 2, lay + 2]);

  await setSourceItems(fork(), [{ sku: 'GONE', sourceCode: 'floor', quantity: pieces(3), status: 1 }]);
  await transferStock(fork(), { from: 'floor', to: 'damaged', items: [{ sku: 'GONE', qty: pieces(3) }] });
  expect([await shelf('GONE'), await shelf('GONE', 'damaged')]).toEqual([0, 3]);
});

test('rows that are set, again and to the same quantity, add up in the journal of stock', async () => {
  await insert('product', { sku: 'JUG', name: 'Jug', price: 1 });
  const set = (quantity: number) =>
    setSourceItems(fork(), [{ sku: 'JUG', sourceCode: 'floor', quantity: pieces(quantity), status: 1 }]);
  for (const quantity of [5, 5, 0, 7]) await set(quantity);
  await deleteSourceItems(fork(), [{ sku: 'JUG', sourceCode: 'floor' }]);
  await set(2);

  const changes = await find('pos_event', { type: 'stock.moved', object_id: 'JUG' }, 'facts');
  const sum = changes.reduce((all, { facts }) => all + facts.quantity - facts.quantity_before, 0);
  expect(sum).toBe(await shelf('JUG'));
});
