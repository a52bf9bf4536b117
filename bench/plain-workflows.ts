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

/** What a return would cost if each of its steps were an activity of its own: eight of them that do nothing. */
export async function plainWorkflow(): Promise<void> {
  for (let step = 0; step < steps; step++) await nothing();
}

/** The least a return can cost: started and asked in one message, one empty step here, one empty step elsewhere. */
export async function leastWorkflow(): Promise<void> {
  let isReady = false;
  setHandler(readyUpdate, () => condition(() => isReady));
  await nothingHere();
  await nothing();
  isReady = true;
  await condition(allHandlersFinished);
}

/** The least a change of something that is already followed can cost: one message, one empty step here. */
export async function followedWorkflow(): Promise<void> {
  setHandler(stepUpdate, () => nothingHere());
  await condition(() => false);
}
