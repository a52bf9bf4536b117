import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readGatewayLedger } from '../../cli/support/read-gateway-ledger.ts';
import { verify } from '../../db/verify/verify.ts';
import type { Answer } from '../support/api.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { aRegister, type Register } from '../support/register.ts';
import { waitUntil } from '../support/wait-until.ts';
import { aWorkerProcess } from '../support/worker-process.ts';
import { chanceOf, type Chance } from './random.ts';

/**
 * Registers that sell, take back, press twice and give up waiting, a gateway that loses answers, a worker that is
 * killed in between. Whatever happened, at the end every question has been answered and the books agree with the gateway.
 *
 * `SEED=… npm test -- test/simulation` repeats a day, `REGISTERS` and `STEPS` make it longer; the seed is printed.
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const registers = Number(process.env['REGISTERS'] ?? 4);
const stepsEach = Number(process.env['STEPS'] ?? 8);

let flow: Flow;
let register: Register;
let worker: Awaited<ReturnType<typeof aWorkerProcess>>;
beforeAll(async () => {
  flow = await aFlow({ startsWorker: false });
  register = aRegister(flow);
  worker = await aWorkerProcess(flow);
  await fetch(`${flow.gateway.url}/control/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slow_ms: 200, silence_ms: 6_000 }),
  });
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await flow.close();
}, 60_000);

/** Cents that call the gateway's moods up; most of a day is ordinary. */
const moods = ['00', '00', '00', '51', '52', '61', '64', '65', '71', '72', '73', '81'] as const;
const methods = ['original_payment', 'original_payment', 'cash', 'terminal'] as const;

test(`a day at ${registers} registers ends with clean books (seed ${seed})`, async () => {
  console.log(`simulation seed=${seed}`);
  const day = Array.from({ length: registers }, (_, index) => aCashier(chanceOf(seed + index), `${seed}-${index}`));
  await Promise.all([...day, trouble(chanceOf(seed + 99))]);

  await settleEveryQuestion();

  expect(await verify(flow.api.orm.em.fork(), { readLedger: () => readGatewayLedger(flow.gateway.url) })).toEqual([]);
  expect(await bookedByAttempt()).toEqual(refundedByAttempt());
}, 600_000);

async function aCashier(chance: Chance, name: string): Promise<void> {
  for (let step = 0; step < stepsEach; step++) {
    const price = `${10 + chance.below(20)}.${chance.oneOf(moods)}`;
    const sale = await register.sale(price);
    const wish = { refundMethod: chance.oneOf(methods), posSaleId: `${name}-${step}` };
    const presses = chance.percent(30) ? 2 : 1;
    const answers = await Promise.all(Array.from({ length: presses }, () => register.returnOne(sale, wish)));
    const rmaId = returnIdOf(answers);
    if (rmaId === undefined) continue;
    if (chance.percent(60)) await register.settle(rmaId, { method: chance.oneOf(methods) });
  }
}

const returnIdOf = (answers: readonly Answer[]): number | undefined =>
  answers.map(({ body }) => body.id ?? body.parameters?.return_id).find((id) => id !== undefined);

/** The worker dies twice a day, at a bad moment. */
async function trouble(chance: Chance): Promise<void> {
  for (let death = 0; death < 2; death++) {
    const seen = flow.gateway.ledger.refunds.length;
    await waitUntil(
      'the gateway has been busy',
      async () => flow.gateway.ledger.refunds.length > seen + chance.below(3),
      60_000,
    ).catch(() => undefined);
    await worker.kill();
    worker = await aWorkerProcess(flow);
  }
}

/** An operator comes by in the evening and answers every open question truthfully, from the gateway's own ledger. */
async function settleEveryQuestion(): Promise<void> {
  const open = () =>
    flow.api.orm.em
      .fork()
      .execute<{ attempt_id: number; state: string }[]>(
        `select attempt_id, state from refund_attempt where state in ('started', 'uncertain')`,
      );
  await waitUntil(
    'every question is answered',
    async () => {
      await flow.client.workflow.execute('repairLimbo', {
        taskQueue: flow.taskQueue,
        workflowId: `sweep-${seed}`,
        args: [],
      });
      for (const { attempt_id: attemptId, state } of await open()) {
        if (state !== 'uncertain') continue;
        const resolution = `refund-attempt-${attemptId}` in refundedByAttempt() ? 'refunded' : 'not_refunded';
        await register.call('POST', `/V1/pos/rma/refund-attempts/${attemptId}/resolve`, {
          resolution,
          staffName: 'Olga',
          note: 'evening',
        });
      }
      return (await open()).length === 0;
    },
    180_000,
  );
}

/** What the gateway really gave back, by our reference. */
const refundedByAttempt = (): Record<string, string> =>
  Object.fromEntries(
    flow.gateway.ledger.refunds
      .filter(({ state }) => state === 'refunded')
      .map((refund) => [refund.references[0] ?? '', Number(refund.amount / 10_000).toFixed(2)]),
  );

async function bookedByAttempt(): Promise<Record<string, string>> {
  const rows = await flow.api.orm.em
    .fork()
    .execute<{ attempt_id: number; amount: string }[]>(
      `select attempt_id, round(amount, 2)::text as amount from refund_attempt where state = 'booked'`,
    );
  return Object.fromEntries(rows.map(({ attempt_id, amount }) => [`refund-attempt-${attempt_id}`, amount] as const));
}
