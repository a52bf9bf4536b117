import {
  allHandlersFinished,
  condition,
  continueAsNew,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReturnActivities } from '../../activities/returns/return-activities.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { isTerminal } from '../../domain/returns/return-status.ts';
import { oneTransaction } from '../support/activity-options.ts';
import { Inbox } from '../support/inbox.ts';
import { posStatus } from '../support/search-attributes.ts';
import { carryOut, type Change } from './carry-out.ts';
import { initialise } from './initialise.ts';
import {
  awaitReadyUpdate,
  cancelRefundUpdate,
  closeUpdate,
  processUpdate,
  receiveUpdate,
  refreshSignal,
  resolveUpdate,
  setStatusUpdate,
  settleUpdate,
  stateQuery,
  type ReturnAnswer,
  type ReturnInput,
  type ReturnView,
} from './messages.ts';
import { refundConcludedSignal } from '../refunds/messages.ts';
import { returnDetails } from './return-details.ts';

const { loadReturn } = proxyLocalActivities<ReturnActivities>(oneTransaction);

type Request = { verb: 'awaitReady' } | { verb: 'refresh' } | Change;

/**
 * What has to be waited for in the life of one return (spec 3.2, 4.8): a provider, a gateway, what a crash left half-done.
 * It starts from nothing but the id, as often as something is asked of it.
 *
 * Handlers only put requests into the inbox. The loop carries out one at a time, so two settles never overlap. It
 * finishes what a crash interrupted before it answers the first request.
 *
 * @returns the status, as committed in PostgreSQL
 */
export async function returnWorkflow({ rmaId, ...rest }: ReturnInput): Promise<string> {
  const inbox = new Inbox<Request, Outcome<ReturnAnswer>>();
  const view: ReturnView = { status: 'loading', attemptId: null, attemptState: null, lastRefusal: null };
  registerHandlers(inbox, view);

  let startOutcome: Outcome<ReturnAnswer> | undefined = await initialise(rmaId);
  let isOver = await readStatus(rmaId, startOutcome, { view, ...rest });
  for (;;) {
    if (isOver && inbox.empty) {
      await condition(() => !inbox.empty || allHandlersFinished());
      if (inbox.empty) return view.status;
    }
    if (workflowInfo().continueAsNewSuggested && inbox.empty && allHandlersFinished()) {
      await continueAsNew<typeof returnWorkflow>({ rmaId, ...rest });
    }
    const { request, answer } = await inbox.next();
    const outcome: Outcome<ReturnAnswer> = await carryOutRequest(rmaId, request, startOutcome);
    startOutcome = undefined;
    answer(outcome);
    isOver = await readStatus(rmaId, outcome, { view, ...rest });
  }
}

/**
 * Registers every handler before the first await: an update that arrives with the start would otherwise be rejected.
 */
function registerHandlers(inbox: Inbox<Request, Outcome<ReturnAnswer>>, view: ReturnView): void {
  setHandler(awaitReadyUpdate, () => inbox.ask({ verb: 'awaitReady' }), {
    description: 'Waits until the return is ready.',
  });
  setHandler(settleUpdate, (request) => inbox.ask({ verb: 'settle', settle: request }), {
    description: 'Gives the money back and closes the return.',
  });
  setHandler(setStatusUpdate, (request) => inbox.ask({ verb: 'setStatus', setStatus: request }), {
    description: 'Sets the status by hand, where the move is permitted; approval approves every line.',
  });
  setHandler(receiveUpdate, (request) => inbox.ask({ verb: 'receive', receive: request }), {
    description: 'Receives the goods of an approved return; the condition decides where each line goes.',
  });
  setHandler(resolveUpdate, (request) => inbox.ask({ verb: 'resolve', resolve: request }), {
    description: 'Decides every line, and refunds the lines with a refund method.',
  });
  setHandler(cancelRefundUpdate, (request) => inbox.ask({ verb: 'cancelRefund', cancelRefund: request }), {
    description: 'Cancels the refund: the goods stay, no money moves.',
  });
  setHandler(closeUpdate, (request) => inbox.ask({ verb: 'close', close: request }), {
    description: 'Hands the goods back and closes the return without a refund.',
  });
  setHandler(processUpdate, (request) => inbox.ask({ verb: 'process', process: request }), {
    description: 'Approves, receives the goods and gives the money back, from any status.',
  });
  setHandler(refundConcludedSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'A refund attempt is decided.',
  });
  setHandler(refreshSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'Reads the return again and continues from its state. Harmless at any time.',
  });
  setHandler(stateQuery, () => view);
}

/** The outcome of the start answers the first request; later requests look again. */
async function carryOutRequest(
  rmaId: number,
  request: Request,
  created: Outcome<ReturnAnswer> | undefined,
): Promise<Outcome<ReturnAnswer>> {
  const ready = created ?? (await initialise(rmaId));
  if (request.verb === 'awaitReady' || request.verb === 'refresh') return ready;
  return isRefused(ready) && ready.refused.status === 404 ? ready : carryOut(rmaId, request);
}

/**
 * Reads the return's status and shows it while the return stays open. A return that ends at once is not read again:
 * its answer has the status.
 *
 * @returns whether nothing is left to be waited for
 */
async function readStatus(rmaId: number, outcome: Outcome<ReturnAnswer>, { view, ...rest }: Watched): Promise<boolean> {
  view.lastRefusal = isRefused(outcome) ? inWords(outcome.refused) : null;
  const shown = view.status;
  if (!isRefused(outcome) && (isTerminal(outcome.status) || mayEndWhenIdle(rest))) {
    view.status = outcome.status;
    // Only where it was shown as open: a return that ends at once shows its end by completing.
    if (shown !== 'loading' && shown !== view.status) showStatus(view.status);
    return true;
  }
  const rma = await loadReturn({ returnId: rmaId });
  if (isRefused(rma)) {
    view.status = 'unknown';
    return true;
  }
  Object.assign(view, { status: rma.status, attemptId: rma.attemptId, attemptState: rma.attemptState });
  if (shown !== view.status) showStatus(view.status);
  setCurrentDetails(returnDetails(rma, view.lastRefusal));
  return isTerminal(rma.status) || mayEndWhenIdle(rest);
}

type Watched = Pick<ReturnInput, 'endsWhenIdle'> & { view: ReturnView };

/** While workers are updated an older one may begin a run; it reads the return again where a newer one ends the run. */
const mayEndWhenIdle = ({ endsWhenIdle }: Pick<ReturnInput, 'endsWhenIdle'>) =>
  endsWhenIdle === true && patched('return-ends-when-idle');

const showStatus = (status: string) => upsertSearchAttributes([{ key: posStatus, value: status }]);
