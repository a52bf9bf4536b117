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
import type { LayawayActivities } from '../activities/layaways.ts';
import type { Command } from '../domain/command.ts';
import { inWords } from '../domain/fill-in.ts';
import { isOver, msUntilStale, owesNothing, type FollowedLayaway } from '../domain/layaways.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { moneyText } from '../domain/currency-texts.ts';
import { zero, type Amount } from '../domain/money.ts';
import { isRefused, type Outcome } from '../domain/outcome.ts';
import {
  cancelUpdate,
  captureUpdate,
  layawayId,
  refreshSignal,
  stateQuery,
  type CancelRequest,
  type CaptureRequest,
  type LayawayInput,
  type LayawayView,
} from './layaways/messages.ts';
import {
  Inbox,
  mustHappen,
  nightly,
  oneTransaction,
  signalIfRunning,
  startDetached,
  type Turn,
} from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';
import { posExpiresAt, posOrderId, posStatus } from './support/search-attributes.ts';

const { flagStaleBatch, findFinishedLately } = proxyActivities<LayawayActivities>(nightly);

/** Rows of one database statement, which flags all of them. */
const rowsPerPage = 500;
/** How many workflows are started or signalled at the same time. */
const wokenAtOnce = 50;

const rounds = ['stale', 'finished'] as const;

/** Progress of a sweep; when its history grows long, a new run continues from here. */
export interface Sweep {
  round: number;
  after: number;
  stale: number;
  finished: number;
}

/**
 * Each hour: flags overdue layaways as stale, which is what counts (spec 6), and signals their workflows. It signals
 * workflows whose layaways ended without them. Workflows that are missing are started by the minute's look.
 *
 * Concurrent and repeated sweeps are safe.
 *
 * @returns how many of each kind there were, for the Temporal page
 */
export async function expireLayaways(from?: Sweep): Promise<Omit<Sweep, 'round' | 'after'>> {
  const sweep: Sweep = from ?? { round: 0, after: 0, stale: 0, finished: 0 };
  for (;;) {
    const round = rounds[sweep.round];
    if (round === undefined) return { stale: sweep.stale, finished: sweep.finished };
    const orderIds = await pageOf(round, sweep.after);
    for (let at = 0; at < orderIds.length; at += wokenAtOnce) {
      const some = orderIds.slice(at, at + wokenAtOnce);
      await Promise.all(
        some.map((orderId) =>
          round === 'finished' ? signalIfRunning(layawayId(orderId), refreshSignal) : wake(orderId),
        ),
      );
    }
    sweep[round] += orderIds.length;
    const isRoundOver = orderIds.length < rowsPerPage;
    sweep.after = isRoundOver ? 0 : (orderIds.at(-1) ?? 0);
    if (isRoundOver) sweep.round += 1;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof expireLayaways>(sweep);
  }
}

function pageOf(round: (typeof rounds)[number], after: number): Promise<number[]> {
  const page = { after, limit: rowsPerPage };
  return round === 'stale' ? flagStaleBatch(page) : findFinishedLately(page);
}

/** Starts the layaway's workflow where it has none, otherwise signals it to read its row. */
async function wake(orderId: number): Promise<void> {
  const isNew = await startDetached<typeof layawayWorkflow>('layawayWorkflow', {
    workflowId: layawayId(orderId),
    args: [{ orderId }],
    staticSummary: `Layaway of order ${orderId}, started again`,
    typedSearchAttributes: [{ key: posOrderId, value: orderId }],
  });
  if (!isNew) await signalIfRunning(layawayId(orderId), refreshSignal);
}

/** A request, as the page shows it. */
interface RequestedOfLayaway extends Pick<Command, 'by' | 'requestId'> {
  verb: string;
  amount?: Amount;
  paymentMethod?: string;
}

/** What was asked for last, and the refusal where it was refused. */
interface LastOf {
  lastRequest: RequestedOfLayaway | null;
  lastRefusal: string | null;
}

/** The text of the workflow's page: the state of the layaway, what it waits for, what can be done. */
export function layawayDetails(layaway: FollowedLayaway, { lastRequest, lastRefusal }: LastOf): string {
  const lines = [
    `### Layaway of order ${markdownLiteral(layaway.orderIncrementId)} is **${layaway.status ?? 'none'}**`,
    '',
  ];
  if (lastRequest !== null) lines.push(`- Last request: ${requestText(lastRequest, layaway.currencyCode)}`);
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- ${nextStep(layaway)}`);
  lines.push(`- The whole story: \`npm run pos -- explain order ${layaway.orderId}\``);
  return lines.join('\n');
}

/** Names and methods come from outside. */
function requestText({ verb, by, requestId, amount, paymentMethod }: RequestedOfLayaway, currencyCode: string): string {
  const paid =
    amount === undefined || paymentMethod === undefined
      ? ''
      : ` of ${markdownLiteral(moneyText(amount, currencyCode))} by ${markdownLiteral(paymentMethod)}`;
  return `${verb}${paid}, asked by ${markdownLiteral(by)} (request ${markdownLiteral(requestId)})`;
}

function nextStep(layaway: FollowedLayaway): string {
  const { status, state, orderId, balanceOwed, currencyCode, expiresAt } = layaway;
  const owed = markdownLiteral(moneyText(balanceOwed, currencyCode));
  const pay = `\`POST /V1/pos/layaways/${orderId}/payments\``;
  const cancel = `\`POST /V1/pos/layaways/${orderId}/cancel\``;
  if (isOver(layaway)) return 'Finished. Nothing more happens here.';
  const isPaid = balanceOwed === zero;
  if (status === 'ready_to_settle' || (isPaid && state === 'pending_payment'))
    return 'Paid in full. Waits to be settled: the register pays its open invoice and hands the goods over.';
  // Collecting credit due pays a layaway without its own verbs, so its status does not show it (spec 4.6).
  if (isPaid)
    return `Paid in full, so it never expires and cannot be cancelled: its goods must be handed over (\`POST /V1/order/${orderId}/ship\`).`;
  if (status === 'stale')
    return `Overdue since ${expiresAt ?? 'unknown'}, ${owed} owed: take it (${pay}) or cancel (${cancel}).`;
  const until = expiresAt === null ? 'It never expires' : `It expires at ${expiresAt} and is flagged stale then`;
  return `Waits for payments (${pay}); ${owed} is owed. ${until}.`;
}

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
  const renewal = new Renewal();
  let isLate = false;
  for (;;) {
    if ((layaway === undefined || isOver(layaway)) && inbox.empty) {
      await condition(() => !inbox.empty || allHandlersFinished());
      if (inbox.empty) return view.status;
    }
    if (await renewal.isDue(() => !inbox.empty)) await continueAsNew<typeof layawayWorkflow>({ orderId });
    const turn = await next(inbox, layaway, isLate);
    if (turn === undefined) {
      isLate = !(await flagStale({ orderId }));
      layaway = show(await lookAtLayaway({ orderId }), view);
      continue;
    }
    const outcome = await carryOutRequest(orderId, turn.request);
    turn.answer(outcome);
    view.lastRequest = requestedBy(turn.request) ?? view.lastRequest;
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

function requestedBy(request: Request): RequestedOfLayaway | undefined {
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
