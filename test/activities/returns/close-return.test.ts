import { expect, test } from 'vitest';
import { createReturn } from '../../../db/returns/create-return.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { verify } from '../../../books/verify/verify.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aNotedRequest } from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce, atOnce } from '../../support/rivals.ts';
import {
  opensACounter,
  orm,
  activities,
  locationId,
  commentsOf,
  auditOf,
  movementsOf,
  aReceived,
  leftAs,
  resolve,
  settle,
  takeUp,
  isLimbo,
} from './a-returns-counter.ts';

opensACounter();

const { memosOf, itemsOf, theReturn, fork, shelf, promised, total, change } = booksOf(() => orm);
const close = (returnId: number) => activities.closeReturn({ returnId, request: aNotedRequest() });
const cancel = (returnId: number) => activities.cancelRefund({ returnId, request: aNotedRequest() });
const setShelf = (quantity: number) =>
  change('inventory_source_item', { sku: 'MUG', source_code: 'floor' }, { quantity });

test('a refund is cancelled once, with one line of audit, and can be settled later', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await takeUp(returnId);
  const floor = await shelf();
  const request = aNotedRequest({ comment: 'She wants to think' });

  const answers = await eightAtOnce(() => activities.cancelRefund({ returnId, request }));

  expect(answers.map(leftAs)).toEqual(Array.from({ length: 8 }, () => 'received'));
  expect(await theReturn(returnId, 'status', 'refund_method')).toEqual({ status: 'received', refund_method: null });
  expect(await commentsOf(returnId)).toEqual(['The refund was cancelled; the goods stay.', 'She wants to think']);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
  expect(await shelf()).toBe(floor);
  expect(await memosOf(orderId)).toEqual([]);
  expect(leftAs(await takeUp(returnId))).toBe('received');
  expect(leftAs(await settle(returnId, { method: 'terminal' }))).toBe('closed');
});

test('a close hands the goods back once, however often and however concurrently it is asked for', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  const floor = await shelf();
  await takeUp(returnId);
  expect(await shelf()).toBe(floor + 1);

  const answers = await eightAtOnce(() => close(returnId));
  const again = await close(returnId);

  expect([...answers, again].map(leftAs)).toEqual(Array.from({ length: 9 }, () => 'closed'));
  expect(await shelf()).toBe(floor);
  expect(await movementsOf(returnId)).toEqual([
    { kind: 'received', source_code: 'floor', quantity: 1 },
    { kind: 'closed', source_code: 'floor', quantity: 1 },
  ]);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
  expect(await memosOf(orderId)).toEqual([]);
});

test('a close takes what is there, never below zero, and says what is missing', async () => {
  const { returnId } = await aReceived();
  const floor = await shelf();
  await setShelf(1);

  expect(leftAs(await close(returnId))).toBe('closed');

  expect(await shelf()).toBe(0);
  expect((await movementsOf(returnId)).at(-1)).toEqual({ kind: 'closed', source_code: 'floor', quantity: 1 });
  expect(await commentsOf(returnId)).toEqual([
    'Closed without a refund.',
    '1 of MUG no longer lay at "floor"; 1 went out.',
  ]);
  await setShelf(floor);
});

test('closes raced with sales of the same goods never take a shelf below zero', async () => {
  const returns = await atOnce(4, () => aReceived());
  const orders = await atOnce(4, () =>
    anOrder(fork(), { lines: [{ sku: 'MUG', qty: 2, price: '50' }], shipped: false }),
  );
  const floor = await shelf();
  await setShelf(8);

  await Promise.allSettled([
    ...returns.flatMap(({ returnId }) => [close(returnId), close(returnId)]),
    ...orders.map(({ orderId }) => createShipment(fork(), { orderId })),
  ]);

  const left = await shelf();
  const moves = (await Promise.all(returns.map(({ returnId }) => movementsOf(returnId)))).flat();
  const out = moves.filter(({ kind }) => kind === 'closed').reduce((sum, move) => sum + Number(move['quantity']), 0);
  const shipped = await total('sales_order_item', 'qty_shipped', { order_id: orders.map(({ orderId }) => orderId) });
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBe(8 - out - shipped);
  await setShelf(floor);
});

test('goods that were never handed over stay on the shelf, promised to their order again', async () => {
  const asked = await aReceived({ shipped: false });
  const floor = await shelf();

  await close(asked.returnId);

  expect(await shelf()).toBe(floor);
  expect(await promised(asked.orderId)).toBe(-2);
  await createShipment(fork(), { orderId: asked.orderId });
  expect(await shelf()).toBe(floor - 2);
});

test('a settle, a resolution, a cancel and a close at once end a return one way: paid back or handed back, never both', async () => {
  for (let round = 0; round < 4; round++) {
    const { returnId, orderId, itemId } = await aReceived();
    const floor = await shelf();

    await Promise.all([
      close(returnId),
      settle(returnId),
      resolve(returnId, itemId, 'refund', 'cash'),
      cancel(returnId),
      close(returnId),
      settle(returnId, { method: 'terminal' }),
    ]);

    const paidBack = (await memosOf(orderId)).length;
    const handedBack = (await movementsOf(returnId)).filter(({ kind }) => kind === 'closed').length;
    expect(paidBack + handedBack).toBe(1);
    expect(await shelf()).toBe(floor - 2 * handedBack);
  }
});

test('goods that were handed back and come in again another day are on the shelf again', async () => {
  const sold = await anOrder(fork(), {});
  const anotherDay = async () => {
    const { returnId } = await createReturn(orm.em, {
      orderId: sold.orderId,
      customerId: null,
      locationId,
      items: [{ ...anItem(sold.itemIds[0]!), qtyRequested: pieces(2) }],
      comment: null,
      isAutoApproved: true,
      refundMethod: 'cash',
      posSaleId: null,
    });
    await takeUp(returnId);
    return returnId;
  };
  const floor = await shelf();

  await close(await anotherDay());
  expect(await shelf()).toBe(floor);
  await anotherDay();
  expect(await shelf()).toBe(floor + 2);
});

test('a creation that cannot be finished can be closed, and is not tried again', async () => {
  const { returnId } = await aReturn(orm, { locationId });

  expect(leftAs(await close(returnId))).toBe('closed');

  expect(await theReturn(returnId, 'is_ready')).toEqual({ is_ready: true });
  expect(leftAs(await takeUp(returnId))).toBe('closed');
});

test.each(['started', 'uncertain'] as const)('while an attempt is %s nothing is cancelled or closed', async (state) => {
  const { returnId } = await aRefundAttempt(orm, { locationId, state });
  const [line] = await itemsOf(returnId, 'entity_id');
  const conflict = { refused: { status: 409, parameters: { outcome: 'gateway_uncertain', return_id: returnId } } };

  expect(await cancel(returnId)).toMatchObject(conflict);
  expect(await close(returnId)).toMatchObject(conflict);
  expect(await resolve(returnId, Number(line!['entity_id']), 'refund', 'cash')).toMatchObject(conflict);
  expect(await auditOf(returnId)).toEqual([]);
});

test('after all of that the books balance', async () => {
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
});
