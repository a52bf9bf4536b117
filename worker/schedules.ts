import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';
import { housekeepingId, housekeepingSummary } from '../workflows/messages.ts';

export interface SchedulesOf {
  taskQueue: string;
  /** The zone of "server time" (spec 6). */
  timeZone: string;
}

/**
 * Every schedule of the product, on one page. Each worker writes them at its start, so this page is always in force.
 */
const schedules = ({ taskQueue, timeZone }: SchedulesOf, named: (id: string) => string): ScheduleOptions[] => [
  {
    scheduleId: named('housekeeping'),
    spec: { intervals: [{ every: '1 hour' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'startHousekeeping',
      taskQueue,
      args: [housekeepingId(taskQueue)],
      staticSummary: 'Starts housekeeping where it does not run',
    },
  },
  {
    scheduleId: named('expire-layaways'),
    spec: { calendars: [{ hour: '*', minute: 5 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'expireLayaways',
      taskQueue,
      args: [],
      staticSummary: 'Flags overdue layaways, and tells their workflows',
    },
  },
  {
    scheduleId: named('purge-one-time-codes'),
    spec: { calendars: [{ hour: '*', minute: 35 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'purgeOneTimeCodes',
      taskQueue,
      args: [],
      staticSummary: 'Deletes expired one-time codes',
    },
  },
  {
    // Recalculates prices at every website's own midnight, and after changes that did not come through the routes.
    scheduleId: named('reindex-catalog-rules'),
    spec: { intervals: [{ every: '5 minutes' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'reindexCatalogRules',
      taskQueue,
      args: [],
      staticSummary: 'Recalculates catalog prices after a change or on a new day',
    },
  },
  {
    scheduleId: named('purge-leftovers'),
    spec: { calendars: [{ hour: 3, minute: 30 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'purgeLeftovers',
      taskQueue,
      args: [],
      staticSummary: 'Deletes notes, tokens, counters and mails past their retention',
    },
  },
  {
    scheduleId: named('roll-up-telemetry'),
    // An absent field would count as 0, so both are given.
    spec: { calendars: [{ hour: 4, minute: 0 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'rollUpTelemetry',
      taskQueue,
      args: [],
      staticSummary: 'Sums up telemetry and deletes old events',
    },
  },
  {
    // After the other nights, so that what they do is in the books that are checked.
    scheduleId: named('check-books'),
    spec: { calendars: [{ hour: 4, minute: 30 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'checkBooks',
      taskQueue,
      args: [],
      staticSummary: 'Checks every rule of the books, and keeps what it found for the page /ops',
    },
  },
];

/** Creates missing schedules and updates the others. Safe to run by many workers at once. */
export async function writeSchedules(client: Client, of: SchedulesOf): Promise<void> {
  // The queue name separates the schedules of installations that share a namespace.
  const named = (id: string) => (of.taskQueue === 'pos' ? id : `${id}-${of.taskQueue}`);
  for (const options of schedules(of, named)) {
    try {
      await client.schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(options.scheduleId).update((previous) => ({ ...options, state: previous.state }));
    }
  }
}

/** Starts the one workflow of each minute's look, unless it runs: see `workflows/housekeeping`. */
export async function startHousekeeping(client: Client, { taskQueue }: Pick<SchedulesOf, 'taskQueue'>): Promise<void> {
  await client.workflow.start('housekeeping', {
    workflowId: housekeepingId(taskQueue),
    taskQueue,
    args: [{}],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: housekeepingSummary,
  });
}
