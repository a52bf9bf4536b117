import { toWire } from '../../domain/money.ts';
import type { Client } from '../client.ts';
import { criteria } from '../criteria.ts';
import { valueOf } from '../results.ts';
import type { Shape } from '../shapes.ts';
import { totalsOf, type ShopMoney } from '../totals.ts';
import type { Day } from './day.ts';
import type { Exchange } from './line.ts';

/** What a register must not do, and where that shows. */
export const checks = {
  lost_sale: 'Every sale that was pressed is in the books.',
  double_sale: 'No sale is in the books twice.',
  wrong_sum: 'The sums are those of the goods, in both currencies, to the coin.',
  not_paid: 'Every sale over the counter has its invoice.',
  not_handed_over: 'Every sale over the counter has its shipment.',
  no_receipt: 'Every order has its receipt, and the receipt came first.',
  out_of_order: 'What was sold without a line is booked in the order in which it was sold.',
  double_payment: 'A deposit is booked once, and as it was paid.',
  double_return: 'Goods come back once.',
  unsettled_return: 'A return is settled, so that the money is booked.',
  unanswered_doubt: 'Where it was not known whether money went back, the same request was sent until it was known.',
  forbidden_new_id: 'A request that had no answer is sent again under the same id and key.',
  changed_content: 'A request is sent again word for word.',
  too_soon: 'A request is sent again no sooner than Retry-After says.',
  stale_settings: 'Settings that changed are read again.',
} as const;
export type Check = keyof typeof checks;

export interface Finding {
  check: Check;
  /** `not_observed`: the day never came to what the rule is about. That is no proof, so it fails like a broken rule. */
  verdict: 'broken' | 'not_observed';
  /** The task's number and title. */
  task: string;
  says: string;
  /** Places of what went over the line. */
  exchanges: readonly number[];
}

type PlayedTask = Day['tasks'][number];
type Order = Shape<'Order'>;

/**
 * Judges a day by the books, read from the service itself. What no book shows (an id that was made anew and refused, a
 * pause, a pull of settings) is judged by what went over the line.
 *
 * @param books reaches the service itself, not the line, with a token that may read orders, receipts and returns
 */
export async function judge(day: Day, { books, money }: { books: Client; money: ShopMoney }): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen = new Set<Check>(['lost_sale']);
  const orderIds: number[] = [];
  const booked = new Set<string>();
  for (const task of day.tasks) {
    const note = (check: Check, says: string) =>
      found.push({
        ...{ check, verdict: 'broken', task: `${task.number}. ${task.title}`, says },
        exchanges: placesOf(task, day.exchanges),
      });
    if (task.do === 'sell' || task.do === 'lay_away') {
      const orders = await ordersOf(books, task.email);
      const [order] = orders;
      if (!order) note('lost_sale', `There is no order of ${task.email}.`);
      if (orders.length > 1) note('double_sale', `There are ${orders.length} orders of ${task.email}.`);
      if (!order) continue;
      orderIds.push(Number(order.entity_id));
      booked.add(task.email);
      observeSale(task, day.exchanges, seen);
      judgeSums(order, task, money, note);
      if (task.do === 'sell') await judgeSale(books, order, note);
      else judgeLayaway(order, task, note);
    }
    if (task.do === 'take_back') await judgeReturn(books, task, day, { note, seen });
    if (task.do === 'read_settings') judgeSettings(task, day.exchanges, { note, seen });
  }
  const offline = day.tasks.filter(({ isOffline }) => isOffline);
  if (offline.length > 1 && offline.every(({ email }) => booked.has(email))) seen.add('out_of_order');

  if (orderIds.some((id, at) => at > 0 && id < Number(orderIds[at - 1])))
    found.push({
      ...{
        check: 'out_of_order',
        verdict: 'broken',
        task: 'The whole day',
        says: `The orders are ${orderIds.join(', ')}.`,
        exchanges: [],
      },
    });
  const all = [...found, ...judgeLine(day, seen)];
  return [...all, ...notObserved(all, seen)];
}

/** Rules that the day never put to the test, each with what it lacks. */
function notObserved(found: readonly Finding[], seen: ReadonlySet<Check>): Finding[] {
  const judged = new Set([...found.map(({ check }) => check), ...seen]);
  return (Object.keys(checks) as Check[])
    .filter((check) => !judged.has(check))
    .map((check) => ({ check, verdict: 'not_observed', task: 'The whole day', says: needs[check], exchanges: [] }));
}

/** What must happen on the day for a rule to be judged. */
const needs: Record<Check, string> = {
  lost_sale: 'No sale was asked for.',
  double_sale: 'No order was booked whose answer was lost.',
  wrong_sum: 'The sale of three at 0.35 is not in the books.',
  not_paid: 'No sale over the counter is in the books.',
  not_handed_over: 'No sale over the counter is in the books.',
  no_receipt: 'No sale over the counter is in the books.',
  out_of_order: 'The sales without a line are not both in the books.',
  double_payment: 'No deposit was sent whose answer was lost.',
  double_return: 'No return was sent whose answer was lost.',
  unsettled_return: 'No return is in the books.',
  unanswered_doubt: 'No request was answered with 409 gateway_uncertain.',
  forbidden_new_id: 'No request without an answer was sent again.',
  changed_content: 'No request without an answer was sent again.',
  too_soon: 'No request that was answered with Retry-After was sent again.',
  stale_settings: 'No heartbeat was sent.',
};

/** What an order in the books lets the day say. */
function observeSale(task: PlayedTask, exchanges: readonly Exchange[], seen: Set<Check>): void {
  const faults = exchanges.slice(task.from, task.to).filter(({ fault }) => fault === 'answer_lost');
  if (faults.some(({ path }) => /^\/V1\/orders(?:\?|$)/.test(path))) seen.add('double_sale');
  if (faults.some(({ path }) => path.includes('/payments'))) seen.add('double_payment');
  if (task.lines.some(({ price }) => !Number.isInteger(price))) seen.add('wrong_sum');
  if (task.do === 'sell') for (const check of ['not_paid', 'not_handed_over', 'no_receipt'] as const) seen.add(check);
}

interface Judging {
  note: Note;
  seen: Set<Check>;
}

type Note = (check: Check, says: string) => void;

async function ordersOf(books: Client, email: string): Promise<Order[]> {
  const query = criteria().where('customer_email', email).sortedBy('entity_id').query();
  return valueOf(await books.get('/V1/orders', { query })).items;
}

function judgeSums(order: Order, task: PlayedTask, money: ShopMoney, note: Note): void {
  const totals = totalsOf(task.lines, money);
  const expected = {
    ...{ subtotal: totals.order.subtotal, base_subtotal: totals.base.subtotal },
    ...{ tax_amount: totals.order.taxAmount, base_tax_amount: totals.base.taxAmount },
    ...{ grand_total: totals.order.grandTotal, base_grand_total: totals.base.grandTotal },
  };
  for (const [key, amount] of Object.entries(expected)) {
    const booked: unknown = Reflect.get(order, key);
    if (booked !== toWire(amount)) note('wrong_sum', `${key} is ${String(booked)}, and should be ${toWire(amount)}.`);
  }
}

async function judgeSale(books: Client, order: Order, note: Note): Promise<void> {
  const ofOrder = criteria().where('order_id', Number(order.entity_id)).query();
  if (Number(order.total_due) !== 0) note('not_paid', `Order ${order.increment_id} has ${order.total_due} due.`);
  const shipments = valueOf(await books.get('/V1/shipments', { query: ofOrder })).total_count;
  if (shipments !== 1) note('not_handed_over', `Order ${order.increment_id} has ${shipments} shipments.`);
  const saleId = order.extension_attributes?.pos_sale_id ?? '';
  const query = criteria().where('pos_order_id', saleId).query();
  const receipts = saleId === '' ? [] : valueOf(await books.get('/V1/pos/receipts', { query })).items;
  if (receipts.length === 0) note('no_receipt', `Order ${order.increment_id} has no receipt of its sale.`);
  const isLate = receipts.some((one) => momentOf(one.created_at) > momentOf(order.created_at) + secondMs);
  if (isLate) note('no_receipt', `The receipt of order ${order.increment_id} came after the order.`);
}

/** The platform's moments are in UTC, and whole seconds. */
const secondMs = 1_000;
const momentOf = (text = '') => Date.parse(/[Z+]/.test(text) ? text : `${text.replace(' ', 'T')}Z`);

function judgeLayaway(order: Order, { deposit = 0 }: PlayedTask, note: Note): void {
  const paid = Number(order.grand_total) - Number(order.extension_attributes?.pos_layaway_balance_owed);
  if (paid.toFixed(4) !== deposit.toFixed(4)) note('double_payment', `${paid} is booked of a deposit of ${deposit}.`);
}

async function judgeReturn(books: Client, task: PlayedTask, day: Day, { note, seen }: Judging): Promise<void> {
  const [order] = await ordersOf(books, task.of ?? '');
  if (!order) return note('lost_sale', `There is no order of ${task.of} to take back.`);
  const path = { orderId: Number(order.entity_id) };
  const returns = valueOf(await books.get('/V1/pos/rma/order/{orderId}', { path })).filter(
    ({ status }) => status !== 'denied',
  );
  const own = day.exchanges.slice(task.from, task.to);
  const isDoubt = own.some(({ answer }) => answer.includes('gateway_uncertain'));
  if (isDoubt) seen.add('unanswered_doubt');
  if (returns.length > 0) seen.add('unsettled_return');
  if (own.some(({ fault, path }) => fault === 'answer_lost' && /^\/V1\/pos\/rma(?:\?|$)/.test(path)))
    seen.add('double_return');
  const missing = `There is no return of order ${order.increment_id}.`;
  if (returns.length === 0) note(isDoubt ? 'unanswered_doubt' : 'unsettled_return', missing);
  if (returns.length > 1) note('double_return', `Order ${order.increment_id} has ${returns.length} returns.`);
  for (const one of returns)
    if (one.credit_memo_id === null) note('unsettled_return', `Return ${one.increment_id} is ${one.status}.`);
}

/** No book shows who read the settings. */
function judgeSettings(task: PlayedTask, exchanges: readonly Exchange[], { note, seen }: Judging): void {
  const own = exchanges.slice(task.from, task.to);
  const beat = own.findIndex(({ path }) => path.includes('/heartbeat'));
  if (beat < 0) return;
  seen.add('stale_settings');
  const isRead = exchanges
    .slice(task.from + beat)
    .some(({ method, path }) => method === 'GET' && path.includes('/config'));
  if (!isRead) note('stale_settings', 'The settings were not read after the heartbeat with another hash.');
}

/** Requests that book something, by what they are about. */
const writes: readonly [RegExp, (exchange: Exchange) => string | null][] = [
  [/^\/V1\/orders(?:\?|$)/, ({ body }) => /"customer_email":"([^"]+)"/.exec(body)?.[1] ?? null],
  [/^\/V1\/order\/\d+\/(?:invoice|ship)/, ({ path }) => path],
  [/^\/V1\/pos\/rma(?:\?|$)/, ({ body }) => /"orderId":"?(\d+)/.exec(body)?.[1] ?? null],
  [/^\/V1\/pos\/rma\/\d+\/settle/, ({ path }) => path],
  [/^\/V1\/pos\/layaways\/\d+\/payments/, ({ path }) => path],
];

const isOpen = ({ status, answer }: Exchange) =>
  status === null || status >= 500 || status === 429 || (status === 409 && /in_use|uncertain/.test(answer));

/** What the register calls the thing. */
const ids = /"(?:pos_sale_id|posSaleId|reference)":"([^"]*)"/g;
const idsIn = ({ body }: Exchange) => [...body.matchAll(ids)].map(([, id]) => id).join(' ');

function judgeLine({ tasks, exchanges }: Day, seen: Set<Check>): Finding[] {
  const found: Finding[] = [];
  const note = (check: Check, says: string, ...places: readonly Exchange[]) => {
    const at = places[0]?.at ?? 0;
    const task = tasks.find(({ from, to }) => from <= at && at < to);
    const name = task ? `${task.number}. ${task.title}` : 'Between two tasks';
    found.push({ check, verdict: 'broken', task: name, says, exchanges: places.map((one) => one.at) });
  };
  for (const [path, aboutOf] of writes) {
    const open = new Map<string, Exchange>();
    for (const exchange of exchanges.filter((one) => one.method !== 'GET' && path.test(one.path))) {
      const about = aboutOf(exchange) ?? '';
      const before = open.get(about);
      if (before) {
        seen.add('forbidden_new_id').add('changed_content');
        if (before.retryAfterMs !== null) seen.add('too_soon');
        judgeRepeat(before, exchange, note);
      }
      if (isOpen(exchange)) open.set(about, exchange);
      else open.delete(about);
    }
  }
  return found;
}

type NoteOfLine = (check: Check, says: string, ...places: readonly Exchange[]) => void;

/** The second of two requests about one thing, where the first had no answer. */
function judgeRepeat(before: Exchange, after: Exchange, note: NoteOfLine): void {
  const what = `${after.method} ${after.path.split('?')[0]}`;
  if (idsIn(before) !== idsIn(after)) note('forbidden_new_id', `${what} came again under another id.`, before, after);
  else if (before.key !== after.key) note('forbidden_new_id', `${what} came again under another key.`, before, after);
  else if (before.body !== after.body) note('changed_content', `${what} came again with another body.`, before, after);
  if (after.ms - before.ms < (before.retryAfterMs ?? 0) * clocksDiffer)
    note('too_soon', `${what} came again after ${Math.round(after.ms - before.ms)} ms.`, before, after);
}

/** No clock is exact. */
const clocksDiffer = 0.9;

const placesOf = ({ from, to }: PlayedTask, exchanges: readonly Exchange[]) =>
  exchanges.slice(from, to).map(({ at }) => at);
