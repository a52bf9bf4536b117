import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { LayawayActivities } from '../../activities/layaways/layaway-activities.ts';
import { isOver, msUntilStale, owesNothing, type FollowedLayaway } from '../../domain/layaways/followed-layaway.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isRefused, type Outcome } from '../../domain/outcome.ts';
import { mustHappen, oneTransaction } from '../support/activity-options.ts';
import { Inbox, type Turn } from '../support/inbox.ts';
import { posExpiresAt, posStatus } from '../support/search-attributes.ts';
import { layawayDetails, type AskedOfLayaway, type LastOf } from './layaway-details.ts';
import {
  cancelUpdate,
  captureUpdate,
  refreshSignal,
  stateQuery,
  type CancelRequest,
  type CaptureRequest,
  type LayawayInput,
  type LayawayView,
} from './messages.ts';

const { followLayaway, lookAtLayaway, capturePayment, cancelLayaway } =
  proxyLocalActivities<LayawayActivities>(oneTransaction);
const { flagStale } = proxyActivities<LayawayActivities>({ ...mustHappen, summary: 'flag the layaway stale' });

type Request =
  | { verb: 'capture'; capture: CaptureRequest }
  | { verb: 'cancel'; cancel: CancelRequest }
  | { verb: 'refresh' };
type Answer = Outcome<FollowedLayaway>;
type View = LayawayView & LastOf;

/** The longest timer. After it the workflow reads the layaway again and waits further. */
const longestWaitMs = 365 * 86_400_000;
/** The pause when the database's clock is behind the timer's: short enough for an expiry counted in days. */
const waitForClockMs = 60_000;

/**
 * The life of one layaway (spec 3.1, 4.7), from its placement until it is settled or cancelled; its only input is the
 * order's id.
 *
 * Handlers only put requests into the inbox. The loop carries out one at a time, so a capture and a cancellation
 * never overlap. Between requests a timer runs until the layaway expires; it is set again when that date changes.
 *
 * @returns the status it ended with, as committed in PostgreSQL
 */
export async function layawayWorkflow({ orderId }: LayawayInput): Promise<string> {
  const inbox = new Inbox<Request, Answer>();
  const view: View = { status: 'loading', expiresAt: null, lastRequest: null, lastRefusal: null };
  registerHandlers(inbox, view);

  let layaway = show(await followLayaway({ orderId }), view);
  let isLate = false;
  for (;;) {
    if ((layaway === undefined || isOver(layaway)) && inbox.empty) {
      await condition(() => !inbox.empty || allHandlersFinished());
      if (inbox.empty) return view.status;
    }
    if (workflowInfo().continueAsNewSuggested && inbox.empty && allHandlersFinished()) {
      await continueAsNew<typeof layawayWorkflow>({ orderId });
    }
    const turn = await next(inbox, layaway, isLate);
    if (turn === undefined) {
      isLate = !(await flagStale({ orderId }));
      layaway = show(await lookAtLayaway({ orderId }), view);
      continue;
    }
    const outcome = await carryOutRequest(orderId, turn.request);
    turn.answer(outcome);
    view.lastRequest = askedBy(turn.request) ?? view.lastRequest;
    view.lastRefusal = isRefused(outcome) ? inWords(outcome.refused) : null;
    // A refusal often means that the row was changed by another way.
    layaway = show(isRefused(outcome) ? await lookAtLayaway({ orderId }) : outcome, view);
    isLate = false;
  }
}

/**
 * Registers every handler before the first await: an update that arrives with the start would otherwise be rejected.
 */
function registerHandlers(inbox: Inbox<Request, Answer>, view: View): void {
  setHandler(captureUpdate, (capture) => inbox.ask({ verb: 'capture', capture }), {
    description: 'Books a payment: deposit, top-up or the last one.',
  });
  setHandler(cancelUpdate, (cancel) => inbox.ask({ verb: 'cancel', cancel }), {
    description: 'Gives the deposit back less the fee, and cancels the order.',
  });
  setHandler(refreshSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'Reads the layaway again and continues from its state. Harmless at any time.',
  });
  setHandler(stateQuery, () => view);
}

function carryOutRequest(orderId: number, request: Request): Promise<Answer> {
  switch (request.verb) {
    case 'capture':
      return capturePayment({ orderId, ...request.capture });
    case 'cancel':
      return cancelLayaway({ orderId, ...request.cancel });
    case 'refresh':
      return lookAtLayaway({ orderId });
  }
}

function askedBy(request: Request): AskedOfLayaway | undefined {
  if (request.verb === 'refresh') return undefined;
  if (request.verb === 'cancel') {
    const { by, requestId } = request.cancel;
    return { verb: 'cancel', by, requestId };
  }
  const { by, requestId, amount, paymentMethod } = request.capture;
  return { verb: 'capture', by, requestId, amount, paymentMethod };
}

/** The next request, or undefined when the layaway expired first. */
async function next(
  inbox: Inbox<Request, Answer>,
  layaway: FollowedLayaway | undefined,
  isLate: boolean,
): Promise<Turn<Request, Answer> | undefined> {
  // A layaway that is paid in full cannot become overdue.
  const ms = layaway === undefined || owesNothing(layaway) ? null : msUntilStale(layaway);
  if (ms === null) return inbox.next();
  const wait = Math.min(ms, longestWaitMs);
  if (wait === 0 && !isLate) return inbox.nextAtOnce();
  return inbox.nextWithin(wait === 0 ? waitForClockMs : wait, 'layaway expires');
}

/** Shows the state of the layaway; for an unknown order it shows that instead. */
function show(outcome: Answer, view: View): FollowedLayaway | undefined {
  if (isRefused(outcome)) {
    view.status = 'unknown';
    return undefined;
  }
  const { status, expiresAt } = outcome;
  Object.assign(view, { status: status ?? 'none', expiresAt });
  const shown = workflowInfo().typedSearchAttributes;
  const isNews =
    shown.get(posStatus) !== view.status || shown.get(posExpiresAt)?.toISOString() !== (expiresAt ?? undefined);
  if (isNews)
    upsertSearchAttributes([
      { key: posStatus, value: view.status },
      { key: posExpiresAt, value: expiresAt === null ? null : new Date(expiresAt) },
    ]);
  setCurrentDetails(layawayDetails(outcome, view));
  return outcome;
}
