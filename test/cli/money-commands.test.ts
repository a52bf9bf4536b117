import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { explainMoney } from '../../cli/explain-money.ts';
import { reconcileRefund } from '../../cli/reconcile-refund.ts';
import { resolveRefund } from '../../cli/resolve-refund.ts';
import { ageText, uncertainRefunds } from '../../cli/uncertain-refunds.ts';
import { verifyBooks } from '../../cli/verify-books.ts';
import { parseSettings } from '../../providers/settings.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { recordingWorkflows, commandContextOf } from './support.ts';
import { MoneyIn } from '../../db/platform/orders/money-in.entity.ts';
import { zero } from '../../domain/money/amount.ts';

let orm: MikroORM;
let ledger: Server;

/** What the simulator tells; a test changes it and puts it back. */
let refunds = [ledgerRefund('return-1-1', 'declined'), ledgerRefund('return-1-2', 'refunded')];

const { fork, change } = booksOf(() => orm);

function ledgerRefund(key: string, state: string) {
  return {
    idempotency_key: key,
    amount: '54.00',
    currency: 'USD',
    captured_amount: '108.00',
    payment_id: 'pay-1',
    state,
  };
}

beforeAll(async () => {
  orm = await testDatabase();
  await aDayOfSales(fork());
  ledger = createServer((request, response) => {
    const answer = request.url === '/calls' ? [{ merchant_reference: 'refund-attempt-1' }] : refunds;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => ledger.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  ledger.close();
  await orm.close();
});

const beside = () => {
  const { port } = ledger.address() as AddressInfo;
  return commandContextOf(orm, { settings: parseSettings({ GATEWAY_SIMULATOR_URL: `http://127.0.0.1:${port}` }) });
};

test('verify says that the books are right, by themselves and beside the gateway', async () => {
  const alone = await verifyBooks(commandContextOf(orm));
  const compared = await verifyBooks(beside());

  expect(alone).toMatchObject({ isFine: true, json: { ok: true, gateway: null, findings: [] } });
  expect(alone.text).toMatch(/^The books are right: all \d+ rules hold\.$/);
  expect(compared).toMatchObject({ isFine: true, json: { ok: true, gateway: true } });
});

test('verify tells a refund that we booked and the gateway does not have', async () => {
  const before = refunds;
  refunds = [ledgerRefund('return-1-1', 'declined')];

  const { isFine, text } = await verifyBooks(beside(), { lookAgainAfterMs: 1 });
  refunds = before;

  expect(isFine).toBe(false);
  expect(text.replace(/of \d+ rules/, 'of N rules')).toMatchInlineSnapshot(`
"The books are wrong: 1 of N rules do not hold.

I-11  What we booked as refunded for an order is what the gateway gave back, once nothing is undecided.
  order_id=1 increment_id=000000001 booked=54.0000 refunded_by_gateway=0"
`);
});

test.each([
  [20, 'and 10 more'],
  [1_000, 'and at least 40 more'],
])('verify tells ten of %s broken rows, and never fewer than there are: %s', async (count, more) => {
  const em = fork();
  await em.begin();
  const nothing = { orderId: 2, kind: 'invoice', amount: zero, baseAmount: zero } as const;
  await em.insertMany(
    MoneyIn,
    Array.from({ length: count }, () => nothing),
  );
  // Within the transaction, which is taken back: the books of the other tests stay right.
  const { text } = await verifyBooks(commandContextOf(orm, { em: async () => em }), { lookAgainAfterMs: 1 });
  await em.rollback();

  expect(text.split('\n').filter((line) => line.startsWith('  money_in_id='))).toHaveLength(10);
  expect(text).toContain(`\n  ${more}`);
});

test('verify does not call the books right when the gateway cannot be asked', async () => {
  const settings = parseSettings({ GATEWAY_SIMULATOR_URL: 'http://127.0.0.1:9' });

  expect(await verifyBooks(commandContextOf(orm, { settings }))).toMatchObject({
    isFine: false,
    text: expect.stringContaining('The gateway at http://127.0.0.1:9 does not answer'),
    json: { ok: false, gateway: false, findings: [] },
  });
});

test('refunds uncertain lists what an operator works down, with the three ways on', async () => {
  const settings = parseSettings({ TEMPORAL_UI_URL: 'http://127.0.0.1:8233' });
  const { text, json } = await uncertainRefunds(commandContextOf(orm, { settings }));

  expect(text).toMatchInlineSnapshot(`
"One refund without a known end, oldest first.

Attempt 3 · 54.00 USD through provider_b · order 000000003 · return 3 · for 7 h 36 min
  asked     give back 54.00 USD, reference refund-attempt-3
  answered  timeout: No answer within 20 s.
  ways on   npm run pos -- refunds reconcile 3
            npm run pos -- refunds resolve 3 refunded --staff NAME --note TEXT
            npm run pos -- refunds resolve 3 not_refunded --staff NAME --note TEXT
  see       http://127.0.0.1:8233/namespaces/pos/workflows/refund-attempt-3"
`);
  expect(json).toMatchObject([{ attemptId: 3, state: 'uncertain', amount: 54, orderIncrementId: '000000003' }]);
});

test('where the gateway cannot be asked, the list, reconcile and explain say so', async () => {
  const { workflows, asked } = recordingWorkflows(async () => 'uncertain');
  const by = (method: string) => change('refund_attempt', { attempt_id: 3 }, { payment_method: method });
  await by('provider_c');

  const { text, json } = await uncertainRefunds(commandContextOf(orm, {}));
  const answer = await reconcileRefund(commandContextOf(orm, { workflows: async () => workflows }), '3');
  const story = await explainMoney(commandContextOf(orm), 'refund', '3');
  await by('provider_b');

  expect(text).toContain('this gateway cannot be asked: look for the reference in its portal, then');
  expect(text).not.toContain('reconcile');
  expect(json).toMatchObject([{ attemptId: 3, canLookUp: false }]);
  expect(answer.text).toContain('cannot be asked. Look for refund-attempt-3 in its portal');
  expect(story.text).toContain('cannot be asked. Look for refund-attempt-3 in its portal');
  expect(story.text).not.toContain('reconcile');
  expect(asked).toEqual([]);
});

test.each([
  ['2026-11-20 16:59:20', '40 s'],
  ['2026-11-20 17:00:00', '0 s'],
  ['2026-11-20 11:48:00', '5 h 12 min'],
  ['2026-11-18 14:00:00', '2 d 3 h'],
  ['2026-11-20 17:00:01', '0 s'],
])('an attempt of %s is %s old at five', (createdAt, age) => {
  expect(ageText(createdAt, new Date('2026-11-20T17:00:00Z'))).toBe(age);
});

test('reconcile asks the workflow of the attempt and tells what the books say then', async () => {
  const { asked, workflows } = recordingWorkflows(async () => 'uncertain');
  const answer = await reconcileRefund(commandContextOf(orm, { workflows: async () => workflows }), 'refund-attempt-3');

  expect(asked).toEqual([
    {
      update: 'reconcile',
      workflow: 'refundAttemptWorkflow',
      id: 'refund-attempt-3',
      input: { attemptId: 3 },
      request: null,
      operationKey: expect.stringMatching(/^cli-/),
    },
  ]);
  expect(answer).toMatchObject({
    isFine: true,
    text: 'Attempt 3 is still uncertain. Last answer: No answer within 20 s.',
    json: { attemptId: 3, state: 'uncertain' },
  });
});

test('resolve sends an operator’s word with name and note', async () => {
  const { asked, workflows } = recordingWorkflows(async () => 'failed');
  await resolveRefund(commandContextOf(orm, { workflows: async () => workflows }), 'refund-attempt-3', 'not_refunded', {
    staff: ' Ada ',
    note: 'not on the statement',
  });

  expect(asked).toMatchObject([
    {
      update: 'resolve',
      id: 'refund-attempt-3',
      request: { resolution: 'not_refunded', staffName: 'Ada', note: 'not on the statement' },
    },
  ]);
});

test('a decided attempt is told as it is, and no workflow is asked', async () => {
  const shop = commandContextOf(orm);
  const word = { staff: 'Ada', note: 'on the statement' };

  expect(await reconcileRefund(shop, '2')).toMatchObject({
    text: 'It was decided before. Attempt 2 is booked: 54.00 USD went back, credit memo 000000001.',
  });
  expect(await resolveRefund(shop, '1', 'refunded', word)).toMatchObject({
    text: 'It was decided before. Attempt 1 failed: no money went back. Return 1 can be settled again.',
  });
});

test('an invalid command is refused before a workflow is asked', async () => {
  const shop = commandContextOf(orm);

  await expect(reconcileRefund(shop, '99')).rejects.toMatchObject({ status: 404 });
  await expect(reconcileRefund(shop, 'three')).rejects.toMatchObject({ status: 400 });
  await expect(resolveRefund(shop, '3', 'Refunded', { staff: 'Ada', note: 'x' })).rejects.toMatchObject({
    status: 400,
  });
  await expect(resolveRefund(shop, '3', 'refunded', { staff: ' ', note: 'x' })).rejects.toMatchObject({ status: 400 });
  await expect(
    resolveRefund(shop, '3', 'refunded', { staff: 'Ada', note: 'back on 4111 1111 1111 1111' }),
  ).rejects.toMatchObject({ status: 400, message: 'The text must not be stored: it carries a card number.' });
});

test.each(['return-3', 'terminal-3', 'order-3', '-3', 'refund-attempt-refund-attempt-3', 'refund-attempt-'])(
  'the name of something else, %s, never decides the attempt with its number',
  async (id) => {
    const { asked, workflows } = recordingWorkflows(async () => 'booked');
    const shop = commandContextOf(orm, { workflows: async () => workflows });

    await expect(resolveRefund(shop, id, 'refunded', { staff: 'Ada', note: 'x' })).rejects.toMatchObject({
      status: 400,
      parameters: [id, 'a refund attempt'],
    });
    await expect(reconcileRefund(shop, id)).rejects.toMatchObject({ status: 400 });
    expect(asked).toEqual([]);
  },
);

test('explain answers the story as text and as data', async () => {
  const { text, json } = await explainMoney(commandContextOf(orm), 'refund', '3');

  expect(text).toContain('Refund attempt 3: uncertain');
  expect(json).toMatchObject({ title: 'Refund attempt 3: uncertain', events: expect.any(Array) });
});
