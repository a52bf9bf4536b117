import { expect, test } from 'vitest';
import { noteAsked } from '../../../db/process/note-asked.ts';
import { processAtOnce, type ProcessAtOnce } from '../../../db/process/process-at-once.ts';
import { recordTaken } from '../../../db/process/record-taken.ts';
import { settleProcess } from '../../../db/process/settle-process.ts';
import { builtInCode } from '../../../domain/returns/built-in-code.ts';
import { noObjection } from '../../../domain/returns/eligibility.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { opensAShop, orm } from '../../support/order-book.ts';

opensAShop();

type Wish = Partial<ProcessAtOnce> & Pick<ProcessAtOnce, 'orderId' | 'items'>;

let requests = 0;
const wishOf = (wish: Wish): ProcessAtOnce => ({
  requestKey: `at-once-${++requests}`,
  customerId: null,
  resolution: 'refund',
  resolutionId: null,
  isOnline: false,
  comment: null,
  author: 'Ada',
  provider: { code: builtInCode, resolutionIds: [], verdict: noObjection },
  storeCreditIn: 'store_credit',
  ...wish,
});
const atOnce = (wish: Wish) => processAtOnce(orm.em, wishOf(wish));

/** As its workflow takes it: written down, taken on, settled. */
async function theLongWay(wish: Wish): Promise<void> {
  const { processId } = await aProcess(orm, wishOf(wish));
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
  for (const way of [atOnce, theLongWay]) {
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

test('of eight at once with one name one is carried out; the others go the long way, where it is known', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const wish = wishOf({ orderId, items: [aProcessedItem(itemIds[0]!)] });
  const runs = await eightAtOnce(() => processAtOnce(orm.em, wish));
  expect(runs.filter((run) => run !== undefined)).toHaveLength(1);
  expect(await memosOf(orderId)).toHaveLength(1);
});

test('of eight at once for the same goods as many are carried out as there are goods', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const items = [aProcessedItem(itemIds[0]!)];
  const runs = await eightAtOnce(() => atOnce({ orderId, items }));
  expect(runs.filter((run) => run !== undefined)).toHaveLength(2);
  expect(await memosOf(orderId)).toHaveLength(2);
});

test('one name for two orders at once: one is carried out', async () => {
  const sales = [await anOrder(fork()), await anOrder(fork())];
  const runs = await Promise.all(
    sales.map(({ orderId, itemIds }) =>
      atOnce({ orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'of-two-orders' }),
    ),
  );
  expect(runs.filter((run) => run !== undefined)).toHaveLength(1);
});

test('what is refused on the way leaves nothing behind: neither run, return, memo nor goods', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  // Another refund has used the money up, though no goods came back with it.
  await change('sales_order', { entity_id: orderId }, { total_refunded: 108, base_total_refunded: 108 });
  const before = await tracesOf(orderId);
  expect(await atOnce({ orderId, items: [aProcessedItem(itemIds[0]!)] })).toBeUndefined();
  expect(await tracesOf(orderId)).toEqual(before);
});
