import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';

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
    scheduleId: named('repair-limbo'),
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'repairLimbo',
      taskQueue,
      args: [],
      staticSummary: 'Finds work that a crash interrupted',
    },
  },
  {
    scheduleId: named('follow-content-schedules'),
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'followContentSchedules',
      taskQueue,
      args: [],
      staticSummary: 'Starts workflows for content schedules without one',
    },
  },
  {
    scheduleId: named('follow-content-renewals'),
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'followContentRenewals',
      taskQueue,
      args: [],
      staticSummary: 'Starts workflows for changed blocks without one',
    },
  },
  {
    scheduleId: named('follow-bulks'),
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'followBulks',
      taskQueue,
      args: [],
      staticSummary: 'Takes up bulks that nobody carries out',
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
      staticSummary: 'Flags overdue layaways, starts workflows for those without one',
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
