import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createReturnActivities, type ReturnActivities } from '../../../activities/returns/return-activities.ts';
import { createReturn, type WantedItem } from '../../../db/returns/create-return.ts';
import { soldOrder } from '../../../db/returns/sold-order.ts';
import { keepReturnNote } from '../../../db/returns/keep-return-note.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { createShipment } from '../../../db/platform/shipments/create-shipment.ts';
import { verify } from '../../../books/verify/verify.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { qtyReturnable } from '../../../domain/returns/eligibility.ts';
import type { ResolutionMode } from '../../../domain/returns/resolution.ts';
import type { SettleMethod } from '../../../domain/returns/refund-method.ts';
import { anOrder, type WantedOrder } from '../../support/builders/order.ts';
import { anItem, aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { builtInReturns, silent, noCredits } from '../../support/fakes.ts';

let orm: MikroORM;
let activities: ReturnActivities;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(orm.em.fork()));
  const never = () => Promise.reject(new Error('a transaction never calls a gateway'));
  activities = createReturnActivities({
    orm,
    providers: {
      credits: noCredits,
      returns: builtInReturns,
      gateways: {
        for: () =>
          Promise.resolve({ code: 'x', canLookUp: true, canTrack: Boolean, refund: never, lookUpRefund: never }),
      },
    },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });
});
afterAll(() => orm.close());

const eightAtOnce = <Answer>(work: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 8 }, (_, index) => work(index)));
const rows = (sql: string, ...parameters: unknown[]) =>
  orm.em.fork().execute<Record<string, unknown>[]>(sql, parameters);
const onShelf = async (source = 'floor') => {
  const [row] = await rows(`select quantity from inventory_source_item where sku = 'MUG' and source_code = ?`, source);
  return Number(row?.['quantity'] ?? 0);
};
const setShelf = (quantity: number) =>
  rows(`update inventory_source_item set quantity = ? where sku = 'MUG' and source_code = 'floor'`, quantity);
const memosOf = (orderId: number) => rows('select grand_total from sales_creditmemo where order_id = ?', orderId);
const commentsOf = async (returnId: number) =>
  (await rows('select comment from sale_return_comment where return_id = ? order by comment_id', returnId)).map(
    ({ comment }) => comment,
  );
const auditOf = (returnId: number) =>
  rows(
    `select old_value, new_value from pos_audit_log where entity_type = 'return' and entity_id = ? order by log_id`,
    String(returnId),
  );
const movementsOf = (returnId: number) =>
  rows(
    `select v.kind, v.source_code, v.quantity::float8 as quantity from sale_return_movement v
     join sale_return_item i on i.entity_id = v.return_item_id where i.return_id = ? order by v.movement_id`,
    returnId,
  );
const aNote = (returnId: number, comment: string) =>
  keepReturnNote(orm.em.fork(), { returnId, comment, author: 'Front register' });

/** A return of two mugs that waits for the shop. */
async function aRequest(order: WantedOrder = {}, item: Partial<WantedItem> = {}) {
  const sold = await anOrder(orm.em.fork(), { method: 'provider_a', lastTransId: 'pay_1', ...order });
  const { returnId } = await createReturn(orm.em, {
    orderId: sold.orderId,
    customerId: null,
    locationId: null,
    items: [{ ...anItem(sold.itemIds[0]!), qtyRequested: pieces(2), inspectedCondition: null, ...item }],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  });
  const [line] = await rows('select entity_id from sale_return_item where return_id = ?', returnId);
  return { returnId, orderId: sold.orderId, itemId: Number(line!['entity_id']) };
}

const approve = (returnId: number) => activities.setReturnStatus({ returnId, status: 'approved', noteId: null });
const takeIn = ({ returnId, itemId }: { returnId: number; itemId: number }, count = 2) =>
  activities.receiveReturn({
    returnId,
    locationId,
    lines: [
      { rmaItemId: itemId, inspection: 'pristine', condition: null, qtyReceived: pieces(count), returnToStock: true },
    ],
  });
async function aReceived(order: WantedOrder = {}) {
  const asked = await aRequest(order);
  await approve(asked.returnId);
  expect(await takeIn(asked)).toEqual({ status: 'items_received' });
  return asked;
}
const resolve = (returnId: number, rmaItemId: number, mode: ResolutionMode, refundMethod: SettleMethod | null) =>
  activities.resolveReturn({ returnId, resolutions: [{ rmaItemId, mode, refundMethod }] });

test('an approval with a word is carried out once, however often and however concurrently it is asked for', async () => {
  const { returnId } = await aRequest();
  const noteId = await aNote(returnId, 'Fine by me');
  const wanted = { returnId, status: 'approved' as const, noteId };

  const answers = await eightAtOnce(() => activities.setReturnStatus(wanted));
  const again = await activities.setReturnStatus(wanted);

  expect([...answers, again]).toEqual(Array.from({ length: 9 }, () => ({ status: 'approved' })));
  expect(await commentsOf(returnId)).toEqual(['Fine by me']);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'pending', new_value: 'approved' }]);
  expect(await rows('select 1 from sale_return_note where return_id = ?', returnId)).toEqual([]);
});

test('a word that another return was given is not told in this one', async () => {
  const [mine, other] = [await aRequest(), await aRequest()];
  const noteId = await aNote(other.returnId, 'not yours');

  await activities.setReturnStatus({ returnId: mine.returnId, status: 'approved', noteId });

  expect(await commentsOf(mine.returnId)).toEqual([]);
});

test('an authorisation grants the quantities, an approval approves them', async () => {
  const { returnId } = await aRequest();
  const granted = () =>
    rows(
      'select qty_authorized::float8 as a, qty_approved::float8 as b from sale_return_item where return_id = ?',
      returnId,
    );

  await activities.setReturnStatus({ returnId, status: 'authorized', noteId: null });
  expect(await granted()).toEqual([{ a: 2, b: null }]);
  await approve(returnId);
  expect(await granted()).toEqual([{ a: 2, b: 2 }]);
});

test('a creation that is not finished may be refused, not taken over', async () => {
  const { returnId } = await aReturn(orm, { locationId });

  expect(await approve(returnId)).toMatchObject({
    refused: { status: 409, parameters: { outcome: 'return_not_ready', return_id: returnId } },
  });
  expect(await activities.setReturnStatus({ returnId, status: 'denied', noteId: null })).toEqual({ status: 'denied' });
  expect(await activities.initialiseReturn({ returnId })).toMatchObject({ status: 'denied', isReady: true });
});

test('goods are taken in once, however often and however concurrently they are received', async () => {
  const asked = await aRequest();
  await approve(asked.returnId);
  const floor = await onShelf();

  const answers = await eightAtOnce(() => takeIn(asked));
  const again = await takeIn(asked);

  expect([...answers, again]).toEqual(Array.from({ length: 9 }, () => ({ status: 'items_received' })));
  expect(await onShelf()).toBe(floor + 2);
  expect(await movementsOf(asked.returnId)).toEqual([{ kind: 'received', source_code: 'floor', quantity: 2 }]);
  expect(await takeIn(asked, 1)).toMatchObject({ refused: { status: 400, parameters: ['items_received'] } });
});

const receiveUnseen = ({ returnId, itemId }: { returnId: number; itemId: number }) =>
  activities.receiveReturn({
    returnId,
    locationId,
    lines: [{ rmaItemId: itemId, inspection: null, condition: null, qtyReceived: null, returnToStock: null }],
  });
const withoutDamagedShelf = async (work: () => Promise<void>) => {
  await rows('update pos_location set damaged_stock_source_code = null where location_id = ?', locationId);
  await work();
  await rows(`update pos_location set damaged_stock_source_code = 'damaged' where location_id = ?`, locationId);
};

test('goods that were announced as damaged and that nobody looked at go to the damaged shelf, once', async () => {
  const asked = await aRequest({}, { condition: 'Damaged' });
  await approve(asked.returnId);

  expect(await receiveUnseen(asked)).toEqual({ status: 'items_received' });
  expect(await receiveUnseen(asked)).toEqual({ status: 'items_received' });

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

    expect(await receiveUnseen(asked)).toEqual({ status: 'items_received' });
    expect(await movementsOf(asked.returnId)).toMatchObject([{ source_code: 'floor' }]);
  }));

test('damaged goods that a create takes in at once go to the damaged shelf, where there is one', async () => {
  const takenIn = async (inspectedCondition: WantedItem['inspectedCondition']) => {
    const item = { condition: 'Damaged', inspectedCondition };
    const { returnId } = await aReturn(orm, { locationId, refundMethod: 'cash', item });
    await activities.initialiseReturn({ returnId });
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
  const order = await anOrder(orm.em.fork(), {
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
  const [mug] = await rows('select entity_id from sale_return_item where return_id = ? order by entity_id', returnId);
  await approve(returnId);

  await takeIn({ returnId, itemId: Number(mug!['entity_id']) }, 1);

  expect(await movementsOf(returnId)).toEqual([
    { kind: 'received', source_code: 'floor', quantity: 1 },
    { kind: 'received', source_code: 'floor', quantity: 0 },
  ]);
  const settled = { returnId, method: 'cash' as const, options: plain, requestId: 'r' };
  expect(await activities.bookSettlement(settled)).toEqual({ status: 'closed' });
  expect(await memosOf(order.orderId)).toEqual([{ grand_total: '80.0000' }]);
});
const plain = {
  adjustmentPositive: 0 as never,
  adjustmentNegative: 0 as never,
  shippingAmount: null,
  notifyCustomer: false,
};

test('a resolution in cash books one memo, however often and however concurrently it is asked for', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'cash'));
  const again = await resolve(returnId, itemId, 'refund', 'cash');

  for (const answer of [...answers, again]) expect(answer).toMatchObject({ status: 'resolved' });
  expect(await memosOf(orderId)).toEqual([{ grand_total: '108.0000' }]);
  expect((await commentsOf(returnId))[0]).toBe('Resolved: MUG Refund by cash.');
  expect((await auditOf(returnId)).at(-1)).toEqual({ old_value: 'items_received', new_value: 'resolved' });
});

test('a resolution through the gateway opens one attempt, and resolves the return when it is booked', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  const answers = await eightAtOnce(() => resolve(returnId, itemId, 'refund', 'original_payment'));

  const attempts = await rows('select attempt_id, amount from refund_attempt where return_id = ?', returnId);
  expect(attempts).toHaveLength(1);
  const attemptId = Number(attempts[0]!['attempt_id']);
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 'awaiting_refund',
      attempt: { attemptId, isClaimed: false, endsAs: 'resolved' },
    });

  await recordFinding(orm.em, {
    attemptId,
    finding: { evidence: 'refunded', gatewayReference: 'gw-7' },
    now: new Date(),
  });
  expect(await rows('select status, refund_method from sale_return where return_id = ?', returnId)).toEqual([
    { status: 'resolved', refund_method: 'original_payment' },
  ]);
  expect(await memosOf(orderId)).toEqual([{ grand_total: '108.0000' }]);
});

test('a gateway that refuses leaves the return parked with its resolutions, and cash resolves it then', async () => {
  const { returnId, orderId, itemId } = await aReceived();
  const opened = await resolve(returnId, itemId, 'refund', 'original_payment');
  const attemptId = 'refused' in opened ? 0 : opened.attempt!.attemptId;
  const finding = { evidence: 'not_refunded', isFinal: true, gatewayOutcome: 'declined' } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });

  const settled = await activities.bookSettlement({ returnId, method: 'cash', options: plain, requestId: 'r' });

  expect(settled).toEqual({ status: 'resolved' });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('a refund without a method resolves the return and gives nothing back, and says so', async () => {
  const { returnId, orderId, itemId } = await aReceived();

  expect(await resolve(returnId, itemId, 'refund', null)).toMatchObject({ status: 'resolved' });

  expect(await memosOf(orderId)).toEqual([]);
  expect(await commentsOf(returnId)).toEqual(['Resolved: MUG Refund, no money moves.']);
});

test.each([
  ['refund', 'requested', true],
  ['store_credit', 'requested', true],
  ['exchange', 'requested', false],
  ['refund', 'taken in', false],
] as const)(
  'goods resolved as %s without money when they were %s can come back another day: %s',
  async (mode, stage, canComeBack) => {
    const { returnId, orderId, itemId } = stage === 'requested' ? await aRequest() : await aReceived();

    expect(await resolve(returnId, itemId, mode, null)).toMatchObject({ status: 'resolved' });

    const { lines } = await soldOrder(orm.em.fork(), orderId);
    expect(lines.map(qtyReturnable)).toEqual([pieces(canComeBack ? 2 : 0)]);
    if (!canComeBack) return;
    const again = await createReturn(orm.em, {
      orderId,
      customerId: null,
      locationId: null,
      items: [{ ...anItem(lines[0]!.orderItemId), qtyRequested: pieces(2) }],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
    expect(again.isReused).toBe(false);
  },
);

test('a resolution that is refused leaves nothing behind', async () => {
  const { returnId, orderId, itemId } = await aRequest();

  expect(await resolve(returnId, itemId, 'refund', 'cash')).toMatchObject({ refused: { status: 400 } });

  expect(await rows('select resolution, resolution_mode from sale_return_item where return_id = ?', returnId)).toEqual([
    { resolution: 'Refund', resolution_mode: null },
  ]);
  expect(await commentsOf(returnId)).toEqual([]);
  expect(await memosOf(orderId)).toEqual([]);
});

test('a refund is cancelled once, with one line of audit, and can be settled later', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await activities.initialiseReturn({ returnId });
  const floor = await onShelf();
  const noteId = await aNote(returnId, 'She wants to think');

  const answers = await eightAtOnce(() => activities.cancelRefund({ returnId, noteId }));

  expect(answers).toEqual(Array.from({ length: 8 }, () => ({ status: 'received' })));
  expect(await rows('select status, refund_method from sale_return where return_id = ?', returnId)).toEqual([
    { status: 'received', refund_method: null },
  ]);
  expect(await commentsOf(returnId)).toEqual(['The refund was cancelled; the goods stay.', 'She wants to think']);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'received' }]);
  expect(await onShelf()).toBe(floor);
  expect(await memosOf(orderId)).toEqual([]);
  expect(await activities.initialiseReturn({ returnId })).toMatchObject({ status: 'received' });
  const settled = await activities.bookSettlement({ returnId, method: 'terminal', options: plain, requestId: 'r' });
  expect(settled).toEqual({ status: 'closed' });
});

test('a close hands the goods back once, however often and however concurrently it is asked for', async () => {
  const { returnId, orderId } = await aReturn(orm, { locationId, refundMethod: 'cash' });
  const floor = await onShelf();
  await activities.initialiseReturn({ returnId });
  expect(await onShelf()).toBe(floor + 1);

  const answers = await eightAtOnce(() => activities.closeReturn({ returnId, noteId: null }));
  const again = await activities.closeReturn({ returnId, noteId: null });

  expect([...answers, again]).toEqual(Array.from({ length: 9 }, () => ({ status: 'closed' })));
  expect(await onShelf()).toBe(floor);
  expect(await movementsOf(returnId)).toEqual([
    { kind: 'received', source_code: 'floor', quantity: 1 },
    { kind: 'closed', source_code: 'floor', quantity: 1 },
  ]);
  expect(await auditOf(returnId)).toEqual([{ old_value: 'awaiting_refund', new_value: 'closed' }]);
  expect(await memosOf(orderId)).toEqual([]);
});

test('a close takes what is there, never below zero, and says what is missing', async () => {
  const { returnId } = await aReceived();
  const floor = await onShelf();
  await setShelf(1);

  expect(await activities.closeReturn({ returnId, noteId: null })).toEqual({ status: 'closed' });

  expect(await onShelf()).toBe(0);
  expect((await movementsOf(returnId)).at(-1)).toEqual({ kind: 'closed', source_code: 'floor', quantity: 1 });
  expect(await commentsOf(returnId)).toEqual([
    'Closed without a refund.',
    '1 of MUG no longer lay at "floor"; 1 went out.',
  ]);
  await setShelf(floor);
});

test('closes raced with sales of the same goods never take a shelf below zero', async () => {
  const returns = await Promise.all(Array.from({ length: 4 }, () => aReceived()));
  const orders = await Promise.all(
    Array.from({ length: 4 }, () =>
      anOrder(orm.em.fork(), { lines: [{ sku: 'MUG', qty: 2, price: '50' }], shipped: false }),
    ),
  );
  const floor = await onShelf();
  await setShelf(8);

  await Promise.allSettled([
    ...returns.flatMap(({ returnId }) => [
      activities.closeReturn({ returnId, noteId: null }),
      activities.closeReturn({ returnId, noteId: null }),
    ]),
    ...orders.map(({ orderId }) => createShipment(orm.em.fork(), { orderId })),
  ]);

  const left = await onShelf();
  const out = await rows(
    `select coalesce(sum(v.quantity), 0)::float8 as out from sale_return_movement v
     join sale_return_item i on i.entity_id = v.return_item_id where v.kind = 'closed' and i.return_id = any(array[?]::int[])`,
    returns.map(({ returnId }) => returnId),
  );
  const shipped = await rows(
    'select coalesce(sum(qty_shipped), 0)::float8 as n from sales_order_item where order_id = any(array[?]::int[])',
    orders.map(({ orderId }) => orderId),
  );
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBe(8 - Number(out[0]!['out']) - Number(shipped[0]!['n']));
  await setShelf(floor);
});

test('goods that were never handed over stay on the shelf, promised to their order again', async () => {
  const asked = await aReceived({ shipped: false });
  const floor = await onShelf();

  await activities.closeReturn({ returnId: asked.returnId, noteId: null });

  expect(await onShelf()).toBe(floor);
  expect(
    await rows('select sum(quantity)::float8 as promised from inventory_reservation where order_id = ?', asked.orderId),
  ).toEqual([{ promised: -2 }]);
  await createShipment(orm.em.fork(), { orderId: asked.orderId });
  expect(await onShelf()).toBe(floor - 2);
});

test('a settle, a resolution, a cancel and a close at once end a return one way: paid back or handed back, never both', async () => {
  for (let round = 0; round < 4; round++) {
    const { returnId, orderId, itemId } = await aReceived();
    const floor = await onShelf();

    await Promise.all([
      activities.closeReturn({ returnId, noteId: null }),
      activities.bookSettlement({ returnId, method: 'cash', options: plain, requestId: `race-${round}` }),
      resolve(returnId, itemId, 'refund', 'cash'),
      activities.cancelRefund({ returnId, noteId: null }),
      activities.closeReturn({ returnId, noteId: null }),
      activities.bookSettlement({ returnId, method: 'terminal', options: plain, requestId: `race-${round}` }),
    ]);

    const paidBack = (await memosOf(orderId)).length;
    const handedBack = (await movementsOf(returnId)).filter(({ kind }) => kind === 'closed').length;
    expect(paidBack + handedBack).toBe(1);
    expect(await onShelf()).toBe(floor - 2 * handedBack);
  }
});

test('goods that were handed back and come in again another day are on the shelf again', async () => {
  const sold = await anOrder(orm.em.fork(), {});
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
    await activities.initialiseReturn({ returnId });
    return returnId;
  };
  const floor = await onShelf();

  await activities.closeReturn({ returnId: await anotherDay(), noteId: null });
  expect(await onShelf()).toBe(floor);
  await anotherDay();
  expect(await onShelf()).toBe(floor + 2);
});

test('a creation that cannot be finished can be closed, and is not tried again', async () => {
  const { returnId } = await aReturn(orm, { locationId });

  expect(await activities.closeReturn({ returnId, noteId: null })).toEqual({ status: 'closed' });

  expect(await rows('select is_ready from sale_return where return_id = ?', returnId)).toEqual([{ is_ready: true }]);
  expect(await activities.initialiseReturn({ returnId })).toMatchObject({ status: 'closed' });
});

test.each(['started', 'uncertain'] as const)('while an attempt is %s nothing is cancelled or closed', async (state) => {
  const { returnId } = await aRefundAttempt(orm, { locationId, state });
  const [line] = await rows('select entity_id from sale_return_item where return_id = ?', returnId);
  const conflict = { refused: { status: 409, parameters: { outcome: 'gateway_uncertain', return_id: returnId } } };

  expect(await activities.cancelRefund({ returnId, noteId: null })).toMatchObject(conflict);
  expect(await activities.closeReturn({ returnId, noteId: null })).toMatchObject(conflict);
  expect(await resolve(returnId, Number(line!['entity_id']), 'refund', 'cash')).toMatchObject(conflict);
  expect(await auditOf(returnId)).toEqual([]);
});

test('an unknown return is a refusal of every verb', async () => {
  const unknown = { returnId: 999_999, noteId: null };
  const answers = [
    await activities.setReturnStatus({ ...unknown, status: 'approved' }),
    await activities.cancelRefund(unknown),
    await activities.closeReturn(unknown),
    await takeIn({ returnId: 999_999, itemId: 1 }),
    await resolve(999_999, 1, 'repair', null),
  ];
  expect(answers).toEqual(answers.map(() => ({ refused: expect.objectContaining({ status: 404 }) })));
});

test('after all of that the books balance', async () => {
  expect((await verify(orm.em.fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => !isLimbo(id))).toEqual([]);
});
/** This file leaves attempts of which nobody works on, on purpose. */
const isLimbo = (id: string) => id.startsWith('I-30');
