import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { answerUnderClaim, type Run } from '../../../db/idempotency.ts';
import { transact } from '../../../db/support/transact.ts';
import { conflict, invalid } from '../../../domain/errors.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { outcomesAtOnce } from '../../support/rivals.ts';
import { AuditEntry } from '../../../db/audit.ts';

const orm = useDatabase();

const { fork, change, howMany } = booksOf(() => orm);
const aRequest = () => ({
  digest: randomUUID().replaceAll('-', '').padEnd(64, '0'),
  fingerprint: 'f'.repeat(64),
  callerType: 'integration',
  callerId: 1,
  route: 'POST /V1/things',
  requestId: 'request',
});
type Request = ReturnType<typeof aRequest>;
const failed = (error: unknown) => {
  throw error;
};
const answer = (request: Request, work: (run: Run) => Promise<string>) =>
  answerUnderClaim(fork(), request, { work, failed });
/** As if the process had died and its time were over. */
const passLease = ({ digest }: Request) => change('keyed_request', { digest }, { lease_until: new Date() });
/** The things that requests make are lines of the audit trail. */
const things = ({ digest }: Request) => howMany('pos_audit_log', { entity_id: digest });

/** Makes a thing unless an earlier run did. */
const make = async ({ digest }: Request, run: Run): Promise<number> =>
  run.madeBefore ??
  transact(fork(), async (tx) => {
    const thing = tx.create(AuditEntry, { entityType: 'thing', entityId: digest, fieldName: 'made' });
    await tx.flush();
    await run.made(tx, thing.logId);
    return thing.logId;
  });

/** Reaches a point and stays there, as a process does that was killed. */
function aDeath() {
  let reached: () => void = () => undefined;
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  const die = () => {
    reached();
    return asleep;
  };
  return { die, isReached, wake: () => wake() };
}

test('a run that dies after its commit is taken over, and its thing is found', async () => {
  const request = aRequest();
  const death = aDeath();
  const keys: string[] = [];
  const dead = answer(request, async (run) => {
    keys.push(run.operationKey);
    const id = await make(request, run);
    await death.die();
    return `thing ${id}`;
  });
  await death.isReached;
  await expect(answer(request, async () => 'too early')).rejects.toMatchObject({
    status: 409,
    parameters: { outcome: 'idempotency_key_in_use' },
  });

  await passLease(request);
  const second = await answer(request, async (run) => {
    keys.push(run.operationKey);
    return `thing ${await make(request, run)}`;
  });
  expect(await things(request)).toBe(1);
  expect(keys[0]).toBe(keys[1]);
  expect(second).toEqual({ text: expect.stringMatching(/^thing \d+$/) });

  // It was asleep, not dead: what it answers late is no longer kept.
  death.wake();
  await dead;
  expect(await answer(request, async () => 'never run')).toMatchObject({
    replayed: { answer: Reflect.get(second, 'text') },
  });
});

test('a run that sleeps until another has its request can commit nothing more', async () => {
  const request = aRequest();
  const death = aDeath();
  const sleeper = answer(request, async (run) => {
    await death.die();
    return `thing ${await make(request, run)}`;
  });
  await death.isReached;
  await passLease(request);
  await answer(request, async (run) => `thing ${await make(request, run)}`);
  death.wake();
  await expect(sleeper).rejects.toMatchObject({ status: 409 });
  expect(await things(request)).toBe(1);
});

test('eight at once after a death: one takes over', async () => {
  const request = aRequest();
  const death = aDeath();
  const dead = answer(request, async () => {
    await death.die();
    return 'late';
  });
  await death.isReached;
  await passLease(request);
  const { done } = await outcomesAtOnce(8, () => answer(request, async (run) => `thing ${await make(request, run)}`));
  expect(done.length).toBeGreaterThan(0);
  expect(await things(request)).toBe(1);
  death.wake();
  await dead;
});

test('a fault and a conflict leave the request open at once; a refusal ends it', async () => {
  const request = aRequest();
  await expect(answer(request, () => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
  await expect(answer(request, () => Promise.reject(conflict('not_ready', 'Not yet.')))).rejects.toThrow('Not yet.');
  await expect(answer(request, () => Promise.reject(invalid('No.')))).rejects.toThrow('No.');
  expect(await answer(request, async () => 'never run')).toMatchObject({ replayed: { status: 400 } });
});

test('an answer that is not the last word is given and not kept', async () => {
  const request = aRequest();
  const say = (text: string, isLast: boolean) =>
    answer(request, async (run) => {
      if (!isLast) run.leaveOpen();
      return text;
    });
  expect(await say('nobody knows', false)).toEqual({ text: 'nobody knows' });
  expect(await say('given', true)).toEqual({ text: 'given' });
  expect(await say('never run', true)).toMatchObject({ replayed: { answer: 'given' } });
});
