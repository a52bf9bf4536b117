import { ScheduleAlreadyRunning, type Client, type ScheduleOptions } from '@temporalio/client';

/** Every schedule of the product, on one page. Written at each worker start, so that this page is the truth. */
const schedules = (taskQueue: string, named: (id: string) => string): ScheduleOptions[] => [
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
];

/** Creates the schedules that are missing and brings the others up to date. Safe to run by many workers at once. */
export async function writeSchedules(client: Client, taskQueue: string): Promise<void> {
  // Two installations that share a namespace keep their schedules apart by their queues.
  const named = (id: string) => (taskQueue === 'pos' ? id : `${id}-${taskQueue}`);
  for (const options of schedules(taskQueue, named)) {
    try {
      await client.schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await client.schedule.getHandle(options.scheduleId).update((previous) => ({ ...options, state: previous.state }));
    }
  }
}
