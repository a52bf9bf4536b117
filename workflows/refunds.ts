import type { Duration } from '@temporalio/common';
import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RefundActivities } from '../activities/refunds.ts';
import { markdownLiteral } from '../domain/markdown-literal.ts';
import { minorDigits } from '../domain/money.ts';
import { isRefused } from '../domain/outcome.ts';
import {
  findingOf,
  isDecided,
  isResolution,
  refundAttemptId,
  type RefundAttemptState,
  type RefundFinding,
  type RefundResolution,
} from '../domain/refunds/refund-finding.ts';
import { postMail } from './mails.ts';
import {
  reconcileUpdate,
  refundConcludedSignal,
  resolveSignal,
  resolveUpdate,
  stateQuery,
  type RefundAttemptInput,
  type RefundAttemptProgress,
} from './refunds/messages.ts';
import { lookUp, mustHappen, oneTransaction, startDetached } from './support/activity-options.ts';
import { Renewal } from './support/renewal.ts';
import { returnId } from './support/return-id.ts';
import { posOrderId, posRefundState, posReturnId } from './support/search-attributes.ts';

export interface AttemptView {
  attemptId: number;
  orderId: number;
  orderIncrementId: string;
  returnId: number | null;
  /** The gateway's key for the attempt; absent in what older workers recorded. */
  merchantReference?: string;
  paymentMethod: string;
  state: RefundAttemptState;
  amount: number;
  currencyCode: string;
  message: string | null;
  /** The gateway reported the refund, but it could not be booked. */
  isUnbooked?: boolean;
  canLookUp: boolean;
  reconcileAfterSeconds: number;
  /** A person's decision that is recorded and has not taken effect. */
  decision?: RefundResolution;
  /** The operator's page, where the shop says what its address is. */
  opsPage?: string;
}

export interface AttemptProgress {
  /** How often the gateway was asked again. */
  tries: number;
  /** An operator's answer that could not be read, as it was sent. */
  unread?: string | undefined;
}

/** The text of the workflow's page for operators, in Markdown: what is known, what to check, and the exact commands. */
export function attemptDetails(view: AttemptView, { tries, unread }: AttemptProgress): string {
  const amount = view.amount.toFixed(minorDigits(view.currencyCode));
  const what = `**${amount} ${markdownLiteral(view.currencyCode)}** for order ${markdownLiteral(view.orderIncrementId)} (${markdownLiteral(view.paymentMethod)})`;
  if (view.state === 'booked') return `The refund of ${what} went through and is booked.`;
  if (view.state === 'failed')
    return `The refund of ${what} did not go through. The ${view.returnId === null ? 'goods can be returned' : 'return can be settled'} again.`;
  const id = view.merchantReference ?? refundAttemptId(view.attemptId);
  return [
    ...(unread === undefined
      ? []
      : [
          `### Your answer was not understood, so nothing happened: ${markdownLiteral(unread)}`,
          'Send it again, as below: the resolution is `refunded` or `not_refunded`, and `staffName` is your name.',
          '',
        ]),
    ...(view.isUnbooked
      ? [
          `### The gateway gave ${what} back, and it is not booked`,
          'Fix what the last answer says, then ask the gateway again, or send `refunded`.',
        ]
      : [`### Did the customer get ${what} back?`, 'The gateway has not said.']),
    `Until this is known, nothing else is refunded ${view.returnId === null ? 'for these goods; they came back without a return' : `on return ${view.returnId}`}.`,
    '',
    `- Last answer: ${markdownLiteral(view.message ?? 'none')}`,
    `- ${view.canLookUp ? `Asked again ${tries} time${tries === 1 ? '' : 's'} so far; ` : ''}${nextQuestion(view)}`,
    '',
    `**What to do**: look for the reference \`${id}\` in the gateway's portal, then`,
    '',
    '1. here: *More Actions* → *Send an Update* → `resolve` → ' +
      '`{"resolution":"refunded","staffName":"…","note":"…"}` (or `"not_refunded"`). It answers at once, also ' +
      'where it cannot be read; the signal `resolve` answers only on this page. Or',
    `2. in a shell: \`npm run pos -- refunds resolve ${view.attemptId} refunded --staff "…" --note "…"\`${view.canLookUp ? ', or' : '.'}`,
    ...(view.canLookUp ? [`3. ask again: \`npm run pos -- refunds reconcile ${view.attemptId}\``] : []),
    ...(view.opsPage === undefined ? [] : ['', `With a phone: [the operator's page](${view.opsPage}).`]),
  ].join('\n');
}

function nextQuestion(view: AttemptView): string {
  if (!view.canLookUp) return 'This gateway keeps no records to ask for: a person must find out.';
  return view.reconcileAfterSeconds > 0
    ? 'the gateway is asked again automatically, less and less often.'
    : 'it is asked again only on request.';
}

const { lookUpRefund } = proxyActivities<RefundActivities>(lookUp);

/** Asks the gateway about a refund; when every try fails, the attempt stays uncertain. */
export async function lookUpOrDoubt(attemptId: number): Promise<RefundFinding> {
  try {
    return await lookUpRefund({ attemptId });
  } catch {
    return { evidence: 'unknown', message: 'The gateway could not be asked.' };
  }
}

const { loadRefundAttempt } = proxyLocalActivities<RefundActivities>(oneTransaction);
const { recordFinding } = proxyActivities<RefundActivities>(mustHappen);

/** The requests made to the loop, and its progress. */
interface Notes {
  state: RefundAttemptState;
  /** Undefined until the attempt is loaded. */
  view: AttemptView | undefined;
  /** How often the gateway was asked again. */
  tries: number;
  /** What came last as an answer and could not be read. */
  unread: string | undefined;
  resolution: RefundResolution | undefined;
  /** The resolution is recorded in PostgreSQL, and takes effect later than a caller waits. */
  isRecorded: boolean;
  asked: number;
  answered: number;
}

/**
 * Follows one uncertain refund until it is known where the money is (spec 3.3, 4.8).
 *
 * An open execution of this type IS an uncertain refund, so the Temporal list is the operator's list of work.
 * Handlers only note requests; the loop alone carries them out, so nothing interleaves. It asks the gateway by
 * itself: soon, then hourly, then daily (our choice; the spec names only the routes). Time alone never decides.
 *
 * @returns `booked` or `failed`, as committed in PostgreSQL
 */
export async function refundAttemptWorkflow({ attemptId, before }: RefundAttemptInput): Promise<RefundAttemptState> {
  const notes: Notes = {
    ...{ state: 'uncertain', view: undefined, tries: before?.tries ?? 0, unread: before?.unread },
    ...{ resolution: before?.resolution, isRecorded: false, asked: 0, answered: 0 },
  };
  registerHandlers(notes);
  const view = (notes.view = await load(attemptId));
  notes.state = view.state;
  if (view.decision !== undefined) Object.assign(notes, { resolution: view.decision, isRecorded: true });
  const renewal = new Renewal();
  let waitSeconds = before?.waitSeconds ?? 0;
  for (; !isDecided(notes.state); notes.tries++) {
    show(notes);
    if (await isTimeToRenew(notes, renewal, waitSeconds))
      await continueAsNew<typeof refundAttemptWorkflow>({ attemptId, before: progressOf(notes, waitSeconds) });
    await nextRequest(notes, { tries: notes.tries, view, waitSeconds });
    const turn = notes.asked;
    const isAsking = turn > notes.answered && (waitSeconds > 0 || notes.resolution === undefined);
    const finding: RefundFinding =
      notes.resolution && !isAsking ? findingOf(notes.resolution) : await lookUpOrDoubt(attemptId);
    const recorded = await recordFinding({ attemptId, finding });
    if (isRefused(recorded)) throw ApplicationFailure.nonRetryable(recorded.refused.message, 'RefundAttemptRefused');
    await postMail(recorded.mailId);
    waitSeconds = recorded.waitSeconds ?? 0;
    // An operator's answer that cannot be applied is dropped; one that is only too early is kept.
    if (finding.resolvedBy !== undefined) {
      notes.isRecorded = waitSeconds > secondsToWaitFor;
      if (waitSeconds === 0) notes.resolution = undefined;
    }
    view.message = recorded.message ?? finding.message ?? view.message;
    view.isUnbooked = recorded.isUnbooked ?? false;
    notes.state = recorded.state;
    notes.answered = turn;
  }
  upsertSearchAttributes([{ key: posRefundState, value: notes.state }]);
  show(notes);
  await signalReturn(view.returnId);
  await condition(allHandlersFinished);
  return notes.state;
}

const resolveHelp =
  'Reports whether the money went back, after you checked the gateway: ' +
  '{"resolution":"refunded","staffName":"your name","note":"what you saw"}, or "not_refunded". Your name is kept ' +
  'with it.';

/** A caller waits for a decision that takes effect so soon, and gets the final state. */
const secondsToWaitFor = 6;

/** The page of the workflow; before the attempt is loaded there is none. */
function show({ view, state, tries, unread }: Notes): void {
  if (view !== undefined) setCurrentDetails(attemptDetails({ ...view, state }, { tries, unread }));
}

function registerHandlers(notes: Notes): void {
  // A signal cannot be refused, so the page says what became of it.
  const note = (input: unknown) => {
    if (isResolution(input)) {
      notes.resolution ??= input;
      notes.unread = undefined;
    } else {
      log.warn('a resolve signal had no valid resolution or no name; it was ignored');
      notes.unread = textOf(input);
    }
    show(notes);
  };
  setHandler(stateQuery, () => notes.state);
  setHandler(resolveSignal, note, { description: resolveHelp });
  setHandler(
    resolveUpdate,
    async (posted) => {
      note(posted);
      await condition(() => isDecided(notes.state) || notes.resolution === undefined || notes.isRecorded);
      return notes.state;
    },
    { validator: refuseAnythingElse, description: resolveHelp },
  );
  setHandler(
    reconcileUpdate,
    async () => {
      const turn = ++notes.asked;
      await condition(() => notes.answered >= turn || isDecided(notes.state));
      return notes.state;
    },
    { description: 'Asks the gateway again, now.' },
  );
}

/** What came, as it was sent; a person who sees it knows it again. */
const textOf = (input: unknown): string => (JSON.stringify(input) ?? 'nothing').slice(0, 200);

/** Synchronous, as validators must be. A signal cannot be refused, so `note` ignores what this validator rejects. */
function refuseAnythingElse(input: RefundResolution): void {
  if (!isResolution(input))
    throw ApplicationFailure.nonRetryable('Say refunded or not_refunded, and who you are.', 'PosError');
}

async function load(attemptId: number): Promise<AttemptView> {
  const loaded = await loadRefundAttempt({ attemptId });
  if (isRefused(loaded)) throw ApplicationFailure.nonRetryable(loaded.refused.message, 'UnknownRefundAttempt');
  return loaded;
}

interface Patience {
  tries: number;
  view: AttemptView;
  waitSeconds: number;
}

/**
 * Waits for a request, for an operator's answer, or until the next look-up is due. An answer that is too early waits.
 */
async function nextRequest(notes: Notes, { tries, view, waitSeconds }: Patience): Promise<void> {
  if (notes.resolution && waitSeconds > 0) {
    await condition(() => notes.asked > notes.answered, waitSeconds * 1000, {
      summary: 'until the answer can be applied',
    });
    return;
  }
  const requested = () => notes.resolution !== undefined || notes.asked > notes.answered;
  if (!view.canLookUp || view.reconcileAfterSeconds === 0) return condition(requested);
  // A first "no" is confirmed as soon as possible; the pauses between unanswered questions grow.
  const patient = waitSeconds > 0 ? waitSeconds * 1000 : patience(tries, view.reconcileAfterSeconds);
  await condition(requested, patient, { summary: 'then the gateway is asked again' });
}

/** An answer that is too early goes to the next run; its callers are not awaited, as they wait for its time. */
async function isTimeToRenew(notes: Notes, renewal: Renewal, waitSeconds: number): Promise<boolean> {
  if (notes.resolution !== undefined && waitSeconds > 0) return renewal.isSuggested;
  return renewal.isDue(() => notes.resolution !== undefined || notes.asked > notes.answered);
}

/** What the next run goes on with. */
const progressOf = ({ tries, unread, resolution }: Notes, waitSeconds: number): RefundAttemptProgress => ({
  tries,
  waitSeconds,
  ...(unread === undefined ? {} : { unread }),
  ...(resolution === undefined ? {} : { resolution }),
});

/** Soon, then hourly for a day, then daily. */
const patience = (tries: number, firstSeconds: number): Duration =>
  [firstSeconds * 1000, '5 minutes' as const][tries] ?? (tries < 26 ? '1 hour' : '1 day');

/** Tells the workflow of the return, where one runs, that its refund is decided. */
export async function signalReturn(rmaId: number | null): Promise<void> {
  if (rmaId === null) return;
  try {
    await getExternalWorkflowHandle(returnId(rmaId)).signal(refundConcludedSignal);
  } catch {
    log.info('the return has no workflow to signal; its row is closed or will be read again', { rmaId });
  }
}

export interface AttemptToFollow {
  attemptId: number;
  orderId: number;
  /** Absent where the sweep found the attempt. */
  rmaId?: number;
  /** Shown in the list of workflows. */
  summary: string;
}

/**
 * Starts the workflow that follows an uncertain attempt, unless it runs already: another caller may have started it.
 * It outlives the caller.
 */
export async function followAttempt({ attemptId, orderId, rmaId, summary }: AttemptToFollow): Promise<void> {
  await startDetached<typeof refundAttemptWorkflow>('refundAttemptWorkflow', {
    workflowId: refundAttemptId(attemptId),
    args: [{ attemptId }],
    staticSummary: summary,
    typedSearchAttributes: [
      { key: posRefundState, value: 'uncertain' },
      ...(rmaId === undefined ? [] : [{ key: posReturnId, value: rmaId }]),
      { key: posOrderId, value: orderId },
    ],
  });
}
