import { allHandlersFinished, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { inWords } from '../../domain/fill-in.ts';
import { markdownLiteral } from '../../domain/markdown-literal.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { awaitProcessedUpdate, type ProcessAnswer, type ProcessInput } from './messages.ts';
import { runProcess } from './run-process.ts';

/**
 * One collapsed return: goods back and money back in one call (spec 4.8 process). It starts from nothing but the id of its
 * row, and may be started again: what is done already is found done.
 *
 * @returns its end state
 */
export async function processWorkflow({ processId }: ProcessInput): Promise<string> {
  let end: (outcome: Outcome<ProcessAnswer>) => void = () => undefined;
  const ending = new Promise<Outcome<ProcessAnswer>>((resolve) => {
    end = resolve;
  });
  setHandler(awaitProcessedUpdate, () => ending, { description: 'Waits until the collapsed return has ended.' });
  const outcome = await runProcess(processId);
  end(outcome);
  const ended = isRefused(outcome) ? inWords(outcome.refused) : outcome.state;
  setCurrentDetails(`Run ${processId}: ${markdownLiteral(ended)}`);
  await condition(allHandlersFinished);
  return isRefused(outcome) ? 'refused' : outcome.state;
}
