import { expect, test } from 'vitest';
import { notePassed } from '../../../db/process/note-asked.ts';
import { findProcess } from '../../../db/process/process.repository.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { aCustomerWithCredit, walletOf } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

const { shelf, fork, booksHold } = booksOf(() => orm);

/** No provider takes the run on: its memo is booked without a return. */
const settleAlone = async (processId: number) => {
  await notePassed(fork(), processId);
  await settleProcess(orm.em, processId);
};

test('a cent of rounding in the base currency alone gives no store credit, and the run ends', async () => {
  const customerId = await aCustomerWithCredit(orm, '200');
  const { orderId, itemIds } = await anOrder(fork(), {
    customerId,
    rate: '0.6',
    currency: 'EUR',
    credits: [{ credit_type: 'store_credit', amount: 64.79 }],
  });
  const items = itemIds.map((itemId) => aProcessedItem(itemId));
  const { processId } = await aProcess(orm, { orderId, items, customerId, resolution: 'store_credit' });

  await settleAlone(processId);

  expect(await findProcess(fork(), processId)).toMatchObject({ state: 'done', storeCreditIssued: 0 });
  expect(await walletOf(orm, customerId)).toBe('146.0100');
  await booksHold();
});

test.each([
  ['two good rows of one line: all of it comes back', ['Unopened', 'Opened'], 2],
  ['good and damaged rows of one line: the good ones come back', ['Damaged', 'Unopened', 'Opened'], 2],
  ['two damaged rows of one line: nothing comes back', ['Damaged', 'damaged'], 0],
])('%s', async (_case, conditions, back) => {
  const { orderId, itemIds } = await anOrder(fork(), { lines: [{ sku: 'MUG', qty: 3, price: '50' }] });
  const before = await shelf();
  const items = conditions.map((condition) => aProcessedItem(itemIds[0]!, { condition }));
  const { processId } = await aProcess(orm, { orderId, items });

  await settleAlone(processId);

  expect(await shelf()).toBe(before + back);
  await booksHold();
});

test('of a line that was handed over in part, what is damaged is of what was handed over: nothing more leaves the shelf', async () => {
  const { orderId, itemIds } = await anOrder(fork(), { shipped: false });
  await createShipment(fork(), { orderId, items: [{ orderItemId: itemIds[0]!, qty: pieces(1) }] });
  const before = await shelf();
  const items = ['Damaged', 'Unopened'].map((condition) => aProcessedItem(itemIds[0]!, { condition }));
  const { processId } = await aProcess(orm, { orderId, items });

  await settleAlone(processId);

  expect(await shelf()).toBe(before);
  await booksHold();
});
