import { expect, test } from 'vitest';
import { collapseReturn, type CollapsedReturn } from '../../../db/process/collapse-return.ts';
import { noteAsked } from '../../../db/process/note-asked.ts';
import { recordTaken } from '../../../db/process/record-taken.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { drawReturn } from '../../../db/returns/draw-return.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { builtInCode } from '../../../domain/returns/built-in-code.ts';
import { noObjection } from '../../../domain/returns/eligibility.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { refusedTooLate, tooLate } from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce, outcomesAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

type Wish = Partial<CollapsedReturn> & Pick<CollapsedReturn, 'orderId' | 'items'>;

let requests = 0;
/** As its route asks for it, with numbers that it drew for the return. */
const wishOf = async (wish: Wish): Promise<CollapsedReturn> => ({
  requestKey: `collapse-${++requests}`,
  numbers: await drawReturn(fork(), { orderId: wish.orderId, locationId: null }),
  customerId: null,
  resolution: 'refund',
  resolutionId: null,
  isOnline: false,
  comment: null,
  author: 'Ada',
  provider: { code: builtInCode, resolutionIds: [], verdict: noObjection },
  canRefundThrough: () => false,
  storeCreditIn: 'store_credit',
  ...wish,
});
const collapse = async (wish: Wish) => collapseReturn(orm.em, await wishOf(wish));

/** As with a provider outside: written down, taken on, settled. */
async function theLongWay(wish: Wish): Promise<void> {
  const { processId } = await aProcess(orm, await wishOf(wish));
  await noteAsked(fork(), { processId, providerCode: builtInCode });
  await recordTaken(orm.em, { processId, providerCode: builtInCode, reference: null, isRestockedHere: true });
  await settleProcess(orm.em, processId);
}

const {
  linesOf,
  paymentsOf,
  memosOf,
  promisesOf,
  commentsOf,
  returnsOf,
  processesOf,
  creditRefundsOf,
  find,
  fork,
  shelf,
  creditReturnsOf,
  change,
  booksHold,
} = booksOf(() => orm);

/** Of both ways the same but for ids, numbers and moments. */
const own = /(_id|_key|_at|_tail|_code)$/;
const withoutNumber = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/\d{9}/g, '#') : value);
const plain = (found: Record<string, unknown>[]) =>
  found.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) => (own.test(column) ? [] : [[column, withoutNumber(value)]])),
    ),
  );

async function tracesOf(orderId: number) {
  const [runs, returns, memos] = [await processesOf(orderId), await returnsOf(orderId), await memosOf(orderId)];
  const ids = (found: Record<string, unknown>[], column: string) => found.map((row) => row[column]);
  const returnId = ids(returns, 'return_id');
  const items = await find('sale_return_item', { return_id: returnId });
  const audited = { entity_type: 'return', entity_id: returnId.map(String) };
  const found = {
    order: await find('sales_order', { entity_id: orderId }),
    lines: await linesOf(orderId),
    payment: await paymentsOf(orderId),
    runs,
    goods: await find('return_process_item', { process_id: ids(runs, 'process_id') }),
    returns,
    items,
    movements: await find('sale_return_movement', { return_item_id: ids(items, 'entity_id') }),
    memos,
    memoLines: await find('sales_creditmemo_item', { parent_id: ids(memos, 'entity_id') }),
    promised: await promisesOf(orderId),
    credited: await creditRefundsOf(orderId),
    givenBack: await creditReturnsOf(orderId),
    history: await commentsOf(orderId, 'comment', 'status'),
    told: await find('sale_return_comment', { return_id: returnId }, 'comment', 'status', 'author'),
    audited: await find('pos_audit_log', audited, 'old_value', 'new_value', 'field_name', 'change_source'),
  };
  return Object.fromEntries(Object.entries(found).map(([name, records]) => [name, plain(records)]));
}

test.each([
  ['refund', ['Unopened'], {}],
  ['refund', ['Damaged', null], {}],
  ['refund', [null], { shipped: false }],
  ['exchange', ['Opened'], {}],
  ['store_credit', ['Unopened'], {}],
  ['refund', ['Unopened'], { credits: [{ credit_type: 'store_credit', amount: 80 }] }],
  ['store_credit', ['Unopened'], { credits: [{ credit_type: 'store_credit', amount: 80 }] }],
] as const)('%s of goods said to be %j, sold as %j: every row as by the long way', async (resolution, said, sold) => {
  const found = [];
  for (const way of [collapse, theLongWay]) {
    const customerId = await aCustomerWithCredit(orm, '100');
    const { orderId, itemIds } = await anOrder(fork(), { customerId, ...sold });
    const items = said.map((condition) => aProcessedItem(itemIds[0]!, { condition, reason: 'Too big' }));
    await way({ orderId, items, resolution, customerId, comment: 'Handle is loose.' });
    found.push(await tracesOf(orderId));
  }
  expect(found[0]).toEqual(found[1]);
  expect(found[0]).toMatchObject({ runs: [{ state: 'done' }], returns: [{ status: 'closed' }] });
  await booksHold();
});

test('of eight at once under one key one is carried out; the others are answered by what it wrote', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'one-key' };
  const runs = await eightAtOnce(() => collapse(wish));
  const again = await collapse(wish);

  expect(runs.filter(({ isReused }) => !isReused)).toHaveLength(1);
  const { processId, returnId } = again;
  expect(runs.map((run) => [run.processId, run.returnId])).toEqual(runs.map(() => [processId, returnId]));
  expect(again.isReused).toBe(true);
  expect(await memosOf(orderId)).toHaveLength(1);
  expect(await returnsOf(orderId, 'return_id')).toEqual([{ return_id: returnId }]);
});

test('of eight at once for the same goods as many are carried out as there are goods', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const items = [aProcessedItem(itemIds[0]!)];
  const { done, refused } = await outcomesAtOnce(8, () => collapse({ orderId, items }));
  expect(done).toHaveLength(2);
  expect(refused).toMatchObject(refused.map(() => ({ status: 400, parameters: { reason_code: 'quantity' } })));
  expect(await memosOf(orderId)).toHaveLength(2);
});

test('one key for two orders at once: one is carried out, the other one is told so', async () => {
  const sales = [await anOrder(fork()), await anOrder(fork())];
  const { done, refused } = await outcomesAtOnce(2, async (number) => {
    const { orderId, itemIds } = sales[number]!;
    return collapse({ orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'of-two-orders' });
  });
  expect(done).toHaveLength(1);
  expect(refused).toMatchObject([{ status: 400, message: 'This request already asked for another return.' }]);
});

const byCard = { method: 'provider_a', lastTransId: 'pay_1' };
const online = { isOnline: true, canRefundThrough: () => true };

test('a refund to the card is written down with the goods, before anybody is asked', async () => {
  const { orderId, itemIds } = await anOrder(fork(), byCard);
  const run = await collapse({ ...online, orderId, items: [aProcessedItem(itemIds[0]!)] });

  expect(run).toMatchObject({ isReused: false, attempt: { isClaimed: false } });
  const { attemptId } = run.attempt!;
  expect(await processesOf(orderId, 'state', 'refund_attempt_id')).toEqual([
    { state: 'open', refund_attempt_id: attemptId },
  ]);
  expect(await returnsOf(orderId, 'status')).toEqual([{ status: 'awaiting_refund' }]);

  const finding = { evidence: 'refunded', gatewayReference: `gw-${attemptId}` } as const;
  await recordFinding(orm.em, { attemptId, finding, now: new Date() });
  expect(await returnsOf(orderId, 'status')).toEqual([{ status: 'closed' }]);
  await booksHold();
});

/** A refund that took so much money, and brought no goods back. */
function goodwillOf(sum: number) {
  const [inBase, inOrder] = [{ base_adjustment_positive: sum, base_total_refunded: sum }, { adjustment_positive: sum }];
  return { ...inBase, ...inOrder, total_refunded: sum };
}

test.each([
  ['nothing is left to refund', goodwillOf(108), {}],
  ['no gateway can take the payment back', {}, { isOnline: true }],
  ['store credit has no customer', {}, { resolution: 'store_credit' }],
  ['nobody waits for it any more', {}, tooLate()],
] as const)('where %s, neither run, return, memo nor goods are left behind', async (_why, changes, wish) => {
  const { orderId, itemIds } = await anOrder(fork());
  if (Object.keys(changes).length > 0) await change('sales_order', { entity_id: orderId }, changes);
  const before = await tracesOf(orderId);
  const onTheShelf = await shelf();

  const refusal = 'beginBefore' in wish ? refusedTooLate : { status: 400 };
  await expect(collapse({ orderId, items: [aProcessedItem(itemIds[0]!)], ...wish })).rejects.toMatchObject(refusal);

  expect(await tracesOf(orderId)).toEqual(before);
  expect(await shelf()).toBe(onTheShelf);
});

test('a key that is done is answered first, also when nobody waits any more', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'done-in-time' };
  const first = await collapse(wish);

  expect(await collapse({ ...wish, ...tooLate() })).toMatchObject({
    ...{ processId: first.processId, returnId: first.returnId, isReused: true },
  });
});

test('a key of other content is refused, and the first run stays', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const wish = { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'two-contents' };
  await collapse(wish);

  await expect(collapse({ ...wish, resolution: 'exchange' })).rejects.toMatchObject({ status: 400 });
  expect(await memosOf(orderId)).toHaveLength(1);
});

test.each([
  ['in cash it is over', {}, false],
  ['by card it waits for its refund', online, true],
])('its return is followed while it is open: %s', async (_case, wish, isFollowed) => {
  const { orderId, itemIds } = await anOrder(fork(), byCard);
  await collapse({ ...wish, orderId, items: [aProcessedItem(itemIds[0]!)] });

  const [rma] = await returnsOf(orderId, 'followed_at');
  expect(rma!.followed_at !== null).toBe(isFollowed);
});
