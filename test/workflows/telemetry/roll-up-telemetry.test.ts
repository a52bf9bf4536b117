import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayOf } from '../../../domain/telemetry.ts';
import { writeSchedules } from '../../../worker/schedules.ts';
import { someTelemetry } from '../../support/builders/telemetry.ts';
import { booksOf } from '../../support/books.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { recordHistory } from '../../support/record-history.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await aFlow();
});
afterAll(() => flow.close());

const { fork } = booksOf(() => flow.api.orm);
const rollUp = (workflowId: string) =>
  flow.client.workflow.execute('rollUpTelemetry', { taskQueue: flow.taskQueue, workflowId, args: [] });
/** The day it began, so that a run over midnight speaks of the same days throughout. */
const today = new Date();
const day = (ago: number) => dayOf(today, -ago);
const report = async () =>
  (
    await flow.api.call('GET', `/V1/pos/telemetry/report?from=${day(400)}&to=${day(1)}`, {
      token: flow.api.tokens.admin,
    })
  ).body;

test('a night sums up what is over and removes what is too old; two nights at once come to the same', async () => {
  for (const ago of [300, 100, 2, 1]) await someTelemetry(fork(), { day: day(ago), count: 3 });

  expect(await rollUp(`roll-up-1-${flow.taskQueue}`)).toEqual({ summarisedDays: 2, removedDays: 0, removedRows: 6 });
  await recordHistory(flow.client, `roll-up-1-${flow.taskQueue}`, 'roll-up-telemetry');

  const expected = [1, 2].map((ago) => ({ day: day(ago), event_count: 3, value_sum: 3, is_final: true }));
  expect((await report()).rows).toMatchObject(expected);
  await Promise.all([2, 3, 4].map((night) => rollUp(`roll-up-${night}-${flow.taskQueue}`)));
  expect((await report()).rows).toMatchObject(expected);
});

test('it runs at four in the morning, server time', async () => {
  const timeZone = 'Europe/Berlin';
  await Promise.all([1, 2].map(() => writeSchedules(flow.client, { taskQueue: flow.taskQueue, timeZone })));
  const schedule = flow.client.schedule.getHandle(`roll-up-telemetry-${flow.taskQueue}`);
  const { spec, policies, info } = await schedule.describe();

  expect(spec.timezone).toBe(timeZone);
  expect(spec.calendars).toMatchObject([{ hour: [{ start: 4, end: 4 }], minute: [{ start: 0, end: 0 }] }]);
  expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 7_200_000 });
  const inBerlin = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });
  expect(new Set(info.nextActionTimes.map((at) => inBerlin.format(at)))).toEqual(new Set(['04:00']));

  await schedule.delete();
  await flow.client.schedule.getHandle(`housekeeping-${flow.taskQueue}`).delete();
});
