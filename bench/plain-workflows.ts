import {
  allHandlersFinished,
  condition,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import { stepUpdate } from './plain-messages.ts';

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

/** So many updates, each with one empty step, then the end. */
async function updates(count: number, step: () => Promise<void>): Promise<void> {
  let done = 0;
  setHandler(stepUpdate, async () => {
    await step();
    done++;
  });
  await condition(() => done >= count && allHandlersFinished());
}

/** The minimum of a return in one call: started and asked in one message, one local step. */
export const oneLocalWorkflow = () => updates(1, nothingHere);

/** The minimum of a return whose money goes through a gateway: one remote step. */
export const oneRemoteWorkflow = () => updates(1, nothing);

const verbs = 4;

/** The minimum of a return step by step: four messages, one local step each. */
export const fourLocalWorkflow = () => updates(verbs, nothingHere);

/** The minimum of a change of an existing workflow: one message, one local empty step. */
export async function followedWorkflow(): Promise<void> {
  setHandler(stepUpdate, () => nothingHere());
  await condition(() => false);
}
