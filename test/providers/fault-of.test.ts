import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import { createOrm } from '../../db/orm.ts';
import { EmailTaken } from '../../db/platform/customers/email-taken.ts';
import { createLog, type Log } from '../../providers/log.ts';
import { temporalLogger } from '../../worker/temporal-logger.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer } from '../support/builders/wallet.ts';
import { booksOf } from '../support/books.ts';
import { testDatabaseUrl } from '../support/database.ts';

const { fork, change } = booksOf(() => orm);

const email = 'ada@private.test';

let orm: MikroORM;
let taken: Error;
let broken: Error;
/** Quotes it where PostgreSQL says where it was. */
let misread: Error;
beforeAll(async () => {
  orm = await createOrm(await testDatabaseUrl());
  await aShop(fork());
  const id = await aCustomer(fork());
  await change('customer', { id }, { email });
  const other = await aCustomer(fork());
  taken = await faultOf(change('customer', { id: other }, { email }));
  broken = await faultOf(change('customer', { id }, { website_id: null, firstname: 'Ada\nLovelace' }));
  misread = await faultOf(change('product', {}, { scoped_values: `{"email": ${email}}` }));
});
afterAll(() => orm.close());

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
  expect(lines).toContain('fault-of.test.ts');
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
