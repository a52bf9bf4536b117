import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';

export interface SchedulesOf {
  taskQueue: string;
  /** The zone of "server time" (spec 6). */
  timeZone: string;
}

/** Every schedule of the product, on one page. Written at each worker start, so that this page is the truth. */
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
      staticSummary: 'Finds what a crash left half-done',
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
      staticSummary: 'Takes up planned publications that nobody follows',
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
      staticSummary: 'Takes up blocks whose places nobody renders',
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
      staticSummary: 'Flags overdue layaways, takes up those nobody follows',
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
      staticSummary: 'Removes one-time codes that can no longer be used',
    },
  },
  {
    // Prices of a new day, at every website's own midnight, and what was changed past the routes.
    scheduleId: named('reindex-catalog-rules'),
    spec: { intervals: [{ every: '5 minutes' }] },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'reindexCatalogRules',
      taskQueue,
      args: [],
      staticSummary: 'Works out catalog prices where a day began or something changed',
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
      staticSummary: 'Removes notes, tokens, counters and mails nobody needs any more',
    },
  },
  {
    scheduleId: named('roll-up-telemetry'),
    // What is not said counts as 0, so both are said.
    spec: { calendars: [{ hour: 4, minute: 0 }], timezone: timeZone },
    policies: { overlap: 'SKIP', catchupWindow: '2 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'rollUpTelemetry',
      taskQueue,
      args: [],
      staticSummary: 'Sums up what registers told, removes what is too old',
    },
  },
];

/** Creates the schedules that are missing and brings the others up to date. Safe to run by many workers at once. */
export async function writeSchedules(client: Client, of: SchedulesOf): Promise<void> {
  // Two installations that share a namespace keep their schedules apart by their queues.
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
