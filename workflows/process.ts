import {
  allHandlersFinished,
  condition,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { ProcessActivities } from '../activities/process.ts';
import { inWords } from '../domain/fill-in.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { isRefused, type Outcome } from '../domain/outcome.ts';
import type { OpenProcessRequest } from '../domain/returns/return-requests.ts';
import { awaitProcessedUpdate, type ProcessAnswer, type ProcessInput } from './messages.ts';
import { askProviders } from './process/run-process.ts';
import type { returnWorkflow } from './returns.ts';
import { refreshSignal } from './returns/messages.ts';
import { whileSomebodyWaits, signalIfRunning, startDetached } from './support/activity-options.ts';
import { returnId } from './support/return-id.ts';
import { posReturnId } from './support/search-attributes.ts';

const { openProcess } = proxyLocalActivities<ProcessActivities>(whileSomebodyWaits);

/**
 * One collapsed return of which somebody outside is asked first, or that no returns module takes (spec 4.8 process):
 * its row, the providers in order, and the money. A provider's yes makes the return. It may be started again from the
 * id of its row: what is done already is found done.
 *
 * @returns its end state
 */
export async function processWorkflow(input: ProcessInput): Promise<string> {
  let end: (outcome: Outcome<ProcessAnswer>) => void = () => undefined;
  const ending = new Promise<Outcome<ProcessAnswer>>((resolve) => {
    end = resolve;
  });
  let requestedUntil: string | undefined;
  setHandler(
    awaitProcessedUpdate,
    ({ beginBefore }) => {
      requestedUntil = beginBefore;
      return ending;
    },
    { description: 'Waits until the collapsed return has ended.' },
  );
  const opened = 'open' in input ? await open(input.open, () => requestedUntil) : input;
  const outcome = isRefused(opened) ? opened : await run(opened.processId);
  end(outcome);
  const ended = isRefused(outcome) ? `refused: ${inWords(outcome.refused)}` : outcome.state;
  setCurrentDetails(`This collapsed return: ${markdownLiteral(ended)}`);
  await condition(allHandlersFinished);
  return ended;
}

/** What came too late for its first caller is opened for whoever asked again meanwhile. */
async function open(requested: OpenProcessRequest, requestedUntil: () => string | undefined) {
  const opened = await openProcess(requested);
  const beginBefore = requestedUntil() ?? requested.beginBefore;
  if (!isRefused(opened) || opened.refused.status !== 503 || beginBefore === requested.beginBefore) return opened;
  return openProcess({ ...requested, beginBefore });
}

async function run(processId: number): Promise<Outcome<ProcessAnswer>> {
  const outcome = await askProviders(processId);
  if (isRefused(outcome)) return outcome;
  if (outcome.state === 'taken') await followReturn(outcome.returnId);
  return { ...outcome, processId };
}

/** The return's own workflow gives its money back. */
async function followReturn(rmaId: number): Promise<void> {
  const isNew = await startDetached<typeof returnWorkflow>('returnWorkflow', {
    workflowId: returnId(rmaId),
    args: [{ rmaId }],
    staticSummary: `Return ${rmaId}, taken on by its provider`,
    typedSearchAttributes: [{ key: posReturnId, value: rmaId }],
  });
  if (!isNew) await signalIfRunning(returnId(rmaId), refreshSignal);
}
