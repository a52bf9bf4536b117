import type { Log } from '../../providers/log.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { answerWithinMs } from '../../domain/patience.ts';
import type { SecondLookAnswer } from '../../domain/refunds/refund-finding.ts';
import { secondLookId, secondLookUpdate } from '../../workflows/refunds/messages.ts';

const secondLook = (attemptId: number) => ({
  workflow: 'secondLookWorkflow',
  id: secondLookId(attemptId),
  input: { attemptId },
  summary: `Second look at refund ${attemptId}`,
});

/**
 * Asks the gateway again about a refund that a person decided as not refunded: see `recordSecondLook`.
 *
 * Refused with: 503 workflows cannot be reached, or no answer in time: a repeat asks again.
 */
export const lookAgain = ({
  workflows,
  requestId,
  attemptId,
}: {
  workflows: Workflows;
  requestId: string;
  attemptId: number;
}): Promise<SecondLookAnswer> =>
  workflows.ask({
    ...secondLook(attemptId),
    update: secondLookUpdate,
    request: null,
    operationKey: requestId,
    patienceMs: answerWithinMs,
  });

/** The same after a memo by hand, for no caller. Best effort: the operator's page and the CLI ask again. */
export const lookAgainSoon = (attemptId: number, { workflows, log }: { workflows: Workflows; log: Log }): void => {
  workflows
    .start(secondLook(attemptId))
    .catch((error: unknown) => log.warn({ 'attempt.id': attemptId, error }, 'a refund was not looked at again'));
};
