import { beforeAll, expect, test } from '@jest/globals';
import { verify } from '../../../books/verify/verify.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { drawReturn } from '../../../db/returns/draw-return.ts';
import { openReturn } from '../../../db/returns/open-return.ts';
import type { NewReturn } from '../../../db/returns/sold-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { pieces } from '../../../domain/money.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';

const orm = useDatabase();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});

const books = booksOf(() => orm);
const { fork, theReturn, returnsOf, attemptsOf, memosOf, wordsOf, auditOf, howMany, shelf, change } = books;
const movements = async (returnId: number) => (await books.movementsOf(returnId, 'kind')).map(({ kind }) => kind);

type Wish = Partial<NewReturn> & { canRefundThrough?: () => boolean };

const byCard = { method: 'provider_a', lastTransId: 'pay_1' };
const aSale = () => anOrder(fork(), byCard);
type Sale = Awaited<ReturnType<typeof aSale>>;

/** One mug back in cash, approved at once, with the id that a route drew for it. */
async function wishOf({ orderId, itemIds }: Sale, wish: Wish = {}) {
  return {
    ...{ orderId, customerId: null, locationId, items: [anItem(itemIds[0]!)], comment: null },
    ...{ isAutoApproved: true, refundMethod: 'cash' as const, posSaleId: null },
    ...{ canRefundThrough: () => true, numbers: await drawReturn(fork(), { orderId, locationId }) },
    ...wish,
  };
}
const open = async (sale: Sale, wish: Wish = {}) => openReturn(orm.em, await wishOf(sale, wish));

test('a return is approved, taken in and parked with its row', async () => {
  const sale = await aSale();
  const floor = await shelf();
  const { returnId, begun } = await open(sale, { comment: 'Too big', author: 'Front register' });

  expect(begun).toEqual({ status: 'awaiting_refund', isReady: true });
  expect(await theReturn(returnId, 'status', 'is_ready', 'refund_method')).toEqual({
    status: 'awaiting_refund',
    is_ready: true,
    refund_method: 'cash',
  });
  expect(await movements(returnId)).toEqual(['received']);
  expect(await shelf()).toBe(floor + 1);
  expect(await wordsOf(returnId, 'comment', 'author')).toEqual([{ comment: 'Too big', author: 'Front register' }]);
});

test('a refund to the card is written down with the row, and nobody is asked yet', async () => {
  const { returnId, begun } = await open(await aSale(), { refundMethod: 'original_payment' });

  const [attempt] = await attemptsOf(returnId, 'attempt_id', 'state', 'call_started_at');
  expect(attempt).toMatchObject({ state: 'started', call_started_at: null });
  expect(begun).toMatchObject({ isReady: false, attempt: { attemptId: attempt!.attempt_id, isClaimed: false } });
});

test('a return that the shop has to approve is only written down', async () => {
  const { returnId, begun } = await open(await aSale(), { isAutoApproved: false, refundMethod: null });

  expect(begun).toEqual({ status: 'pending', isReady: true });
  expect(await movements(returnId)).toEqual([]);
});

test('where the goods have no place the return stands as held, with the reason, and nothing moved', async () => {
  const sale = await aSale();
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
  const floor = await shelf();

  const { returnId, begun } = await open(sale, {
    items: [{ ...anItem(sale.itemIds[0]!), inspectedCondition: 'damaged' }],
  });

  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: 'damaged' });
  expect(begun).toMatchObject({ status: 'pending', isReady: false, refused: { status: 400 } });
  expect(await theReturn(returnId, 'status', 'is_ready')).toEqual({ status: 'pending', is_ready: false });
  expect(await wordsOf(returnId, 'comment')).toEqual([
    { comment: expect.stringMatching(/^Not ready yet: The location has no source for damaged goods/) },
  ]);
  expect([await movements(returnId), await shelf()]).toEqual([[], floor]);
});

test('where the card takes nothing back the return stands as held, no goods moved, and the reason is told', async () => {
  const { returnId, begun } = await open(await aSale(), {
    refundMethod: 'original_payment',
    canRefundThrough: () => false,
  });

  const refused = { status: 400, parameters: { outcome: 'refund_from_admin', return_id: returnId } };
  expect(begun).toMatchObject({ status: 'pending', isReady: false, refused });
  expect([await attemptsOf(returnId), await movements(returnId)]).toEqual([[], []]);
  expect(await theReturn(returnId, 'waits_for_caller')).toEqual({ waits_for_caller: true });
});

test('a return that was only written down is taken up under its id, and one that is done is answered', async () => {
  const sale = await aSale();
  const wish = await wishOf(sale);
  await createReturn(orm.em, wish);
  const floor = await shelf();

  expect(await openReturn(orm.em, wish)).toMatchObject({ isReused: false, begun: { status: 'awaiting_refund' } });
  expect(await openReturn(orm.em, wish)).toMatchObject({ isReused: false, begun: { status: 'awaiting_refund' } });

  expect(await shelf()).toBe(floor + 1);
  expect(await returnsOf(sale.orderId)).toHaveLength(1);
});

test('a refund that an earlier run wrote down goes on, and is not another one', async () => {
  const wish = await wishOf(await aSale(), { refundMethod: 'original_payment' });
  const first = await openReturn(orm.em, wish);
  const again = await openReturn(orm.em, wish);

  expect(again.begun.attempt).toEqual(first.begun.attempt);
  expect(await attemptsOf(first.returnId)).toHaveLength(1);
});

test('eight at once under one id leave one return', async () => {
  const sale = await aSale();
  const wish = await wishOf(sale);
  const floor = await shelf();

  const opened = await eightAtOnce(() => openReturn(orm.em, wish));

  expect(opened).toMatchObject(opened.map(() => ({ returnId: wish.numbers.returnId, isReused: false })));
  expect(await returnsOf(sale.orderId, 'return_id')).toEqual([{ return_id: wish.numbers.returnId }]);
  expect(await shelf()).toBe(floor + 1);
});

test('eight at once of one sale: one return is made, and the others are told which', async () => {
  const sale = await aSale();
  const opened = await eightAtOnce(() => open(sale, { posSaleId: 'one-sale' }));

  const [winner, ...others] = opened.filter(({ isReused }) => !isReused);
  expect(others).toEqual([]);
  expect(opened.map(({ returnId }) => returnId)).toEqual(opened.map(() => winner!.returnId));
  expect(await returnsOf(sale.orderId, 'return_id')).toEqual([{ return_id: winner!.returnId }]);
});

test('one sale id for two orders at once: one return is made, and the other one is a conflict', async () => {
  const sales = [await aSale(), await aSale()];
  const { done, refused } = await outcomesAtOnce(2, (number) => open(sales[number]!, { posSaleId: 'of-two-orders' }));

  expect(done).toHaveLength(1);
  expect(refused).toMatchObject([{ status: 409, parameters: { outcome: 'sale_return_conflict' } }]);
});

test('eight returns of the last piece at once: one stands, the others leave nothing', async () => {
  const sale = await anOrder(fork(), { lines: [{ sku: 'MUG', qty: 1, price: '50' }] });
  const before = await howMany('sale_return_comment');
  const { done, refused } = await outcomesAtOnce(8, () => open(sale, { comment: 'mine' }));

  expect([done.length, refused.length]).toEqual([1, 7]);
  expect(refused).toMatchObject(refused.map(() => ({ status: 400, parameters: { reason_code: 'quantity' } })));
  expect(await returnsOf(sale.orderId)).toHaveLength(1);
  expect(await howMany('sale_return_comment')).toBe(before + 1);
});

test('nothing is written for who waits no more; what stands already is answered all the same', async () => {
  const sale = await aSale();
  const late = await wishOf(sale, { ...tooLate(), posSaleId: 'too-late' });

  await expect(openReturn(orm.em, late)).rejects.toMatchObject(refusedTooLate);
  expect(await returnsOf(sale.orderId)).toEqual([]);

  const { returnId } = await openReturn(orm.em, { ...late, beginBefore: undefined });
  expect(await openReturn(orm.em, late)).toMatchObject({ returnId, isReused: false });
  expect(await open(sale, { ...tooLate(), posSaleId: 'too-late' })).toMatchObject({ returnId, isReused: true });
  expect(await returnsOf(sale.orderId)).toHaveLength(1);
});

test('a return paid back in credit alone ends with its creation, in one piece with its memo', async () => {
  const lines = [
    { sku: 'MUG', qty: 1, price: '50' },
    { sku: 'MUG', qty: 1, price: '50', discount: '50' },
  ];
  const sale = await anOrder(fork(), { ...byCard, lines });
  const items = [anItem(sale.itemIds[1]!)];
  const { returnId, begun } = await open(sale, { items, refundMethod: 'original_payment' });

  expect(begun).toMatchObject({ status: 'closed', isReady: true });
  expect(await theReturn(returnId, 'followed_at')).toEqual({ followed_at: null });
  expect(await memosOf(sale.orderId)).toHaveLength(1);
  expect(await attemptsOf(returnId)).toEqual([]);
});

test('a return is followed from its row on, until the verdict about its money is in', async () => {
  const { returnId, begun } = await open(await aSale(), { refundMethod: 'original_payment' });
  const followed = async () => (await theReturn(returnId, 'followed_at')).followed_at !== null;
  expect(await followed()).toBe(true);

  const { attemptId } = begun.attempt!;
  const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date(), isOwn: true });

  expect(await followed()).toBe(false);
  expect(await auditOf('return', returnId, 'new_value')).toEqual([{ new_value: 'closed' }]);
});

test('a part of a whole piece, and a source that nobody knows, leave nothing behind', async () => {
  const sale = await aSale();
  const item = anItem(sale.itemIds[0]!);

  for (const wrong of [{ qtyReceived: pieces(0.5) }, { targetSourceCode: 'gone' }])
    await expect(open(sale, { items: [{ ...item, ...wrong }] })).rejects.toMatchObject({ status: 400 });
  await expect(open(sale, { locationId: 999_999 })).rejects.toMatchObject({ status: 404 });

  expect(await returnsOf(sale.orderId)).toEqual([]);
});

test('after all of that the books balance', async () => {
  // Refunds without a workflow are left open here, on purpose.
  const isLimbo = ({ id }: { id: string }) => id.startsWith('I-30');
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter((finding) => !isLimbo(finding))).toEqual([]);
});
