import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { setGatewayMode } from '../../support/gateway-mode.ts';
import { aWorkerProcess } from '../../support/own-process.ts';
import { patiently } from '../../support/patiently.ts';
import { recordHistory } from '../../support/record-history.ts';
import { aRegister, type Register } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

let flow: Flow;
let register: Register;
const { booksHold, find } = booksOf(() => flow.api.orm);

interface Card {
  method: string;
  amount: number;
  payment_id: string;
}

const aCard = (amount: number): Card => ({ method: 'provider_a', amount, payment_id: `pay_${randomUUID()}` });

/** One of two mugs comes back, whose sale was paid by these cards and cash: all of what the cards took, and some cash. */
async function aReturn(cards: readonly Card[], cash: number) {
  const paid = cards.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) + cash * 100;
  const price = (paid / 100).toFixed(2);
  const tenders = [...cards, { method: 'cash', amount: Number((paid / 100 + cash).toFixed(2)) }];
  const sale = await register.sale(price, { columns: { extensionAttributes: { pos_tenders: tenders } } });
  const { body } = await register.returnOne(sale, { refundMethod: 'cash' });
  const lines = [...cards.map(({ amount }) => amount), cash].map((amount, index) => ({ lineId: index + 1, amount }));
  return { ...sale, rmaId: body.id as number, lines };
}

/** As a register does: the same lines again where the machine was too slow for the rest of them. */
const settle = (rmaId: number, tenders: readonly object[]) => patiently(() => register.settle(rmaId, { tenders }));
const statesOf = async (rmaId: number): Promise<string[]> =>
  (await register.returnOf(rmaId)).tender_lines.map(({ state }: { state: string }) => state);
const refunded = () => flow.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;

/** The cents of an amount decide what the gateway does. */
const cents = { approved: 0, declined: 51, found: 73, not_found: 63 } as const;
type Ending = keyof typeof cents;

describe('every order of outcomes', () => {
  beforeAll(async () => {
    flow = await aFlow({ gatewayTimeoutSeconds: 2, reconcileAfterSeconds: 1 });
    register = aRegister(flow);
    await setGatewayMode(flow.gateway, { slow_ms: 100, silence_ms: 3_000 });
  });
  afterAll(() => flow.close());

  /** So many cards that go back, one that ends otherwise, the rest after it, and cash. */
  async function play(count: number, before: number, ending: Ending): Promise<void> {
    const cards = Array.from({ length: count }, (_, index) =>
      aCard((1_000 + index * 100 + (index === before ? cents[ending] : 0)) / 100),
    );
    const { rmaId, orderId, lines } = await aReturn(cards, 5);
    const answer = await settle(rmaId, lines);
    const isUncertain = ending === 'found' || ending === 'not_found';
    const outcome = isUncertain ? 'gateway_uncertain' : 'tender_declined';
    expect([answer.status, answer.body.parameters?.outcome]).toEqual([isUncertain ? 409 : 400, outcome]);
    const rest = lines.length - before - 1;
    const as = (state: string) => [
      ...Array.from({ length: before }, () => 'refunded'),
      state,
      ...Array.from({ length: rest }, () => 'open'),
    ];
    expect(await statesOf(rmaId)).toEqual(as(isUncertain ? 'uncertain' : 'declined'));
    if (ending === 'found')
      await register.call('POST', `/V1/pos/rma/refund-attempts/${answer.body.parameters.refund_attempt_id}/resolve`, {
        ...{ resolution: 'refunded', staffName: 'Ann', note: 'seen in the portal' },
      });
    const decided = as(ending === 'found' ? 'refunded' : 'declined');
    await waitUntil('the line is decided', async () => (await statesOf(rmaId)).join() === decided.join(), 60_000);
    const [stuck] = lines.slice(before, before + 1);
    const cash = lines.at(-1);
    const other =
      ending === 'found' || stuck === undefined || cash === undefined
        ? lines
        : [
            ...lines.filter((line) => line !== stuck && line !== cash),
            { ...cash, amount: Number((cash.amount + stuck.amount).toFixed(2)) },
          ];
    expect((await settle(rmaId, other)).body).toMatchObject({ status: 'closed' });
    expect(await register.memosOf(orderId)).toHaveLength(1);
    const back = flow.gateway.ledger.refunds.filter(
      ({ state, paymentId }) => state === 'refunded' && cards.some((card) => card.payment_id === paymentId),
    );
    expect(back).toHaveLength(ending === 'found' ? count : count - 1);
  }

  test.each(['declined', 'found', 'not_found'] as const)(
    'two to four cards, one of them %s: each position leaves one memo, and each card gives once',
    async (ending) => {
      for (const count of [2, 3, 4])
        await Promise.all(Array.from({ length: count }, (_, at) => play(count, at, ending)));
      await booksHold();
    },
    300_000,
  );

  test('two to four cards that all go back are one settle', async () => {
    for (const count of [2, 3, 4]) {
      const { rmaId, orderId, lines } = await aReturn(
        Array.from({ length: count }, (_, index) => aCard(10 + index)),
        5,
      );
      expect((await settle(rmaId, lines)).body).toMatchObject({ status: 'closed' });
      expect(await register.memosOf(orderId)).toHaveLength(1);
      if (count === 2) await recordHistory(flow.client, `return-${rmaId}`, 'return-tenders-closed');
    }
    await booksHold();
  });

  test('a decline and the settle after it are in one history', async () => {
    const { rmaId, lines } = await aReturn([aCard(10), aCard(11.51)], 5);
    expect((await settle(rmaId, lines)).status).toBe(400);
    const [first] = lines;
    expect((await settle(rmaId, [first!, { method: 'cash', amount: 16.51 }])).status).toBe(200);
    const isOver = async () =>
      (await flow.client.workflow.getHandle(`return-${rmaId}`).describe()).status.name !== 'RUNNING';
    await waitUntil('the run is over', isOver);
    await recordHistory(flow.client, `return-${rmaId}`, 'return-tenders-declined');
  });
});

describe('a worker that dies between two lines', () => {
  let workers: { kill(): Promise<void> }[] = [];
  const worker = async () => {
    const started = await aWorkerProcess(flow);
    workers.push(started);
    return started;
  };
  beforeEach(async () => {
    workers = [];
    flow = await aFlow({ startsWorker: false, gatewayTimeoutSeconds: 5 });
    register = aRegister(flow);
    await setGatewayMode(flow.gateway, { slow_ms: 2_500, silence_ms: 20_000 });
  });
  afterEach(async () => {
    await Promise.all(workers.map((one) => one.kill()));
    await flow.close();
  });

  test('the first line is not called again: a later settle finishes the others, with one memo', async () => {
    const first = await worker();
    const { rmaId, orderId, lines } = await aReturn([aCard(10), aCard(11.81)], 5);
    const answer = settle(rmaId, lines);
    await waitUntil('the second card is called', async () => refunded() === 2);
    await first.kill();
    await worker();
    await answer;
    await waitUntil('no line is pending', async () =>
      (await statesOf(rmaId)).every((state) => state !== 'started' && state !== 'uncertain'),
    );
    if ((await register.returnOf(rmaId)).status !== 'closed')
      expect((await settle(rmaId, lines)).body).toMatchObject({ status: 'closed' });
    expect(refunded()).toBe(2);
    expect(await register.memosOf(orderId)).toHaveLength(1);
    expect(
      (await find('refund_attempt', { order_id: orderId }, 'state')).every(({ state }) => state === 'booked'),
    ).toBe(true);
    await booksHold();
  });
});
