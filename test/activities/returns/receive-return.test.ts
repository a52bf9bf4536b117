import { expect, test } from '@jest/globals';
import { createReturn } from '../../../db/returns/create-return.ts';
import type { RequestedItem } from '../../../db/returns/sold-order.ts';
import { verify } from '../../../books/verify/verify.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem, aReturn } from '../../support/builders/return.ts';
import { aCommand } from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import {
  opensACounter,
  orm,
  activities,
  locationId,
  movementsOf,
  aRequest,
  approve,
  takeIn,
  takeUp,
  leftAs,
  settle,
  isLimbo,
} from './a-returns-counter.ts';

opensACounter();

const { memosOf, itemsOf, shelf, fork, change } = booksOf(() => orm);

test('goods are taken in once, however often and however concurrently they are received', async () => {
  const asked = await aRequest();
  await approve(asked.returnId);
  const floor = await shelf();

  const answers = await eightAtOnce(() => takeIn(asked));
  const again = await takeIn(asked);

  expect([...answers, again].map(leftAs)).toEqual(Array.from({ length: 9 }, () => 'items_received'));
  expect(await shelf()).toBe(floor + 2);
  expect(await movementsOf(asked.returnId)).toEqual([{ kind: 'received', source_code: 'floor', quantity: 2 }]);
  expect(await takeIn(asked, 1)).toMatchObject({ refused: { status: 400, parameters: ['items_received'] } });
});

const receiveUnseen = ({ returnId, itemId }: { returnId: number; itemId: number }) =>
  activities.receiveReturn({
    returnId,
    request: {
      ...{ ...aCommand(), locationId },
      lines: [{ rmaItemId: itemId, inspection: null, condition: null, qtyReceived: null, returnToStock: null }],
    },
  });
const withoutDamagedShelf = async (work: () => Promise<void>) => {
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
  await work();
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: 'damaged' });
};

test('goods announced as damaged and not inspected go to the damaged shelf, once', async () => {
  const asked = await aRequest({}, { condition: 'Damaged' });
  await approve(asked.returnId);

  expect(leftAs(await receiveUnseen(asked))).toBe('items_received');
  expect(leftAs(await receiveUnseen(asked))).toBe('items_received');

  expect(await movementsOf(asked.returnId)).toEqual([{ kind: 'received', source_code: 'damaged', quantity: 2 }]);
});

test('what was seen on the counter counts for more than what was announced', async () => {
  const asked = await aRequest({}, { condition: 'Damaged' });
  await approve(asked.returnId);

  await takeIn(asked);

  expect(await movementsOf(asked.returnId)).toMatchObject([{ source_code: 'floor' }]);
});

test('a location without a shelf for damaged goods takes in what was only announced as damaged like any other', async () =>
  withoutDamagedShelf(async () => {
    const asked = await aRequest({}, { condition: 'Damaged' });
    await approve(asked.returnId);

    expect(leftAs(await receiveUnseen(asked))).toBe('items_received');
    expect(await movementsOf(asked.returnId)).toMatchObject([{ source_code: 'floor' }]);
  }));

test('damaged goods that a create takes in at once go to the damaged shelf, where there is one', async () => {
  const takenIn = async (inspectedCondition: RequestedItem['inspectedCondition']) => {
    const item = { condition: 'Damaged', inspectedCondition };
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash', item });
    await takeUp(returnId);
    return (await movementsOf(returnId)).map((movement) => movement['source_code']);
  };

  expect(await takenIn(null)).toEqual(['damaged']);
  expect(await takenIn('pristine')).toEqual(['floor']);
  await withoutDamagedShelf(async () => expect(await takenIn(null)).toEqual(['floor']));
});

test('half of a whole piece is not taken in, and nothing moves', async () => {
  const asked = await aRequest();
  await approve(asked.returnId);

  expect(await takeIn(asked, 1.5)).toMatchObject({
    refused: { status: 400, message: 'We found an invalid quantity to refund item "MUG".' },
  });
  expect(await movementsOf(asked.returnId)).toEqual([]);
});

test('a line that is not named did not come, and its money is given back all the same', async () => {
  const order = await anOrder(fork(), {
    lines: [
      { sku: 'MUG', qty: 1, price: '50' },
      { sku: 'PLATE', qty: 1, price: '30' },
    ],
  });
  const { returnId } = await createReturn(orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId: null,
    items: order.itemIds.map((orderItemId) => ({ ...anItem(orderItemId), inspectedCondition: null })),
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  });
  const [mug] = await itemsOf(returnId, 'entity_id');
  await approve(returnId);

  await takeIn({ returnId, itemId: Number(mug!['entity_id']) }, 1);

  expect(await movementsOf(returnId)).toEqual([
    { kind: 'received', source_code: 'floor', quantity: 1 },
    { kind: 'received', source_code: 'floor', quantity: 0 },
  ]);
  expect(leftAs(await settle(returnId))).toBe('closed');
  expect(await memosOf(order.orderId, 'grand_total')).toEqual([{ grand_total: '80.0000' }]);
});

test('after all of that the books balance', async () => {
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
});
