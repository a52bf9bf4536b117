import { afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { inTime, type Progress } from '../../../api/http/in-time.ts';
import { route } from '../../../api/http/route.ts';
import { DatabaseTrouble, sqlStates } from '../../../db/support/connections/database-trouble.ts';
import { answerWriteWithinMs } from '../../../domain/patience.ts';
import { workflowsAway } from '../../../domain/refusals/platform.ts';
import { useApi } from '../../support/fixtures.ts';

/** One deadline of a write: from the request's start, whatever it waits for. */
let work: () => Promise<unknown> = async () => undefined;
const slowRoute = (path: '/V1/pos/a-refund' | '/V1/a-note') =>
  route({
    method: 'POST',
    path,
    acl: 'anonymous',
    summary: 'Wait',
    outcomes: path === '/V1/pos/a-refund' ? [workflowsAway] : [],
    commits: 'several',
    body: z.object({}),
    response: z.literal(true),
    async handle() {
      await work();
      return true as const;
    },
  });
const api = useApi({
  routes: [slowRoute('/V1/pos/a-refund'), slowRoute('/V1/a-note')],
  expectsFaults: true,
  writeTimeoutMs: answerWriteWithinMs,
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

describe('a write', () => {
  test.each([
    ['a refund', '/V1/pos/a-refund'],
    ['a note', '/V1/a-note'],
  ])(
    'such as %s that waits for something frozen is 503 within eight seconds, and goes on',
    async (_which, path) => {
      let isDone = false;
      let end = () => {};
      work = () => new Promise<void>((resolve) => (end = resolve)).then(() => void (isDone = true));
      const answer = await timed(path);
      expect(answer).toMatchObject({ status: 503, message: expect.stringContaining('may still be carried out') });
      expect(answer.message).toContain('Repeat it with the same Idempotency-Key');
      expect(answer.retryAfter).not.toBeNull();
      expect(answer.ms).toBeGreaterThan(7_000);
      expect(answer.ms).toBeLessThan(8_000);
      end();
      await new Promise((resolve) => setImmediate(resolve));
      expect(isDone).toBe(true);
    },
    30_000,
  );

  test('that a worker may carry out says so when the database goes away meanwhile; another route says no such thing', async () => {
    work = async () => {
      throw new DatabaseTrouble(sqlStates.connectionLost, 'lost');
    };
    const [refund, note] = [await timed('/V1/pos/a-refund'), await timed('/V1/a-note')];
    expect(refund).toMatchObject({ status: 503, message: expect.stringContaining('may still be carried out') });
    expect(note).toMatchObject({ status: 503, message: 'The database cannot be reached. Try again later.' });
  });

  test('that finds the disk full says so, and health/ready does, which a busy database never makes them', async () => {
    const ready = async () => (await api.call('GET', '/health/ready', {})).body;
    work = async () => {
      throw new DatabaseTrouble(sqlStates.lockNotAvailable, 'locked');
    };
    expect((await timed('/V1/pos/a-refund')).message).toBe(
      'The shop is too busy for this just now. Try again in a moment.',
    );
    expect(JSON.stringify(await ready())).not.toContain('disk');
    work = async () => {
      throw new DatabaseTrouble(sqlStates.diskFull, 'No space left on device');
    };
    expect(await timed('/V1/pos/a-refund')).toMatchObject({
      status: 503,
      message: expect.stringContaining('The disk of the database is full, and nothing was written.'),
    });
    expect(JSON.stringify(await ready())).toContain('the disk of the database is full');
  });
});

test('the time in which a caller sends its body is not the time of its write', async () => {
  const sent = async (read: (progress: Progress) => Promise<unknown>) =>
    inTime(
      async (progress) => {
        progress.isWrite();
        await read(progress);
        progress.begin();
        return 'written';
      },
      5_000,
      50,
    ).catch((error: Error) => error.message);
  const slowly = () => setTimeout(100);
  expect(await sent((progress) => progress.whileSent(slowly))).toBe('written');
  expect(await sent(slowly)).toContain('nothing was done');
  expect(await sent((progress) => slowly().then(() => progress.whileSent(slowly)))).toContain('nothing was done');
});
