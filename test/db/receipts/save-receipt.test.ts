import { expect, test } from 'vitest';
import type { EntityManager } from '@mikro-orm/postgresql';
import { linkLostReceipts } from '../../../db/receipts/link-lost-receipts.ts';
import { createReceiptLinker } from '../../../db/receipts/link-receipt.ts';
import { lockSale } from '../../../db/receipts/lock-sale.ts';
import { findReceipt, type ReceiptRow } from '../../../db/receipts/receipt.repository.ts';
import { saveReceipt, type NewReceipt } from '../../../db/receipts/save-receipt.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { fork, refuseWrites, howMany, change } = booksOf(() => orm);
const warnings: unknown[] = [];
const link = createReceiptLinker({ warn: (facts) => warnings.push(facts) });
const receiptOf = (
  posOrderId: string,
  more: Partial<NewReceipt['fields']> = {},
  receiptToken?: string,
): NewReceipt => ({
  fields: { posOrderId, grandTotal: money('108'), currency: 'USD', ...more },
  items: [
    { sku: 'MUG', qty: pieces(2), price: money('50') },
    { sku: 'PLATE', qty: pieces(1), price: money('8') },
  ],
  receiptToken,
});
const save = (receipt: NewReceipt, em = fork()) => saveReceipt(em, secretBox, receipt);
const numberOf = async (receiptId: number) => (await findReceipt(fork(), receiptId)).receipt.order_increment_id;

test('a receipt sent twice and eight times at once is one receipt with its lines once', async () => {
  const ids = await eightAtOnce(() => save(receiptOf('sale-once')));
  expect(new Set([...ids, await save(receiptOf('sale-once'))]).size).toBe(1);

  const { items } = await findReceipt(fork(), ids[0]!);
  expect(items.map((item) => item.sku)).toEqual(['MUG', 'PLATE']);
  expect(await howMany('pos_receipt', { pos_order_id: 'sale-once' })).toBe(1);
});

test('a repeat changes the token and a missing order number, and nothing else', async () => {
  const id = await save(receiptOf('sale-repeat', {}, 'a'.repeat(64)));
  const before = (await findReceipt(fork(), id)).receipt;

  await save(receiptOf('sale-repeat', { grandTotal: money('1'), orderIncrementId: '000000077' }, 'b'.repeat(64)));
  const after = (await findReceipt(fork(), id)).receipt;
  expect(after).toMatchObject({ grand_total: '108.0000', order_increment_id: '000000077' });
  expect(secretBox.open(after.sealed_token, 'receipt token')).toBe('b'.repeat(64));
  expect({ ...after, ...pick(before) }).toEqual(before);

  await save(receiptOf('sale-repeat', { orderIncrementId: '000000078' }));
  expect(await numberOf(id)).toBe('000000077');
});

/** What a repeat may change. */
const pick = (row: ReceiptRow) => ({
  order_increment_id: row.order_increment_id,
  sealed_token: row.sealed_token,
  token_digest: Reflect.get(row, 'token_digest'),
  updated_at: Reflect.get(row, 'updated_at'),
});

test('no two receipts share a token', async () => {
  await save(receiptOf('sale-token-1', {}, 'c'.repeat(64)));
  await expect(save(receiptOf('sale-token-2', {}, 'C'.repeat(64)))).rejects.toMatchObject({
    status: 400,
    message: 'Could not save the receipt: %1',
  });
});

test('a receipt that is not told its token gets one, sealed in the table', async () => {
  const { receipt } = await findReceipt(fork(), await save(receiptOf('sale-token-3')));
  const token = secretBox.open(receipt.sealed_token, 'receipt token');
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(receipt)).not.toContain(token);
});

test('the database refuses any other change to a stored receipt', async () => {
  const id = await save(receiptOf('sale-frozen'));
  const become = (cells: object, table = 'pos_receipt') => change(table, { receipt_id: id }, { ...cells });
  await expect(become({ grand_total: 1 })).rejects.toThrow(/frozen/);
  await expect(become({ raw_payload: 'x' })).rejects.toThrow(/frozen/);
  await expect(become({ qty: 1 }, 'pos_receipt_item')).rejects.toThrow(/frozen/);
  const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
  await become({ customer_id: 1, claimed_at: new Date(), claimed_order_id: orderId });
});

test('the receipt first: placing the order writes its number on the receipt', async () => {
  const id = await save(receiptOf('sale-before'));
  const order = await anOrder(fork(), { posSaleId: 'sale-before', hooks: [link] });
  expect(await numberOf(id)).toBe(order.incrementId);
});

test('the order first: the receipt that comes after carries its number', async () => {
  const order = await anOrder(fork(), { posSaleId: 'sale-after', hooks: [link] });
  expect(await numberOf(await save(receiptOf('sale-after')))).toBe(order.incrementId);
});

test('receipt and order at once: they are linked, in either order of commits', async () => {
  const sales = Array.from({ length: 8 }, (_, at) => `sale-race-${at}`);
  const done = await Promise.all(
    sales.flatMap((sale) => [
      save(receiptOf(sale)),
      anOrder(fork(), { posSaleId: sale, hooks: [link], paid: false, shipped: false }),
    ]),
  );
  const ids = done.filter((result) => typeof result === 'number');
  expect(await Promise.all(ids.map(numberOf))).not.toContain(null);
});

test('linking again changes nothing, and an order of no sale is left alone', async () => {
  const id = await save(receiptOf('sale-again'));
  const order = { orderId: 1, incrementId: '000000901', posSaleId: 'sale-again' };
  await eightAtOnce(() => link(fork(), order));
  await link(fork(), { ...order, incrementId: '000000902' });
  await link(fork(), { ...order, posSaleId: null });
  expect(await numberOf(id)).toBe('000000901');
});

test('a failure to link is logged and leaves the order placed', async () => {
  const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
    link(em, { ...order, incrementId: 'x'.repeat(300) });
  await save(receiptOf('sale-broken'));
  const order = await anOrder(fork(), { posSaleId: 'sale-broken', hooks: [broken], paid: false, shipped: false });

  expect(await howMany('sales_order', { entity_id: order.orderId })).toBe(1);
  expect(warnings).toContainEqual(expect.objectContaining({ orderId: order.orderId }));
});

test('an order whose sale is being worked on for too long is placed, and the sweep links its receipt', async () => {
  const id = await save(receiptOf('sale-busy'));
  const busy = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holder = fork().transactional(async (tx) => {
    await lockSale(tx, 'sale-busy');
    locked.resolve();
    await busy.promise;
  });
  await locked.promise;
  const impatient = async (em: EntityManager, order: Parameters<typeof link>[1]) => {
    await em.execute(`set local lock_timeout = '50ms'`);
    await link(em, order);
  };
  const order = await anOrder(fork(), { posSaleId: 'sale-busy', hooks: [impatient], paid: false, shipped: false });
  expect(await numberOf(id)).toBeNull();

  await linkLostReceipts(fork());
  expect(await numberOf(id)).toBeNull();
  busy.resolve();
  await holder;
  const done = await eightAtOnce(() => linkLostReceipts(fork()));

  expect(await numberOf(id)).toBe(order.incrementId);
  expect(Math.max(...done)).toBeGreaterThan(0);
  expect(await linkLostReceipts(fork())).toBe(0);
});

test('an order without a link gets its receipt later, also a receipt that is stored later', async () => {
  const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
    link(em, { ...order, incrementId: 'x'.repeat(300) });
  await save(receiptOf('sale-later'));
  const order = await anOrder(fork(), { posSaleId: 'sale-later', hooks: [broken], paid: false, shipped: false });
  await linkLostReceipts(fork());
  expect(await numberOf(await save(receiptOf('sale-later')))).toBe(order.incrementId);
});

test('a receipt that cannot be linked keeps no other waiting, and a sweep whose time is up leaves them to the next', async () => {
  const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
    link(em, { ...order, incrementId: 'x'.repeat(300) });
  const lost = async (posSaleId: string) => {
    const receiptId = await save(receiptOf(posSaleId));
    return { receiptId, ...(await anOrder(fork(), { posSaleId, hooks: [broken], paid: false, shipped: false })) };
  };
  const first = await lost('sale-refused');
  const second = await lost('sale-behind');
  const links = { on: 'change', to: 'pos_receipt', when: `old.pos_order_id = 'sale-refused'` } as const;
  const mend = await refuseWrites(links);

  expect(await linkLostReceipts(fork(), { withinMs: 0 })).toBe(0);
  const failures: number[] = [];
  await linkLostReceipts(fork(), { failed: (orderId) => failures.push(orderId) });
  expect(failures).toEqual([first.orderId]);
  expect(await numberOf(second.receiptId)).toBe(second.incrementId);
  await mend();
  await linkLostReceipts(fork());
  expect(await numberOf(first.receiptId)).toBe(first.incrementId);
});
