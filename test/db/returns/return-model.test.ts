import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { claimRefundCall } from '../../../db/refunds/claim-refund-call.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { bookSettlement } from '../../../db/returns/book-settlement.ts';
import { cancelRefund } from '../../../db/returns/cancel-refund.ts';
import { closeReturn } from '../../../db/returns/close-return.ts';
import { receiveReturn } from '../../../db/returns/receive-return.ts';
import { setReturnStatus } from '../../../db/returns/set-return-status.ts';
import { startGatewaySettlement } from '../../../db/returns/start-gateway-settlement.ts';
import { verify } from '../../../books/verify/verify.ts';
import { PosError } from '../../../domain/errors.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import * as model from './return-model.ts';
import type { Outcome, ReturnModel } from './return-model.ts';
import { seed } from '../../support/seed.ts';

let orm: MikroORM;
let locationId: number;
beforeAll(async () => {
  orm = await testDatabase();
  ({ locationId } = await aShop(fork()));
  await fillShelves();
});
afterAll(() => orm.close());

interface Real {
  returnId: number;
  itemId: number;
  orderId: number;
}

const { memosOf, itemsOf, theOrder, theReturn, find, movementsOf, fork, howMany, fillShelves } = booksOf(() => orm);

async function aReturnToPlayWith(): Promise<Real> {
  const { returnId, orderId } = await aRequestedReturn(orm);
  const [item] = await itemsOf(returnId, 'entity_id');
  return { returnId, itemId: item!.entity_id, orderId };
}

const orRefused = (work: Promise<{ status: Outcome }>): Promise<Outcome> =>
  work.then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof PosError) return `refused ${error.status}` as const;
      throw error;
    },
  );

/** Each as the shop does it, and as the model has it. */
class Act implements fc.AsyncCommand<ReturnModel, Real> {
  readonly name: string;
  readonly does: (real: Real) => Promise<Outcome>;
  readonly expects: (now: ReturnModel) => Outcome;

  constructor(name: string, does: Act['does'], expects: Act['expects']) {
    this.name = name;
    this.does = does;
    this.expects = expects;
  }

  check = () => true;

  async run(now: ReturnModel, real: Real): Promise<void> {
    const expected = this.expects(now);
    expect(await this.does(real)).toBe(expected);
    await expectRows(now, real);
  }

  toString = () => this.name;
}

const openOf = (returnId: number) => ({ return_id: returnId, state: ['started', 'uncertain'] });

/** What is in the tables is what the model says, after every step. */
async function expectRows(now: ReturnModel, { returnId, orderId }: Real): Promise<void> {
  const moved = await movementsOf(returnId, 'kind');
  expect({
    status: (await theReturn(returnId, 'status')).status,
    memos: (await memosOf(orderId)).length,
    open_attempts: await howMany('refund_attempt', openOf(returnId)),
    keeps_money: Number((await theOrder(orderId, 'base_pending_refund')).base_pending_refund) > 0,
    movements: moved.map(({ kind }) => String(kind)).toSorted((one, other) => (one < other ? 1 : -1)),
  }).toEqual({
    status: now.status,
    memos: now.memos,
    open_attempts: now.attempt ? 1 : 0,
    keeps_money: now.attempt !== undefined,
    movements: { out: [], in: ['received'], back: ['received', 'closed'] }[now.goods],
  });
}

const openAttempt = async ({ returnId }: Real): Promise<number | undefined> => {
  const [open] = await find('refund_attempt', openOf(returnId), 'attempt_id');
  return open?.attempt_id;
};

class Claim implements fc.AsyncCommand<ReturnModel, Real> {
  check = ({ attempt }: Readonly<ReturnModel>) => attempt !== undefined;

  async run(now: ReturnModel, real: Real): Promise<void> {
    const attemptId = (await openAttempt(real))!;
    const claimed = await claimRefundCall(fork(), { attemptId, timeoutSeconds: 20 });
    expect(claimed !== undefined).toBe(model.claim(now));
  }

  toString = () => 'claim the call';
}

class Find implements fc.AsyncCommand<ReturnModel, Real> {
  readonly evidence: 'refunded' | 'not_refunded' | 'unknown';

  constructor(evidence: Find['evidence']) {
    this.evidence = evidence;
  }

  check = ({ attempt }: Readonly<ReturnModel>) => attempt !== undefined;

  async run(now: ReturnModel, real: Real): Promise<void> {
    const attemptId = (await openAttempt(real))!;
    const say = (evidence: Find['evidence']) =>
      recordFinding(orm.em, { attemptId, finding: { evidence, isFinal: true }, now: new Date() });

    const expected = model.find(now, this.evidence);
    expect((await say(this.evidence)).state).toBe(expected);
    // The second finding, of any kind, is told the state as it is.
    if (expected !== 'uncertain') expect((await say('refunded')).state).toBe(expected);
    await expectRows(now, real);
  }

  toString = () => `the gateway says ${this.evidence}`;
}

const decide = (to: 'approved' | 'rejected' | 'denied') =>
  new Act(
    to,
    ({ returnId }) => orRefused(setReturnStatus(orm.em, { returnId, status: to })),
    (now) => model.decide(now, to),
  );

const receive = () =>
  new Act(
    'receive',
    ({ returnId, itemId }) =>
      orRefused(
        receiveReturn(orm.em, {
          returnId,
          locationId,
          lines: [
            { rmaItemId: itemId, inspection: 'pristine', condition: null, qtyReceived: null, returnToStock: true },
          ],
        }),
      ),
    model.receive,
  );

const settleInCash = () =>
  new Act(
    'settle in cash',
    ({ returnId }) =>
      orRefused(bookSettlement(orm.em, { returnId, method: 'cash', options: plainSettlement, requestId: 'model' })),
    model.settleInCash,
  );

const settleThroughGateway = () =>
  new Act(
    'settle through the gateway',
    ({ returnId }) =>
      orRefused(startGatewaySettlement(orm.em, { returnId, options: plainSettlement, canRefundThrough: () => true })),
    model.settleThroughGateway,
  );

const cancel = () =>
  new Act('cancel the refund', ({ returnId }) => orRefused(cancelRefund(orm.em, { returnId })), model.cancelRefund);

const close = () => new Act('close', ({ returnId }) => orRefused(closeReturn(orm.em, { returnId })), model.close);

const setUpFor = (real: Real) => () => ({
  model: { status: 'pending', attempt: undefined, memos: 0, goods: 'out' } satisfies ReturnModel as ReturnModel,
  real,
});

test.each([
  ['was not called, and the refund failed', []],
  ['may have refunded, and the refund is in doubt', [new Claim()]],
])('where nobody knows of a refund whose call was claimed or not, the gateway %s', async (_is, claims) => {
  const real = await aReturnToPlayWith();
  const life = [decide('approved'), receive(), settleThroughGateway(), ...claims, new Find('unknown')];
  await fc.asyncModelRun(setUpFor(real), [...life, cancel(), close()]);
  expect((await find('refund_attempt', { return_id: real.returnId }, 'state')).map(({ state }) => state)).toEqual([
    claims.length === 0 ? 'failed' : 'uncertain',
  ]);
});

/** Random lives of returns and of their refund attempts, each step beside the model. */
test('any life of a return is as the interface tells it, and leaves the books right', async () => {
  // Approval and arrival weigh more, or few lives would come to the money.
  const likely = [decide('approved'), receive(), settleThroughGateway(), new Claim()].map((command) =>
    fc.constant(command),
  );
  const commands = fc.commands(
    [
      ...likely,
      ...likely,
      fc.constantFrom(decide('rejected'), decide('denied')),
      fc.constantFrom(settleInCash(), cancel(), close()),
      fc.constantFrom(new Find('refunded'), new Find('not_refunded'), new Find('unknown')),
    ],
    { maxCommands: 14 },
  );

  await fc.assert(
    fc.asyncProperty(commands, async (acts) => {
      await fc.asyncModelRun(setUpFor(await aReturnToPlayWith()), acts);
    }),
    { seed, numRuns: 20 },
  );

  expect(await verify(fork())).toEqual([]);
}, 300_000);
