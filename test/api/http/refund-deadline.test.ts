import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { waitsForWorker } from '../../../api/http/middleware/deadline.ts';
import { route } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { DatabaseTrouble, sqlStates } from '../../../db/support/connections/database-trouble.ts';
import { answerRefundWithinMs } from '../../../domain/patience.ts';
import { workflowsAway } from '../../../domain/refusals/platform.ts';
import { useApi } from '../../support/fixtures.ts';

/** One deadline of a route that gives money back: from the request's start, whatever it waits for. */
let work: () => Promise<unknown> = async () => undefined;
const slowRoute = (path: '/V1/a-refund' | '/V1/a-report') =>
  route({
    method: 'POST',
    path,
    acl: 'anonymous',
    summary: 'Wait',
    outcomes: path === '/V1/a-refund' ? [workflowsAway] : [],
    commits: 'several',
    body: z.object({}),
    response: z.literal(true),
    async handle() {
      await work();
      return true as const;
    },
  });
const api = useApi({
  routes: [slowRoute('/V1/a-refund'), slowRoute('/V1/a-report')],
  expectsFaults: true,
  refundTimeoutMs: answerRefundWithinMs,
});
afterEach(() => {
  work = async () => undefined;
});

const timed = async (path: string) => {
  const began = performance.now();
  const { status, body, headers } = await api.call('POST', path, { body: {} });
  return {
    status,
    message: String(body.message),
    retryAfter: headers.get('retry-after'),
    ms: performance.now() - began,
  };
};

describe('a refund', () => {
  test('that waits for something frozen is 503 within eight seconds, and its work goes on', async () => {
    let isDone = false;
    let end = () => {};
    work = () => new Promise<void>((resolve) => (end = resolve)).then(() => void (isDone = true));
    const answer = await timed('/V1/a-refund');
    expect(answer).toMatchObject({ status: 503, message: expect.stringContaining('may still be carried out') });
    expect(answer.message).toContain('Repeat it with the same Idempotency-Key');
    expect(answer.retryAfter).not.toBeNull();
    expect(answer.ms).toBeGreaterThan(7_000);
    expect(answer.ms).toBeLessThan(8_000);
    end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(true);
  }, 30_000);

  test('whose database goes away meanwhile says that it may still be carried out; another route says no such thing', async () => {
    work = async () => {
      throw new DatabaseTrouble(sqlStates.connectionLost, 'lost');
    };
    const [refund, report] = [await timed('/V1/a-refund'), await timed('/V1/a-report')];
    expect(refund).toMatchObject({ status: 503, message: expect.stringContaining('may still be carried out') });
    expect(report).toMatchObject({ status: 503, message: 'The database cannot be reached. Try again later.' });
  });

  test('that finds the disk full says so, and health/ready does, which a busy database never makes them', async () => {
    const ready = async () => (await api.call('GET', '/health/ready', {})).body;
    work = async () => {
      throw new DatabaseTrouble(sqlStates.lockNotAvailable, 'locked');
    };
    expect((await timed('/V1/a-refund')).message).toBe(
      'The shop is too busy for this just now. Try again in a moment.',
    );
    expect(JSON.stringify(await ready())).not.toContain('disk');
    work = async () => {
      throw new DatabaseTrouble(sqlStates.diskFull, 'No space left on device');
    };
    expect(await timed('/V1/a-refund')).toMatchObject({
      status: 503,
      message: expect.stringContaining('The disk of the database is full, and nothing was written.'),
    });
    expect(JSON.stringify(await ready())).toContain('the disk of the database is full');
  });
});

test('every route that gives money back has the deadline, and no report does', () => {
  const named = routes.filter(waitsForWorker).map(({ method, path }) => `${method} ${path}`);
  for (const path of [
    'POST /V1/pos/rma',
    'POST /V1/pos/rma/process',
    'POST /V1/pos/rma/:rmaId/settle',
    'POST /V1/pos/rma/:rmaId/resolve',
    'POST /V1/pos/rma/:rmaId/receive',
    'POST /V1/pos/rma/:rmaId/cancel-refund',
    'POST /V1/pos/rma/:rmaId/close',
    'POST /V1/invoice/:invoiceId/refund',
    'POST /V1/order/:orderId/refund',
    'POST /V1/pos/credits/refund',
    'POST /V1/creditmemo/refund',
    'POST /V1/orders/:id/cancel',
  ])
    expect([path, named.includes(path)]).toEqual([path, true]);
  expect(named.filter((name) => name.startsWith('GET'))).toEqual([]);
});
