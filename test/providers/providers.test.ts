import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { EmailTaken } from '../../db/platform/customers/customers.ts';
import type { RenderAnswer, RenderJob } from '../../providers/content/render-worker.ts';
import { apiLimits, batchLimits, booksLimits, stepLimits } from '../../providers/database-limits.ts';
import { deadlineIn } from '../../providers/deadline.ts';
import { createLog, type Log, logWith } from '../../providers/log.ts';
import { createPasswordHasher } from '../../providers/password-hasher.ts';
import { parseSettings } from '../../providers/settings.ts';
import { Threads } from '../../providers/threads.ts';
import { temporalLogger } from '../../worker/observe-worker.ts';
import { checkingBooks, oneTransaction, sweeping } from '../../workflows/support/activity-options.ts';
import { booksOf } from '../support/books.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer } from '../support/builders/wallet.ts';
import { useDatabase } from '../support/fixtures.ts';
import { atOnce, outcomesAtOnce, twiceAtOnce } from '../support/rivals.ts';

describe('database limits', () => {
  const largest = parseSettings({
    DATABASE_CONNECT_SECONDS: '60',
    DATABASE_LOCK_SECONDS: '60',
    DATABASE_STATEMENT_SECONDS: '600',
    DATABASE_IDLE_SECONDS: '600',
    DATABASE_BATCH_SECONDS: '170',
  });
  const secondsOf = (duration: unknown) => {
    const [, count, unit = ''] = /^(\d+) (second|minute|hour)s$/.exec(String(duration)) ?? [];
    return Number(count) * ({ minute: 60, hour: 3_600 }[unit] ?? 1);
  };

  test('a step’s statement is cut off before the step is, whatever is set', () => {
    const { connectSeconds, lockSeconds, statementSeconds } = stepLimits(largest);
    expect(statementSeconds).toBeLessThan(secondsOf(oneTransaction.startToCloseTimeout));
    expect(lockSeconds).toBeLessThan(statementSeconds);
    expect(connectSeconds + lockSeconds).toBeLessThan(secondsOf(oneTransaction.startToCloseTimeout));
  });

  test('a sweep’s statement is cut off before the sweep is, whatever is set', () => {
    expect(batchLimits(largest).statementSeconds).toBeLessThan(secondsOf(sweeping.startToCloseTimeout));
  });

  test('a rule of the books has an hour on a connection of its own, and all of them the rest of the night', () => {
    expect(booksLimits(largest)).toMatchObject({ statementSeconds: 3_600, connections: 1 });
    expect(secondsOf(checkingBooks.startToCloseTimeout)).toBeGreaterThan(4 * booksLimits(largest).statementSeconds);
  });

  test('a process has ten connections, and the API keeps some of them for each kind of work', () => {
    expect(apiLimits(largest).connections).toBe(10);
    expect(stepLimits(largest).connections + batchLimits(largest).connections).toBe(10);
    expect(apiLimits(largest).reserved).toEqual({ health: 1, 'sign-in': 1, read: 2, write: 2 });
  });

  test('a lock is waited for no longer than the statement may take', () => {
    const settings = parseSettings({ DATABASE_LOCK_SECONDS: '30', DATABASE_STATEMENT_SECONDS: '5' });
    expect(apiLimits(settings)).toMatchObject({ lockSeconds: 5, statementSeconds: 5 });
  });
});

describe('deadline', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const wall = Date.now();
  const steady = performance.now();
  const clocksSay = (wallMs: number, steadyMs: number) => {
    jest.spyOn(Date, 'now').mockReturnValue(wall + wallMs);
    jest.spyOn(performance, 'now').mockReturnValue(steady + steadyMs);
  };

  test.each([
    ['as time passes', { wallMs: 400, steadyMs: 400 }, 600],
    ['when somebody sets the clock back', { wallMs: -3_600_000, steadyMs: 400 }, 600],
    ['when the machine slept and its steady clock stood still', { wallMs: 3_600_000, steadyMs: 5 }, -3_599_000],
  ])('a second is over %s', (_when, { wallMs, steadyMs }, leftMs) => {
    clocksSay(0, 0);
    const deadline = deadlineIn(1_000);
    clocksSay(wallMs, steadyMs);

    expect(Math.round(deadline.remainingMs())).toBe(leftMs);
  });
});

describe('fault of', () => {
  const { fork, change } = booksOf(() => orm);

  const email = 'ada@private.test';

  const orm = useDatabase();
  let taken: Error;
  let broken: Error;
  /** Quotes it where PostgreSQL says where it was. */
  let misread: Error;
  beforeAll(async () => {
    await aShop(fork());
    const id = await aCustomer(fork());
    await change('customer', { id }, { email });
    const other = await aCustomer(fork());
    taken = await faultOf(change('customer', { id: other }, { email }));
    broken = await faultOf(change('customer', { id }, { website_id: null, firstname: 'Ada\nLovelace' }));
    misread = await faultOf(change('product', {}, { scoped_values: `{"email": ${email}}` }));
  });

  const faultOf = (broken: Promise<void>): Promise<Error> =>
    broken.then(
      () => Promise.reject(new Error('the database took it')),
      (error: Error) => error,
    );

  function written(write: (log: Log) => void): string {
    let text = '';
    write(createLog('api', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, { write: (line) => void (text += line) }));
    return text;
  }

  test('the database quotes the row in its faults, or these tests would prove nothing', () => {
    expect(taken.message).toContain(email);
    expect(broken.message).toContain('Lovelace');
    expect(misread).toMatchObject({ where: expect.stringContaining('ada') });
  });

  test('a fault of the database is logged with what broke, and without the row', () => {
    const lines = written((log) => {
      log.error({ error: taken }, 'a request failed');
      log.error({ error: broken }, 'a request failed');
      log.error({ error: misread }, 'a request failed');
    });

    expect(lines).toContain('duplicate key value violates unique constraint');
    expect(lines).toContain('"faultCode":"23505"');
    expect(lines).toContain(basename(import.meta.filename));
    expect(lines).not.toMatch(/private\.test|Lovelace|detail|JSON data/);
  });

  test('nor does the row get out as a cause, as one of several faults, or by another name', () => {
    const lines = written((log) => {
      log.warn({ error: new EmailTaken(taken) }, 'a request was turned away');
      log.warn({ error: new Error('outer', { cause: new Error('inner', { cause: broken }) }) }, 'failed');
      log.warn({ error: new AggregateError([taken, broken], 'both failed') }, 'failed');
      log.warn({ error: Object.assign(new Error('outer'), { previous: taken }) }, 'failed');
      log.warn({ err: taken }, 'failed');
      log.warn(broken, 'failed');
    });

    expect(lines.match(/duplicate key value/g)?.length).toBeGreaterThan(3);
    expect(lines).not.toMatch(/private\.test|Lovelace/);
  });

  test('nor does it in the worker, before and after Temporal carried the fault', () => {
    const converter = new DefaultFailureConverter();
    const carried = converter.failureToError(
      converter.errorToFailure(new Error('outer', { cause: taken }), defaultPayloadConverter),
      defaultPayloadConverter,
    );
    const lines = written((log) => {
      const logger = temporalLogger(log);
      logger.warn('Activity failed', { sdkComponent: 'worker', error: taken });
      logger.warn('Workflow failed', { sdkComponent: 'worker', error: carried });
    });

    expect(lines.match(/duplicate key value/g)?.length).toBeGreaterThan(1);
    expect(lines).not.toMatch(/private\.test/);
  });

  test('a fault that is not the database’s keeps its details', () => {
    const error = Object.assign(new Error('refused'), { code: 'E_GATEWAY', detail: 'no such payment' });

    expect(written((log) => log.warn({ error }, 'failed'))).toContain('no such payment');
  });
});

describe('log', () => {
  function lineOf(write: (log: Log) => void, format: 'json' | 'pretty' = 'json'): string {
    let text = '';
    write(createLog('worker', { LOG_LEVEL: 'info', LOG_FORMAT: format }, { write: (line) => void (text += line) }));
    return text;
  }

  test('every line says which process wrote it, in either form and in a request’s own log', () => {
    expect(JSON.parse(lineOf((log) => log.info('ready')))).toMatchObject({ name: 'worker', msg: 'ready' });
    expect(JSON.parse(lineOf((log) => log.child({ requestId: 'r-1' }).info('asked')))).toMatchObject({
      name: 'worker',
      requestId: 'r-1',
    });
    expect(lineOf((log) => log.info('ready'), 'pretty')).toMatch(/ info worker: ready /);
  });

  test('what is written while an activity runs carries its workflow, and nothing after it does', async () => {
    const lines = lineOf((log) => {
      logWith({ workflowId: 'return-42', activityType: 'bookSettlement' }, () =>
        log.info({ outcome: 'booked' }, 'said'),
      );
      log.info('idle');
    })
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines[0]).toMatchObject({ workflowId: 'return-42', activityType: 'bookSettlement', outcome: 'booked' });
    expect(lines[1]).not.toHaveProperty('workflowId');
  });

  test('a fault shows its code; a code that a person typed is hidden', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(JSON.parse(lineOf((log) => log.error({ error: away }, 'failed')))).toMatchObject({
      error: { faultCode: 'ECONNREFUSED', type: 'Error', message: 'connect ECONNREFUSED' },
    });
    expect(lineOf((log) => log.info({ code: 'GIFT-1', card: { code: 'GIFT-2' } }, 'card'))).not.toContain('GIFT-');
  });

  test.each(['json', 'pretty'] as const)(
    'a text of somebody else’s makes no line of its own, and steers no terminal: %s',
    (format) => {
      const forged = 'x\n12:00:00 info api: all is well\u001b[2J\u009b2J\r\u202e';
      const text = lineOf((log) => log.warn({ path: forged, error: new Error(forged) }, forged), format);
      expect(text.trimEnd().split('\n')).toHaveLength(1);
      expect(format === 'json' ? text.replaceAll(/[\u0080-\uffff]/g, '') : text).not.toMatch(/[\p{Cc}\u202e](?!$)/u);
    },
  );

  test.each(['json', 'pretty'])('a full disk behind its log does not end a process: %s', (format) => {
    const log = `createLog('api', { LOG_LEVEL: 'info', LOG_FORMAT: '${format}' })`;
    const code = `import { createLog } from './providers/log.ts'; const log = ${log};
    for (let n = 0; n < 3; n++) log.info('line'); setTimeout(() => process.exit(7), 50);`;
    const ended = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    expect(ended.status).toBe(7);
    expect(ended.stderr).toBe('The log cannot be written (ENOSPC: no space left on device, write).\n');
  });
});

describe('password hasher', () => {
  const passwords = createPasswordHasher();
  afterAll(() => passwords.close());

  test('a password fits its own hash and no other', async () => {
    const [one, two] = await twiceAtOnce(() => passwords.hash('1234'));
    expect(one).not.toBe(two);
    expect(await passwords.verify('1234', one)).toBe(true);
    expect(await passwords.verify('12345', one)).toBe(false);
    expect(await passwords.verify('1234', null)).toBe(false);
    expect(await passwords.verify('1234', 'no hash at all')).toBe(false);
  });

  test('what bcrypt would cut off is refused, not cut off', async () => {
    const longest = '€'.repeat(24);
    const hash = await passwords.hash(longest);
    expect(await passwords.verify(longest, hash)).toBe(true);
    expect(await passwords.verify(`${longest}x`, hash)).toBe(false);
    await expect(passwords.hash(`${longest}x`)).rejects.toMatchObject({ status: 400, parameters: [72] });
    await expect(passwords.hash('x'.repeat(1_000_000))).rejects.toMatchObject({ status: 400 });
  });

  test('the main thread goes on while passwords are hashed', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 5);
    await atOnce(4, () => passwords.hash('1234'));
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(8);
  });

  test('a crowd without a token leaves a thread to the cashiers, and is turned away sooner', async () => {
    const hash = await passwords.hash('1234');
    const order: string[] = [];
    const crowd = Array.from({ length: 40 }, () =>
      passwords.verify('x', hash, 'anonymous').then(
        () => order.push('crowd'),
        () => order.push('turned away'),
      ),
    );
    await atOnce(4, () => passwords.verify('1234', hash).then(() => order.push('cashier')));

    // Four cashiers, one after the other by the thread that is theirs: of the crowd no more than about as many were
    // served.
    expect(order.filter((one) => one === 'crowd').length).toBeLessThan(12);
    await Promise.all(crowd);
    expect(order.filter((one) => one === 'turned away')).toHaveLength(8);
  });

  test('a crowd of cashiers leaves a thread to who has no token', async () => {
    const hash = await passwords.hash('1234');
    let served = 0;
    const crowd = Array.from({ length: 30 }, () => passwords.verify('x', hash).then(() => served++));
    await passwords.verify('x', hash, 'anonymous');
    expect(served).toBeLessThan(15);
    await Promise.all(crowd);
  });

  test('closing it refuses the callers that wait', async () => {
    const closing = createPasswordHasher();
    const waiting = Array.from({ length: 5 }, () => closing.verify('x', 'short'));
    const settled = Promise.allSettled(waiting);
    await closing.close();
    expect((await settled).filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(3);
  });

  test('too many at once are turned away instead of kept waiting', async () => {
    const { refused } = await outcomesAtOnce(140, () => passwords.verify('x', 'short'));
    expect(refused).toHaveLength(12);
    expect(refused[0]).toMatchObject({ status: 503 });
    expect(await passwords.verify('x', 'short')).toBe(false);
  });
});

describe('settings', () => {
  test.each([
    ['PORT', 'abc', 'PORT is "abc", but must be a whole number from 0 to 65535.'],
    ['PORT', '70000', 'PORT is "70000", but must be a whole number from 0 to 65535.'],
    ['METRICS_PORT', '1.5', 'METRICS_PORT is "1.5", but must be a whole number from 0 to 65535.'],
    ['GATEWAY_TIMEOUT_SECONDS', '0', 'GATEWAY_TIMEOUT_SECONDS is "0", but must be a whole number from 1 to 60.'],
    [
      'GATEWAY_SIMULATOR_URL',
      'foo',
      'GATEWAY_SIMULATOR_URL is "foo", but must be an address such as https://shop.example:8443.',
    ],
    ['TEMPORAL_ADDRESS', 'temporal', 'TEMPORAL_ADDRESS is "temporal", but must be host:port.'],
    ['REFUND_ALERT_EMAIL', 'ops', 'REFUND_ALERT_EMAIL is "ops", but must be an e-mail address.'],
  ])('%s=%s is refused with what is allowed', (name, value, sentence) => {
    expect(() => parseSettings({ [name]: value })).toThrow(sentence);
  });

  test.each([
    ['DATABASE_URL', 'mysql://pos:hunter2@db:5432/pos', 'mysql://(hidden)@db:5432/pos'],
    ['DATABASE_URL', 'pos:hunter2@db:5432/pos', '(hidden)@db:5432/pos'],
    ['DATABASE_URL', 'mysql://pos:hunter2@x:hunter2/y@db/pos', 'mysql://(hidden)@db/pos'],
    ['DATABASE_URL', 'host=db user=pos password=hunter2 dbname=pos', 'host=db user=pos password=(hidden) dbname=pos'],
    ['SMTP_URL', 'mail://shop:hunter2@mail.test:587', 'mail://(hidden)@mail.test:587'],
    ['TEMPORAL_ADDRESS', 'http://pos:hunter2@temporal:7233', 'http://(hidden)@temporal:7233'],
  ])('a wrong %s is told without the password in it: %s', (name, value, told) => {
    const parse = () => parseSettings({ [name]: value });

    expect(parse).toThrow(`${name} is "${told}", but must`);
    expect(parse).not.toThrow('hunter2');
  });
});

describe('threads', () => {
  const threads = new Threads<RenderJob, RenderAnswer>({
    program: new URL('../../providers/content/render-worker', import.meta.url),
    threads: 1,
    mostWaiting: 8,
    tooMany: 'Too many.',
  });
  afterAll(() => threads.close());

  const aText = (html: string): RenderJob => ({ html, css: '', blocks: new Map(), settings: new Map() });
  const endless = aText('<p style="!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!;!">x</p>'.repeat(9_000));
  const refusal = () => new Error('It takes too long.');
  const worth = aText('<p>worth it</p>');

  test('a job beyond its time is given up, and those behind it get a new thread', async () => {
    const [slow, ...others] = await Promise.allSettled([
      threads.ask(endless, { ms: 50, refusal }),
      threads.ask(worth),
      threads.ask(worth, { ms: 60_000, refusal }),
    ]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { message: 'It takes too long.' } });
    for (const other of others)
      expect(other).toMatchObject({ status: 'fulfilled', value: { text: { html: '<p>worth it</p>' } } });
  });

  test('a job in time leaves its thread to the next one', async () => {
    for (let round = 0; round < 3; round++)
      expect(await threads.ask(worth, { ms: 60_000, refusal })).toMatchObject({ text: { css: '' } });
  });
});
