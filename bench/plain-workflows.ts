import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import { readyUpdate, stepUpdate } from './plain-messages.ts';

interface Nothing {
  nothing(): Promise<void>;
}

const options = { startToCloseTimeout: '10 seconds' } as const;
const { nothing } = proxyActivities<Nothing>(options);
const { nothing: nothingHere } = proxyLocalActivities<Nothing>(options);

const steps = 8;

/** A return whose every step is an activity: eight empty ones. */
export async function plainWorkflow(): Promise<void> {
  for (let step = 0; step < steps; step++) await nothing();
}

/** The minimum of a return: started and asked in one message, one local and one remote empty step. */
export async function leastWorkflow(): Promise<void> {
  let isReady = false;
  setHandler(readyUpdate, () => condition(() => isReady));
  await nothingHere();
  await nothing();
  isReady = true;
  await condition(allHandlersFinished);
}

/** The minimum of a change of an existing workflow: one message, one local empty step. */
export async function followedWorkflow(): Promise<void> {
  setHandler(stepUpdate, () => nothingHere());
  await condition(() => false);
}
