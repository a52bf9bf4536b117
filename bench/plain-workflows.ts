import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

const steps = 8;

/** What a return would cost if each of its steps were an activity of its own: eight of them that do nothing. */
export async function plainWorkflow(): Promise<void> {
  for (let step = 0; step < steps; step++) await nothing();
}
