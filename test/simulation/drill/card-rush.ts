import { setTimeout as pause } from 'node:timers/promises';
import { aParkedReturn, aSale, returnBody, settleUntilClosed } from '../../crash/cashier.ts';
import type { Lane } from '../../crash/lane.ts';
import { calmGateway } from '../calm-gateway.ts';
import { evening } from '../evening.ts';
import { findWrong } from '../find-wrong.ts';

export interface RushReport {
  refunds: number;
  wrong: string[];
  [figure: string]: unknown;
}

const cashiers = 12;
const replaceEveryMs = 2_000;
const slowEvery = 5;

/**
 * Workers and APIs are replaced one after the other, as in a deployment, while customers get their money back on the
 * card; some calls take three seconds. Each refund is clear: none comes into doubt. Needs a lane with twins whose
 * gateway may take ten seconds.
 */
export async function drillRolling(lane: Lane, refunds: number): Promise<RushReport> {
  await calmGateway(lane, { slow_ms: 3_000, silence_ms: 30_000 });
  const sales = [];
  for (let at = 0; at < refunds; at++) sales.push(await aSale(lane, at % slowEvery === 0 ? '12.81' : '12.00'));
  const counters = [lane.teller, ...lane.moreTellers];
  const waiting = [...sales.entries()];
  const cashier = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, sale] = next;
      const at1 = { ...lane, teller: counters[at % counters.length] ?? lane.teller };
      const body = returnBody(lane, sale, { refundMethod: 'original_payment' });
      const answer = await at1.teller.press('POST', '/V1/pos/rma', body);
      const id: number = answer.body?.id ?? answer.body?.parameters?.return_id;
      await settleUntilClosed(at1, id, 'original_payment');
    }
  };
  let isOver = false;
  let replaced = 0;
  const deployment = (async () => {
    const all = [lane.processes.worker, ...lane.moreProcesses, lane.processes.api];
    for (let at = 0; !isOver; at = (at + 1) % all.length, await pause(replaceEveryMs)) {
      await all[at]?.replace();
      replaced++;
    }
  })();
  await Promise.all(Array.from({ length: cashiers }, cashier));
  isOver = true;
  await deployment;
  const doubts = await doubtsOf(lane);
  const given = lane.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
  return {
    refunds,
    replaced,
    doubts,
    given,
    wrong: [
      ...(doubts === 0 ? [] : [`${doubts} refunds came into doubt`]),
      ...(given === refunds ? [] : [`the gateway gave ${given} of ${refunds} back`]),
      ...(await findWrong(lane)),
    ],
  };
}

/** An event is written with each doubt. */
async function doubtsOf({ orm }: Lane): Promise<number> {
  const [row] = await orm.em
    .fork()
    .execute<{ count: number }[]>("select count(*) from pos_event where type = 'refund.uncertain'");
  return Number(row?.count);
}

const settles = 40;

/**
 * So many refunds whose gateway hangs for twenty seconds, and beside them returns that are settled in cash. `ratio` is
 * how long a settle takes beside them, as a multiple of one alone: the plan wants 1.5 at most.
 */
export async function drillHanging(lane: Lane, refunds: number): Promise<RushReport> {
  await calmGateway(lane, { slow_ms: 20_000, silence_ms: 20_000 });
  const returns = [];
  for (let at = 0; at < settles * 2; at++) returns.push(await aParkedReturn(lane, await aSale(lane, '10.00')));
  const hanging = [];
  for (let at = 0; at < refunds; at++) hanging.push(await aSale(lane, '12.62'));
  const alone = await settleAll(lane, returns.slice(0, settles));
  const answers = hanging.map((sale) =>
    lane.teller.press('POST', '/V1/pos/rma', returnBody(lane, sale, { refundMethod: 'original_payment' })),
  );
  await pause(replaceEveryMs);
  const beside = await settleAll(lane, returns.slice(settles));
  const answered = Map.groupBy(await Promise.all(answers), ({ status }) => status);
  await evening(lane);
  const given = lane.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
  const refused = answered.get(400)?.length ?? 0;
  return {
    refunds,
    ratio: Math.round((beside / alone) * 100) / 100,
    answered: Object.fromEntries([...answered].map(([status, all]) => [status, all.length])),
    wrong: [
      ...(given === refunds ? [] : [`the gateway gave ${given} of ${refunds} back`]),
      // It gave all of them: who was told "refused" pays a second time.
      ...(refused === 0 ? [] : [`${refused} refunds were told as refused`]),
      ...(await findWrong(lane)),
    ],
  };
}

/** @returns the median of how long they took, in milliseconds */
async function settleAll(lane: Lane, returns: readonly number[]): Promise<number> {
  const took: number[] = [];
  for (const id of returns) {
    const began = performance.now();
    await lane.teller.press('POST', `/V1/pos/rma/${id}/settle`, { method: 'cash' });
    took.push(performance.now() - began);
  }
  return took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? 0;
}
