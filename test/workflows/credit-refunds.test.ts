import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { verify } from '../../books/verify/verify.ts';
import { readReleases } from '../../local/release.ts';
import { type CreditSimulator, startCreditSimulator } from '../../local/simulators/app.ts';
import { giveUpdate } from '../../workflows/messages.ts';
import { booksOf } from '../support/books.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { recordHistory } from '../support/record-history.ts';
import { eightAtOnce } from '../support/rivals.ts';
import { waitUntil } from '../support/wait-until.ts';
import { anOutsideCredit, type OutsideCredit } from './an-outside-credit.ts';

describe('credit refunds', () => {
  /** Credit given back at a provider outside: one workflow reserves, asks until it is told, and books. */
  let flow: Flow;
  let outside: CreditSimulator;
  let desk: OutsideCredit;
  beforeAll(async () => {
    outside = await startCreditSimulator();
    flow = await aFlow({ settings: { CREDIT_SERVICE_URL: outside.url, POS_SECRET_KEY: secretKey } });
    desk = anOutsideCredit(flow);
  });
  beforeEach(() => {
    outside.mood = 'answers';
    outside.balances.set('OUT-1', 0);
  });
  afterAll(async () => {
    await flow.close();
    await outside.stop();
  });

  const { creditRefundsOf, fork, refuseWrites } = booksOf(() => flow.api.orm);
  const refundsOf = (orderId: number) => creditRefundsOf(orderId, 'state', 'amount');

  test('it is given once and booked; neither the card nor the reason is seen in Temporal', async () => {
    const orderId = await desk.aSale();
    expect(await desk.refund(desk.asked(orderId), 'once')).toEqual({
      success: true,
      amount_applied: 10,
      remaining_balance: 10,
      transaction_id: expect.any(String),
      error_message: null,
    });
    expect(outside.balances.get('OUT-1')).toBe(100_000);
    expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);

    const run = desk.runOf(orderId, 'once');
    expect(await run.result()).toBe('booked');
    const travelled = historyToJSON(await run.fetchHistory());
    const texts = [...travelled.matchAll(/"data":\s*"([^"]*)"/g)].map(([, data = '']) => Buffer.from(data, 'base64'));
    expect(texts.join('\n')).toContain('sealedWords');
    expect(texts.join('\n')).not.toMatch(/OUT-1|Miller/);
    const { currentDetails } = await run.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toMatch(
      /^Gave \*\*10.00 USD\*\* of order \d+ as gift card at credit_service. Asked for by .+ \(request once\).$/,
    );
    await recordHistory(flow.client, run.workflowId, 'credit-refund-given');
  });

  test('a repeat is answered from its row, and asks nobody; for another card it is refused', async () => {
    const orderId = await desk.aSale();
    const first = await desk.refund(desk.asked(orderId), 'again');
    const calls = outside.asked.length;
    expect(await desk.refund(desk.asked(orderId), 'again')).toEqual(first);
    expect(await desk.refund(desk.asked(orderId, { code: 'OUT-2' }), 'again')).toMatchObject({
      success: false,
      amount_applied: 0,
    });
    expect(outside.asked).toHaveLength(calls);
  });

  test('of the same request eight times at once it is given once', async () => {
    const orderId = await desk.aSale();
    const answers = await eightAtOnce(() => desk.refund(desk.asked(orderId), 'eight'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ success: true });
    expect(outside.balances.get('OUT-1')).toBe(100_000);
  });

  test('what the provider refuses is told in its words, and is free again', async () => {
    const orderId = await desk.aSale();
    const refused = await desk.refund(desk.asked(orderId, { code: 'NOBODY' }), 'refused');
    expect(refused).toMatchObject({ success: false, amount_applied: 0, error_message: expect.any(String) });
    const run = desk.runOf(orderId, 'refused');
    expect(await run.result()).toBe('failed');
    await recordHistory(flow.client, run.workflowId, 'credit-refund-refused');
    expect(await desk.refund(desk.asked(orderId, { amount: 54 }), 'all of it')).toMatchObject({ success: true });
  });

  test.each([
    'hangs',
    'drops',
    'fails',
    'babbles',
    'other_currency',
    'other_amount',
    'endless',
    'acts_and_drops',
  ] as const)(
    'a provider that %s: it stays reserved and counts; the same request has it asked again under the same key',
    async (mood) => {
      const orderId = await desk.aSale();
      outside.mood = mood;
      const lost = await desk.refund(desk.asked(orderId), `lost-${mood}`);
      outside.mood = 'answers';

      expect(lost).toMatchObject({ success: false, error_message: expect.stringContaining('asked again') });
      expect(await refundsOf(orderId)).toEqual([{ state: 'reserved', amount: '10.0000' }]);
      expect((await desk.refund(desk.asked(orderId, { amount: 45 }), `more-${mood}`)).success).toBe(false);
      expect(await desk.refund(desk.asked(orderId), `lost-${mood}`)).toMatchObject({ success: true });
      expect(outside.balances.get('OUT-1')).toBe(100_000);
      expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
      if (mood === 'drops') {
        const run = desk.runOf(orderId, `lost-${mood}`);
        expect(await run.result()).toBe('booked');
        await recordHistory(flow.client, run.workflowId, 'credit-refund-asked-again');
      }
    },
  );

  test('given while the books take nothing: it is a success, it counts, and it is booked later', async () => {
    const orderId = await desk.aSale();
    const mend = await refuseWrites({ on: 'change', to: 'credit_refund', says: 'the disk is full' });
    try {
      expect(await desk.refund(desk.asked(orderId), 'full')).toMatchObject({ success: true, amount_applied: 10 });
    } finally {
      await mend();
    }
    expect((await desk.refund(desk.asked(orderId, { amount: 45 }), 'full too')).success).toBe(false);
    await askAgain(desk.runOf(orderId, 'full'));
    expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
    expect(outside.balances.get('OUT-1')).toBe(100_000);
  });

  const askAgain = (run: ReturnType<OutsideCredit['runOf']>) =>
    run.executeUpdate(giveUpdate, {
      args: [{ operationKey: 'x', beginBefore: '', by: 'Olga', requestId: 'by hand' }],
    });

  test('a provider that is silent for long is asked in one run after the other, under the same key', async () => {
    const orderId = await desk.aSale();
    outside.mood = 'acts_and_drops';
    await desk.refund(desk.asked(orderId), 'long');
    const run = desk.runOf(orderId, 'long');
    const { runId: first } = await run.describe();
    const isRenewed = async () => (await run.describe()).runId !== first;
    for (let tries = 0; tries < 20 && !(await isRenewed()); tries++)
      expect(await askAgain(run)).toEqual({ answer: 'unknown' });
    await waitUntil('another run goes on', isRenewed);
    outside.mood = 'answers';
    await askAgain(run);
    expect(await run.result()).toBe('booked');
    expect(outside.balances.get('OUT-1')).toBe(100_000);
    await recordHistory(flow.client, run.workflowId, 'credit-refund-renewed');
  });

  test('a request to cancel it has the provider asked now, and takes nothing back', async () => {
    const orderId = await desk.aSale();
    outside.mood = 'drops';
    await desk.refund(desk.asked(orderId), 'cancelled');
    outside.mood = 'answers';
    const run = desk.runOf(orderId, 'cancelled');
    await run.cancel();
    expect(await run.result()).toBe('booked');
    expect(await refundsOf(orderId)).toEqual([{ state: 'booked', amount: '10.0000' }]);
    await recordHistory(flow.client, run.workflowId, 'credit-refund-cancelled');
  });

  test('what does not fit is refused by reading: no workflow starts', async () => {
    const orderId = await desk.aSale();
    expect((await desk.refund(desk.asked(orderId, { amount: 999 }), 'too much')).error_message).toBe(
      'The amount 999 exceeds the remaining refundable amount 54.',
    );
    await expect(desk.runOf(orderId, 'too much').describe()).rejects.toThrow();
  });

  test('after all of it the books hold', async () => {
    expect(await verify(fork(), { lookAgainAfterMs: 1 })).toEqual([]);
  });
});

describe('replay', () => {
  /**
   * Every history ever recorded, of every release, replays on today's code. Replay compares the order, kind and name of commands; it is no
   * behaviour test.
   */
  const folder = new URL('./histories/', import.meta.url);
  const histories = globSync('**/*.json', { cwd: fileURLToPath(folder) }).toSorted();
  const workflowBundle = { codePath: process.env['TEST_BUNDLE'] ?? '' };

  const load = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  const startOf = (history: {
    events: { workflowExecutionStartedEventAttributes: { workflowId: string; workflowType: { name: string } } }[];
  }) => history.events[0]!.workflowExecutionStartedEventAttributes;

  /**
   * Why each history could not be replayed; undefined where it could. One worker replays all: a start takes longest.
   */
  const replayed = new Map<string, Error | undefined>();

  beforeAll(async () => {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
    });
    const all = histories.map(load).map((history) => ({ history, workflowId: startOf(history).workflowId }));
    const left = [...histories];
    for await (const { error } of Worker.runReplayHistories({ workflowBundle }, all))
      replayed.set(left.shift() ?? '', error);
  });
  afterAll(() => Runtime.instance().shutdown());

  test.each(histories)('%s replays', (file) => {
    expect([...replayed.keys()]).toContain(file);
    expect(replayed.get(file)).toBeUndefined();
  });

  test('a change of what a workflow does is noticed', async () => {
    const text = readFileSync(new URL('2.0.0/return-card-closed.json', folder), 'utf8');
    const changed = JSON.parse(text.replaceAll('"refundThroughGateway"', '"refundThroughBank"'));
    await expect(Worker.runReplayHistory({ workflowBundle }, changed, 'return-1')).rejects.toThrow(/nondeterminism/i);
  });

  test('every release keeps the histories of its code', () => {
    const folders = new Set(histories.map((file) => dirname(file)));
    expect(readReleases().filter(({ version }) => !folders.has(version))).toEqual([]);
  });

  test('every workflow has a recorded history', () => {
    const recorded = new Set(histories.map((file) => startOf(load(file)).workflowType.name));
    const source = readFileSync(new URL('../../workflows/index.ts', import.meta.url), 'utf8');
    const exported = [...source.matchAll(/export \{ ([^}]+) \}/g)].flatMap(([, names = '']) => names.split(', '));
    expect([...recorded].toSorted()).toEqual(exported.toSorted());
  });
});
