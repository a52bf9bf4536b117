import { expect, test } from 'vitest';
import { ApplicationFailure } from '@temporalio/common';
import { DriverException } from '@mikro-orm/core';
import { asRefusal } from '../../providers/temporal/workflow-failures.ts';
import { DatabaseTrouble } from '../../db/support/connections/database-trouble.ts';
import { reportTrouble } from '../../worker/report-trouble.ts';

/** The failure of a step that ends so, as Temporal gets it. */
async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  const { inbound } = reportTrouble({} as never);
  return inbound?.execute?.({} as never, work).catch((error: unknown) => error);
}

test('trouble of the database is a fault to be tried again, and 503 where it lasts', async () => {
  const failure = await failureOf(() => Promise.reject(new DriverException(new DatabaseTrouble('08006', 'gone'))));
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'DatabaseTrouble', nonRetryable: false });
  expect(asRefusal(failure)).toMatchObject({ status: 503 });
});

test('every other fault is unchanged', async () => {
  const fault = new Error('a mistake of ours');
  expect(await failureOf(() => Promise.reject(fault))).toBe(fault);
  expect(asRefusal(fault)).toBe(fault);
  expect(await failureOf(async () => 'done')).toBe('done');
});
