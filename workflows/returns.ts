import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RefundActivities } from '../activities/refunds.ts';
import type { GoingOn } from '../activities/returns.ts';
import type { ProviderActivities, ReturnActivities, ReturnSnapshot, Step } from '../activities/returns.ts';
import type { Command } from '../domain/command.ts';
import { inWords } from '../domain/fill-in.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { isRefused, type Outcome } from '../domain/outcome.ts';
import { declinedLine, gatewayUncertain, refundRefused } from '../domain/refunds/refund-finding.ts';
import type { SettleMethod } from '../domain/returns/resolution.ts';
import type * as Requests from '../domain/returns/return-requests.ts';
import { isTerminal, methodOfProcess, type ReturnStatus } from '../domain/returns/return-status.ts';
import { runProcess } from './process/run-process.ts';
import { concludeAttempt } from './refunds/conclude-attempt.ts';
import { refundConcludedSignal } from './refunds/messages.ts';
import * as messages from './returns/messages.ts';
import type { Beginning, ReturnAnswer, ReturnInput, ReturnView } from './returns/messages.ts';
import { Inbox, mustHappen, outsideCall, whileSomebodyWaits } from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';
import { posStatus } from './support/search-attributes.ts';
import { waitedTooLong } from '../domain/refusals/platform.ts';
import { tendersUnfinished } from '../domain/refusals/tenders.ts';
import { PosError } from '../domain/errors.ts';

type Shown = ReturnSnapshot & { returnId: number };

/** The text of the workflow's page: the status of the return, what it waits for, how much, and what can be done. */
export function returnDetails(rma: Shown, { lastRefusal, lastAskedBy }: ReturnView): string {
  const lines = [
    `### Return ${markdownLiteral(rma.incrementId)} of order ${markdownLiteral(rma.orderIncrementId)} is **${rma.status}**`,
    '',
    `- ${nextStep(rma)}`,
  ];
  if (!isTerminal(rma.status) && rma.amount !== null) lines.push(`- ${moneyOf(rma, rma.amount)}`);
  if (lastAskedBy !== null) lines.push(`- Last asked by: ${markdownLiteral(lastAskedBy)}`);
  if (lastRefusal !== null) lines.push(`- Last refusal: ${markdownLiteral(lastRefusal)}`);
  lines.push(`- The whole story: \`npm run pos -- explain return ${rma.returnId}\``);
  return lines.join('\n');
}

const moneyOf = ({ refundMethod }: Shown, amount: string) =>
  `${markdownLiteral(amount)} is to go back${refundMethod === null ? '' : ` by \`${refundMethod}\``}, before goodwill and fees.`;

function nextStep(rma: Shown): string {
  if (isTerminal(rma.status)) return 'Finished. Nothing more happens here.';
  if (rma.attemptId !== null) {
    return `Waits for refund attempt ${rma.attemptId}: while nobody knows what became of it, the workflow \`refund-attempt-${rma.attemptId}\` is open; resolve it there.`;
  }
  if (!rma.isReady)
    return `Its creation is not finished yet and is retried every minute. If its history says why it is held, fix that, or close it: \`POST /V1/pos/rma/${rma.returnId}/close\`.`;
  return waits[rma.status] ?? 'Waits for the shop to approve it or to refuse it.';
}

/** What each open status waits for, apart from a decision. */
const waits: Partial<Record<ReturnStatus, string>> = {
  approved: 'Waits for its goods: they are received at a location.',
  received: 'Its goods are in, its refund was cancelled: it waits to be settled, resolved or closed.',
  received_partially: 'Its goods are in: it waits to be settled, resolved or closed.',
  items_received: 'Its goods are in: it waits to be settled, resolved or closed.',
  awaiting_refund: 'Waits for a cashier to settle it at the register.',
};

const transactions = proxyLocalActivities<ReturnActivities>(whileSomebodyWaits);
const patiently = proxyActivities<ReturnActivities>(mustHappen);
const { offerReturn } = proxyActivities<ProviderActivities>(outsideCall);
const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

/** What is asked of a return; each verb is one transaction, and what must be asked of others. */
type Request = { verb: 'create'; beginBefore: string } | { verb: 'refresh' } | Verb;

type Verb =
  | { verb: 'status'; request: Requests.SetStatusRequest }
  | { verb: 'receive'; request: Requests.ReceiveRequest }
  | { verb: 'resolve'; request: Requests.ResolveRequest }
  | { verb: 'settle'; request: Requests.SettleRequest }
  | { verb: 'cancel-refund'; request: Requests.NotedRequest }
  | { verb: 'close'; request: Requests.NotedRequest }
  | { verb: 'process'; request: Requests.ProcessRequest };

type Answer = Outcome<ReturnAnswer>;

/**
 * A run with a longer history continues as new: a return may be open for months. Nearly all end with fewer than 40
 * events. A new run keeps its attributes and details, but the SDK gives it no summary.
 */
const maxEvents = 100;

/**
 * The life of one return (spec 3.2, 4.8), from before its row until it is over: the list of open workflows is the list
 * of open returns.
 *
 * Handlers only put requests into the inbox. The loop carries out one at a time, so two settles never overlap, and what
 * a crash left half-done is finished before the next. Every fact is a row in PostgreSQL: a run that was lost starts
 * again from the id alone. A request to cancel the run reads the rows again, and nothing else.
 *
 * @returns the status it ended with, as committed in PostgreSQL, or why nothing came of it
 */
export function returnWorkflow(input: ReturnInput): Promise<string> {
  const inbox = new Inbox<Request, Answer>();
  const view: ReturnView = { status: 'loading', attemptId: null, lastRefusal: null, lastAskedBy: null };
  registerHandlers(inbox, view);
  CancellationScope.current().cancelRequested.catch(() => inbox.note({ verb: 'refresh' }));
  return CancellationScope.nonCancellable(() => live(input, inbox, view));
}

/** Before the first await: an update that arrives with the start would otherwise be rejected. */
function registerHandlers(inbox: Inbox<Request, Answer>, view: ReturnView): void {
  const ask = (query: Request, { by }: Command) => {
    view.lastAskedBy = by;
    return inbox.ask(query);
  };
  setHandler(messages.createUpdate, (command) => ask({ verb: 'create', beginBefore: command.beginBefore }, command), {
    description: 'Waits until what its creation asked for is done.',
  });
  setHandler(messages.setStatusUpdate, (request) => ask({ verb: 'status', request }, request), {
    description: 'Sets the status by hand, where the move is permitted; approval approves every line.',
  });
  setHandler(messages.receiveUpdate, (request) => ask({ verb: 'receive', request }, request), {
    description: 'Receives the goods of an approved return; the condition decides where each line goes.',
  });
  setHandler(messages.resolveUpdate, (request) => ask({ verb: 'resolve', request }, request), {
    description: 'Decides every line, and refunds the lines with a refund method.',
  });
  setHandler(messages.settleUpdate, (request) => ask({ verb: 'settle', request }, request), {
    description: 'Gives the money back and closes the return.',
  });
  setHandler(messages.cancelRefundUpdate, (request) => ask({ verb: 'cancel-refund', request }, request), {
    description: 'Cancels the refund: the goods stay, no money moves.',
  });
  setHandler(messages.closeUpdate, (request) => ask({ verb: 'close', request }, request), {
    description: 'Hands the goods back and closes the return without a refund.',
  });
  setHandler(messages.processUpdate, (request) => ask({ verb: 'process', request }, request), {
    description: 'Approves, receives the goods and gives the money back, from any status.',
  });
  setHandler(refundConcludedSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'A refund attempt is decided.',
  });
  setHandler(messages.refreshSignal, () => inbox.note({ verb: 'refresh' }), {
    description: 'Reads the return again and continues from its state. Harmless at any time.',
  });
  setHandler(messages.stateQuery, () => view);
}

async function live({ rmaId, begin }: ReturnInput, inbox: Inbox<Request, Answer>, view: ReturnView): Promise<string> {
  let outcome = begin ? await beginReturn(rmaId, begin) : await finish(rmaId, await takeUp(rmaId));
  /**
   * What came of the start is the answer of who waits for it already; whoever comes later is answered anew. So is who
   * asks for a return that waits for that.
   */
  const renewal = new Renewal(() => workflowInfo().historyLength > maxEvents);
  let isReportedAlready = inbox.empty || (!isRefused(outcome) && outcome.waitsForCaller === true);
  for (;;) {
    const isOver = await show(rmaId, outcome, view);
    if (isOver && inbox.empty) {
      await condition(() => !inbox.empty || allHandlersFinished());
      if (inbox.empty) return isRefused(outcome) ? `refused: ${inWords(outcome.refused)}` : endOf(outcome);
    }
    if (await renewal.isDue(() => !inbox.empty)) await continueAsNew<typeof returnWorkflow>({ rmaId });
    const { request, answer } = await inbox.next();
    // A creation that came to nothing, for one who waited too long, is begun for the one who asks again.
    if (request.verb === 'create' && begin && isRefused(outcome) && request.beginBefore !== momentOf(begin))
      outcome = await beginReturn(rmaId, begin, request.beginBefore);
    else if (request.verb !== 'create' || isReportedAlready) outcome = await carryOut(rmaId, request, outcome);
    isReportedAlready = true;
    answer(answerOf(outcome));
  }
}

const endOf = ({ now, reusedId }: Step) => (reusedId === undefined ? now.status : `reused: return ${reusedId}`);

function answerOf(outcome: Outcome<Step>): Answer {
  if (isRefused(outcome)) return outcome;
  const { now, refused, reusedId, mailId, processId } = outcome;
  if (refused) return { refused };
  return {
    status: now.status,
    ...(reusedId === undefined ? {} : { reusedId }),
    ...(mailId === undefined ? {} : { mailId }),
    ...(processId === undefined ? {} : { processId }),
  };
}

const momentOf = (begin: Beginning) => (begin.verb === 'create' ? begin.create : begin.collapse).beginBefore;

async function beginReturn(returnId: number, begin: Beginning, beginBefore?: string): Promise<Outcome<Step>> {
  const moment = beginBefore === undefined ? {} : { beginBefore };
  const begun = await orBusy(() => {
    if (begin.verb === 'create')
      return transactions.createReturn({ returnId, request: { ...begin.create, ...moment } });
    return transactions.collapseReturn({ returnId, request: { ...begin.collapse, ...moment } });
  });
  // The database did not answer in time: only it knows whether there is a return.
  if (begun === undefined) return finish(returnId, await patiently.takeUpReturn({ returnId }));
  return finish(returnId, begun);
}

/** One request: its transaction, then whoever must be asked; first what an earlier one left half-done. */
async function carryOut(returnId: number, request: Request, before: Outcome<Step>): Promise<Outcome<Step>> {
  if (request.verb === 'create' || request.verb === 'refresh')
    return finish(returnId, await takeUp(returnId, { isAsked: request.verb === 'create' }));
  const done = await orBusy(() => transact(returnId, request));
  if (done === undefined) return busy(before);
  if (!isUnfinished(done))
    return finishLines(returnId, request, await finish(returnId, done, request.request.beginBefore));
  const ready = await finish(returnId, await takeUp(returnId, { isAsked: true, instead: methodOf(request) }));
  if (isRefused(ready) && ready.refused.status === 404) return ready;
  const again = await orBusy(() => transact(returnId, request));
  if (again === undefined) return busy(ready);
  const finished = await finish(
    returnId,
    isUnfinished(again) ? saying(again, ready) : again,
    request.request.beginBefore,
  );
  return finishLines(returnId, request, finished);
}

/**
 * The steps of a settlement by several tenders: after a line that went back, its transaction opens the next one, or
 * books the memo of all of them. Every other outcome ends it: the rows say where a later settle continues.
 */
async function finishLines(returnId: number, request: Verb, first: Outcome<Step>): Promise<Outcome<Step>> {
  let outcome = first;
  while (!isRefused(outcome) && outcome.isLineRefunded === true) {
    const { isLineRefunded: _done, ...before } = outcome;
    const next = await orBusy(() => transact(returnId, request));
    if (next === undefined) return busy(before);
    const after = await finish(returnId, next, request.request.beginBefore);
    // Too late for the rest: what went back stays, and the same settle continues.
    outcome =
      isRefused(after) && waitedTooLong.is(new PosError(after.refused))
        ? { ...before, refused: tendersUnfinished({ return_id: returnId }).refusal }
        : after;
  }
  return outcome;
}

/** Whoever is told "not ready" hears what keeps the return from it. */
function saying(unready: Outcome<Step>, { refused: why }: Outcome<Step>): Outcome<Step> {
  if (!isRefused(unready) || why === undefined || why.status >= 500) return unready;
  const { refused } = unready;
  return { refused: { ...refused, message: `${inWords(refused)} ${inWords(why)}` } };
}

function transact(returnId: number, request: Verb): Promise<Outcome<Step>> {
  switch (request.verb) {
    case 'status':
      return transactions.setReturnStatus({ returnId, request: request.request });
    case 'receive':
      return transactions.receiveReturn({ returnId, request: request.request });
    case 'resolve':
      return transactions.resolveReturn({ returnId, request: request.request });
    case 'settle':
      return transactions.settleReturn({ returnId, request: request.request });
    case 'cancel-refund':
      return transactions.cancelRefund({ returnId, request: request.request });
    case 'close':
      return transactions.closeReturn({ returnId, request: request.request });
    case 'process':
      return fastTrack(returnId, request.request);
  }
}

/** What is left after a transaction: an outside provider to ask, a gateway, a collapsed return that was interrupted. */
async function finish(returnId: number, done: Outcome<Step>, beginBefore?: string): Promise<Outcome<Step>> {
  if (isRefused(done)) return done;
  if (done.needsProvider) {
    const offered = await offerReturn({ returnId });
    return isRefused(offered) ? { ...done, refused: offered.refused } : finish(returnId, await takeUp(returnId));
  }
  if (done.attempt) return giveBack(returnId, { ...done, attempt: done.attempt }, beginBefore);
  return done.openProcessId === undefined ? done : process(returnId, done.openProcessId);
}

type Refunding = Step & { attempt: NonNullable<Step['attempt']> };

/** Carries out an open attempt and answers in the interface's words (spec 4.8). */
async function giveBack(returnId: number, step: Refunding, beginBefore?: string): Promise<Outcome<Step>> {
  const { attempt, ...before } = step;
  const { attemptId } = attempt;
  const now = { ...before.now, attemptId: null };
  if (attempt.isLeftOver === true && !attempt.isClaimed) {
    await recordFinding({ attemptId, finding: neverSent, isOwn: true });
    return { ...before, now };
  }
  const toCall = { ...attempt, rmaId: returnId, ...(beginBefore === undefined ? {} : { beginBefore }) };
  const { state, mailId, message = null, isLate, isLine } = await concludeAttempt(toCall);
  // Only the settle that a register waits for continues; where another run finds it, the lines stay open.
  if (isLine) return { ...before, now, ...(beginBefore === undefined ? {} : { isLineRefunded: true as const }) };
  if (state === 'booked') {
    const ended = { ...now, status: attempt.endsAs ?? ('closed' as const), isReady: true };
    return { ...before, now: ended, ...(mailId === undefined ? {} : { mailId }) };
  }
  if (isLate) return { ...before, now, refused: waitedTooLong().refusal };
  if (state === 'failed') {
    const refused = refundRefused({ attemptId, returnId, message });
    return { ...before, now, refused: attempt.isLine === true ? declinedLine(refused) : refused };
  }
  const { refusal } = gatewayUncertain({ attemptId, state: 'uncertain', returnId });
  return { ...before, now: { ...now, attemptId }, refused: refusal };
}

/** The call was never claimed, so it was never made; from now on it cannot be claimed. */
const neverSent = {
  evidence: 'not_refunded',
  isFinal: true,
  gatewayOutcome: 'not_sent',
  message: 'The refund was interrupted before it was sent.',
} as const;

/** Takes the return to its end in one call, from any status (spec 4.8 process). */
async function fastTrack(returnId: number, request: Requests.ProcessRequest): Promise<Outcome<Step>> {
  const opened = await transactions.openFastTrack({ returnId, request });
  if (isRefused(opened)) return opened;
  if (opened.processId === null) return patiently.readReturn({ returnId });
  return process(returnId, opened.processId);
}

async function process(returnId: number, processId: number): Promise<Outcome<Step>> {
  const run = await runProcess(processId);
  const read = await patiently.readReturn({ returnId });
  if (isRefused(read)) return read;
  return isRefused(run) ? { ...read, processId, refused: run.refused } : { ...read, processId };
}

/** Of no caller alone, so it is tried for as long as it takes. */
async function takeUp(returnId: number, goingOn: GoingOn = { isAsked: false }): Promise<Outcome<Step>> {
  const request = { returnId, ...goingOn };
  return (await orBusy(() => transactions.takeUpReturn(request))) ?? patiently.takeUpReturn(request);
}

/** The way on which a verb gives money back; undefined: it gives none. */
function methodOf(request: Verb): SettleMethod | undefined {
  if (request.verb === 'settle') return request.request.method;
  return request.verb === 'process' ? methodOfProcess(request.request) : undefined;
}

/** Undefined where a transaction could not be made in time: PostgreSQL did not answer, or others held the lock. */
async function orBusy(work: () => Promise<Outcome<Step>>): Promise<Outcome<Step> | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ActivityFailure) return undefined;
    throw error;
  }
}

/** The caller reads the row: it may have been committed without an answer. */
const busy = (before: Outcome<Step>): Outcome<Step> => ({
  ...before,
  refused: { status: 503, message: 'The database cannot be reached. Read the record again in a moment.' },
});

/** A creation or a refund is not finished: that comes first. */
function isUnfinished(outcome: Outcome<Step>): boolean {
  const parameters = isRefused(outcome) && outcome.refused.status === 409 ? outcome.refused.parameters : undefined;
  const outcomeOf = (name: string): unknown => (parameters === undefined ? undefined : Reflect.get(parameters, name));
  const isRefunding = outcomeOf('refund_attempt_state') === 'started';
  return outcomeOf('outcome') === 'return_not_ready' || (outcomeOf('outcome') === 'gateway_uncertain' && isRefunding);
}

/**
 * Shows the state on the run's page. A return that ends in its first step shows its end by ending.
 *
 * @returns whether nothing is left to be waited for
 */
async function show(returnId: number, outcome: Outcome<Step>, view: ReturnView): Promise<boolean> {
  const { refused } = outcome;
  view.lastRefusal = refused ? inWords(refused) : null;
  // A refusal was rolled back, and says nothing of the return as it is.
  const read = isRefused(outcome) && view.status !== 'loading' ? await patiently.readReturn({ returnId }) : outcome;
  if (isRefused(read)) {
    view.status = 'none';
    return true;
  }
  const { now, reusedId } = read;
  if (reusedId !== undefined) return true;
  const isOver = isTerminal(now.status);
  const isNews = view.status !== now.status && !(isOver && view.status === 'loading');
  if (isNews) upsertSearchAttributes([{ key: posStatus, value: now.status }]);
  view.status = now.status;
  view.attemptId = now.attemptId;
  setCurrentDetails(returnDetails({ ...now, returnId }, view));
  return isOver;
}
