import { setTimeout as pause } from 'node:timers/promises';
import { aSale, type Sale } from '../crash/cashier.ts';
import type { Lane } from '../crash/lane.ts';
import type { TellersAnswer } from '../crash/teller.ts';
import type { Chance } from './random.ts';

/** What the registers of a day share: the shop, and the returns that another register may reach for. */
export interface Counter {
  lane: Lane;
  locations: readonly number[];
  returns: number[];
  presses: number;
  lostAnswers: number;
}

interface Cashier {
  chance: Chance;
  /** Of the register, in the sale ids it makes. */
  name: string;
  steps: number;
}

/** Cents that call the gateway's moods up; most of a day is ordinary. */
const moods = ['00', '00', '00', '00', '51', '52', '61', '63', '64', '65', '71', '72', '73', '81'] as const;
const methods = ['original_payment', 'original_payment', 'cash', 'terminal'] as const;

/** A cashier who sometimes gives up waiting after this long, and presses again. */
const impatientMs = [50, 200, 600] as const;
const patientMs = 45_000;
const mostPresses = 6;
const pauseMs = 150;

/** A register's day: sales, what comes back of them, and reaching for what others are at. */
export async function aCashier(counter: Counter, cashier: Cashier): Promise<void> {
  const { chance, steps } = cashier;
  for (let step = 0; step < steps; step++) {
    const sale = await aSale(counter.lane, `${10 + chance.below(20)}.${chance.oneOf(moods)}`);
    const posSaleId = `${cashier.name}-${step}`;
    await chance.oneOf([takeBackAtOnce, takeBackAtOnce, takeBackInSteps, takeBackCollapsed])(counter, {
      chance,
      sale,
      posSaleId,
    });
    if (chance.percent(50)) await meddle(counter, chance);
  }
}

interface Comeback {
  chance: Chance;
  sale: Sale;
  posSaleId: string;
}

const press = async (
  counter: Counter,
  chance: Chance,
  [method, path, body]: [string, string, unknown?],
): Promise<TellersAnswer | undefined> => {
  for (let tried = 0; tried < mostPresses; tried++) {
    counter.presses++;
    const patienceMs = tried === 0 && chance.percent(25) ? chance.oneOf(impatientMs) : patientMs;
    const answer = await counter.lane.teller.pressOnce(method, path, body, { patienceMs });
    if (answer && answer.status < 503) return answer;
    counter.lostAnswers++;
    await pause(pauseMs);
    // Or a day would be over before a process that died is back.
    await counter.lane.processes.api.untilReady();
  }
  return undefined;
};

const rowsOf = (sale: Sale, more: object = {}) =>
  JSON.stringify([{ order_item_id: sale.itemId, qty_requested: 1, resolution: 'Refund', ...more }]);

const note = (counter: Counter, answer: TellersAnswer | undefined): number | undefined => {
  const id: unknown = answer?.body?.id ?? answer?.body?.parameters?.return_id;
  if (typeof id !== 'number') return undefined;
  if (!counter.returns.includes(id)) counter.returns.push(id);
  return id;
};

/** One press for all of it, sometimes two at once; a parked one is settled by and by. */
async function takeBackAtOnce(counter: Counter, { chance, sale, posSaleId }: Comeback): Promise<void> {
  const body = {
    orderId: sale.orderId,
    items: rowsOf(sale),
    autoApprove: true,
    locationId: chance.oneOf([counter.locations[0] ?? 1, ...counter.locations]),
    refundMethod: chance.oneOf(methods),
    posSaleId,
  };
  const fingers = chance.percent(30) ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: fingers }, () => press(counter, chance, ['POST', '/V1/pos/rma', body])),
  );
  const [id] = answers.map((answer) => note(counter, answer)).filter((known) => known !== undefined);
  if (id !== undefined && chance.percent(60))
    await press(counter, chance, ['POST', `/V1/pos/rma/${id}/settle`, { method: chance.oneOf(methods) }]);
}

/** Asked for, approved, received and resolved, each by a press of its own. */
async function takeBackInSteps(counter: Counter, { chance, sale, posSaleId }: Comeback): Promise<void> {
  const asked = await press(counter, chance, [
    'POST',
    '/V1/pos/rma',
    { orderId: sale.orderId, items: rowsOf(sale), autoApprove: false, posSaleId },
  ]);
  const id = note(counter, asked);
  const itemId: unknown = asked?.body?.items?.[0]?.entity_id;
  if (id === undefined || typeof itemId !== 'number') return;
  const at = `/V1/pos/rma/${id}`;
  await press(counter, chance, ['PUT', `${at}/status`, { status: chance.percent(90) ? 'approved' : 'rejected' }]);
  await press(counter, chance, [
    'POST',
    `${at}/receive`,
    {
      locationId: chance.oneOf([counter.locations[0] ?? 1, ...counter.locations]),
      itemsJson: JSON.stringify([{ rma_item_id: itemId, condition: 'Unopened', return_to_stock: true }]),
    },
  ]);
  const resolution = { rma_item_id: itemId, resolution_mode: 'refund', refund_method: chance.oneOf(methods) };
  await press(counter, chance, ['POST', `${at}/resolve`, { resolutionsJson: JSON.stringify([resolution]) }]);
}

/** Goods and money in one call, without a return to come back to: it is pressed once. */
async function takeBackCollapsed(counter: Counter, { chance, sale }: Comeback): Promise<void> {
  counter.presses++;
  await counter.lane.teller.pressOnce('POST', '/V1/pos/rma/process', {
    orderId: sale.orderId,
    items: JSON.stringify([{ order_item_id: sale.itemId, qty: 1 }]),
    resolution: 'refund',
    isOnline: chance.percent(60),
  });
}

/** Reaching for a return that another register may be working on. */
async function meddle(counter: Counter, chance: Chance): Promise<void> {
  const id = counter.returns[chance.below(counter.returns.length)];
  if (id === undefined) return;
  const at = `/V1/pos/rma/${id}`;
  await press(
    counter,
    chance,
    chance.oneOf<[string, string, unknown?]>([
      ['POST', `${at}/settle`, { method: chance.oneOf(methods) }],
      ['POST', `${at}/settle`, { method: 'original_payment' }],
      ['POST', `${at}/close`, { comment: 'kept after all' }],
      ['POST', `${at}/cancel-refund`, {}],
      ['POST', `${at}/comment`, { comment: 'asked twice' }],
      ['PUT', `${at}/status`, { status: 'denied' }],
      ['GET', at],
    ]),
  );
  await askAgain(counter, chance, id);
}

/** The gateway is asked again about an open question; a person does not answer before the evening. */
async function askAgain(counter: Counter, chance: Chance, id: number): Promise<void> {
  const { body } = (await press(counter, chance, ['GET', `/V1/pos/rma/${id}`])) ?? {};
  if (body?.refund_attempt_state !== 'uncertain' || chance.percent(50)) return;
  await press(counter, chance, ['POST', `/V1/pos/rma/refund-attempts/${body.refund_attempt_id}/reconcile`]);
}
