import { expect, test } from 'vitest';
import { apiLimits, batchLimits, stepLimits } from '../../providers/database-limits.ts';
import { parseSettings } from '../../providers/settings.ts';
import { oneTransaction, sweeping } from '../../workflows/support/activity-options.ts';

const largest = parseSettings({
  DATABASE_CONNECT_SECONDS: '60',
  DATABASE_LOCK_SECONDS: '60',
  DATABASE_STATEMENT_SECONDS: '600',
  DATABASE_IDLE_SECONDS: '600',
  DATABASE_BATCH_SECONDS: '170',
});
const secondsOf = (duration: unknown) => {
  const [, count, unit = ''] = /^(\d+) (second|minute)s$/.exec(String(duration)) ?? [];
  return Number(count) * (unit === 'minute' ? 60 : 1);
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

test('a process has ten connections, and the API keeps some of them for each kind of work', () => {
  expect(apiLimits(largest).connections).toBe(10);
  expect(stepLimits(largest).connections + batchLimits(largest).connections).toBe(10);
  expect(apiLimits(largest).reserved).toEqual({ health: 1, 'sign-in': 1, read: 2, write: 2 });
});

test('a lock is waited for no longer than the statement may take', () => {
  const settings = parseSettings({ DATABASE_LOCK_SECONDS: '30', DATABASE_STATEMENT_SECONDS: '5' });
  expect(apiLimits(settings)).toMatchObject({ lockSeconds: 5, statementSeconds: 5 });
});
