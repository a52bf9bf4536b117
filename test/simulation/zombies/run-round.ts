import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { aFlow, type Flow } from '../../support/flow.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { aHalfMadeReturn, finishReturn } from '../../support/builders/half-made-return.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { readGatewayLedger } from '../../../cli/verify-books.ts';
import { verify } from '../../../books/verify/verify.ts';
import type { Chance } from '../random.ts';
import { aWireTo } from './a-wire-to-cut.ts';
import { laxities, type FreezeLength, type Round } from './trial.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';

/** Short, so that a round is over in seconds: the call's own, and how soon a doubt is asked about. */
const timeoutSeconds = 3;
const reconcileAfterSeconds = 5;

/** Longer than any step of a round takes on a busy machine. */
const patienceMs = 90_000;

export interface RoundResult {
  /** How often each gateway really gave the money of each of its orders back. */
  refunds: { strict: number[]; lax: number[] };
  /** The rules of the books that do not hold, by number. */
  broken: string[];
  /** The orders where the gateway's books and ours differ, and those of the lax gateway. */
  differing: number[];
  laxOrders: number[];
  /** Where each return ended. */
  statuses: string[];
}

const methods = { strict: 'provider_a', lax: 'provider_b' } as const;

/**
 * One process claims the calls of some partial refunds and stands still; others carry on; the first comes back.
 *
 * Each round has a shop, a database and a gateway of its own.
 */
export async function runRound(
  round: Round,
  { trials, chance }: { trials: number; chance: Chance },
): Promise<RoundResult> {
  const flow = await aFlow({ startsWorker: false, gatewayTimeoutSeconds: timeoutSeconds, reconcileAfterSeconds });
  // A frozen machine is off the network as well: otherwise Temporal would hand it work for a minute, to no avail.
  const temporal = await aWireTo(flow.temporalAddress);
  const zombie = await aZombie(flow, { round, trials, temporalAddress: temporal.address });
  try {
    await control(flow, { provider: methods.lax, ...laxities[round.lax] });
    const register = aRegister(flow);
    const returns = Promise.all(
      Array.from({ length: trials }, (_, index) => aCardReturn(flow, index % 2 === 0 ? methods.strict : methods.lax)),
    );
    await waitUntil('it stands still', async () => isStopped(zombie.child.pid), patienceMs);
    temporal.cut();
    await flow.startWorker();
    await standStill(flow, register, { length: round.length, chance });
    const asked = zombie.said();
    zombie.child.kill('SIGCONT');
    await waitUntil('it has done what it had begun', async () => asked() >= trials, patienceMs);
    await returns;
    await settleEverything(flow, register);
    return await resultOf(flow);
  } finally {
    zombie.child.kill('SIGCONT');
    await zombie.kill();
    await temporal.stop();
    await flow.close();
  }
}

interface WantedZombie {
  round: Round;
  trials: number;
  temporalAddress: string;
}

async function aZombie(flow: Flow, { round: { point }, trials, temporalAddress }: WantedZombie) {
  const frozen = await aWorkerProcess(flow, {
    preload: './test/simulation/zombies/freeze-at-the-wire.ts',
    env: {
      TEMPORAL_ADDRESS: temporalAddress,
      ZOMBIE_PORT: new URL(flow.gateway.url).port,
      ZOMBIE_POINT: point,
      ZOMBIE_COUNT: String(trials),
      GATEWAY_TIMEOUT_SECONDS: String(timeoutSeconds),
      RECONCILE_AFTER_SECONDS: String(reconcileAfterSeconds),
    },
  });
  return {
    ...frozen,
    said: () => () => frozen.log().split('the gateway was asked to refund').length - 1,
  };
}

const control = (flow: Flow, mode: object) => setGatewayMode(flow.gateway, mode);

/** Half of what was paid: a gateway that caps would let it out twice. */
async function aCardReturn(flow: Flow, method: string): Promise<void> {
  const sale = await aRegister(flow).sale('12.00', { method });
  await finishReturn(flow, await aHalfMadeReturn(flow, sale)).catch(() => undefined);
}

function isStopped(pid: number | undefined): boolean {
  const [, state] = /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return state === 'T';
}

async function standStill(
  flow: Flow,
  register: Register,
  { length, chance }: { length: FreezeLength; chance: Chance },
): Promise<void> {
  if (length === 'below') return;
  if (length === 'outlived') {
    // As for registers that ask again: what the frozen process left is found out.
    for (const { return_id } of await returnsOf(flow)) void finishReturn(flow, return_id).catch(() => undefined);
    await waitUntil(
      'every attempt is given up',
      async () => (await attempts(flow)).every(({ state }) => state === 'failed'),
      patienceMs,
    );
    return settleEverything(flow, register);
  }
  const deadlines = (await attempts(flow)).map(({ call_deadline }) => Date.parse(call_deadline));
  const beyond = length === 'at' ? chance.below(100) - 50 : 1_000;
  await pause(Math.max(0, Math.max(...deadlines) + beyond - Date.now()));
}

const attempts = (flow: Flow) =>
  flow.api.orm.em.fork().execute<{ state: string; call_deadline: string }[]>(
    `select state, to_char(call_deadline at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as call_deadline
        from refund_attempt`,
  );
const returnsOf = (flow: Flow) =>
  flow.api.orm.em.fork().execute<{ return_id: number; status: string }[]>('select return_id, status from sale_return');

/** As a cashier does: settle it again until it is closed. */
async function settleEverything(flow: Flow, register: Register): Promise<void> {
  await waitUntil(
    'every return is closed',
    async () => {
      const open = (await returnsOf(flow)).filter(({ status }) => status !== 'closed');
      await Promise.all(open.map(({ return_id }) => register.settle(return_id, { method: 'original_payment' })));
      return open.length === 0;
    },
    patienceMs,
  );
}

async function resultOf(flow: Flow): Promise<RoundResult> {
  const findings = await verify(flow.api.orm.em.fork(), { readLedger: () => readGatewayLedger(flow.gateway.url) });
  const laxOrders = await flow.api.orm.em
    .fork()
    .execute<{ order_id: number }[]>('select distinct order_id from refund_attempt where payment_method = ?', [
      methods.lax,
    ]);
  return {
    refunds: { strict: refundsPerOrder(flow, methods.strict), lax: refundsPerOrder(flow, methods.lax) },
    broken: findings.map(({ id }) => id),
    differing: inOrder(
      findings.filter(({ id }) => id === 'I-11').flatMap(({ rows }) => rows.map((row) => Number(row['order_id']))),
    ),
    laxOrders: inOrder(laxOrders.map(({ order_id }) => order_id)),
    statuses: (await returnsOf(flow)).map(({ status }) => status),
  };
}

const inOrder = (ids: number[]) => ids.toSorted((one, other) => one - other);

function refundsPerOrder(flow: Flow, method: string): number[] {
  const refunds = flow.gateway.ledger.refunds.filter(
    ({ state, provider }) => state === 'refunded' && provider === method,
  );
  return [...Map.groupBy(refunds, ({ orderReference }) => orderReference).values()].map((own) => own.length);
}
