import { hash } from 'node:crypto';
import { z } from 'zod';
import { CreditMemo } from '../../db/platform/credit-memos/credit-memo.entity.ts';
import {
  findProcess,
  runOfRequest,
  runOfReturn,
  type RequestedRun,
  type ProcessRecord,
} from '../../db/process/process.repository.ts';
import { drawReturn } from '../../db/returns/draw-return.ts';
import { findReturn, type ReturnRecord } from '../../db/returns/return.repository.ts';
import { paymentOfReturn, soldOrder } from '../../db/returns/sold-order.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { PosError } from '../../domain/errors.ts';
import { creditHeldOutside, noProviderForType, orderOfAnotherCustomer } from '../../domain/refusals/money.ts';
import { waitedTooLong, workflowsAway } from '../../domain/refusals/platform.ts';
import { keyUsedForOtherReturn, returnNotFound } from '../../domain/refusals/returns.ts';
import {
  builtInCode,
  eligibilityOf,
  notEligible as ineligible,
  objectionTo,
} from '../../domain/returns/eligibility.ts';
import { isTerminal, methodOfProcess, processResolutions } from '../../domain/returns/return-status.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import { StillRunning } from '../../providers/temporal/workflows.ts';
import { createUpdate, processUpdate } from '../../workflows/returns/messages.ts';
import { posMethod, posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import { requestIdWord } from '../http/route-kinds.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { cardNumber, unknownOrder } from '../wire/outcomes.ts';
import { flag, idParam, payload } from '../wire/schemas.ts';
import {
  askProcess,
  byRow,
  finished,
  join,
  orByRow,
  processAnswer,
  processPayload,
  renderProcess,
  wordsOf,
  type ProcessBody,
} from './ask-process.ts';
import { askActiveProvider } from './ask-provider.ts';
import { askInTurn, askReturn, commandOf, workflowOf } from './ask-return.ts';
import { cardTookLess, gatewayRefused, gatewayUncertain, notEligible, returnNotReady } from './return-outcomes.ts';

/**
 * Goods back and money back in one call (spec 4.8 collapsed return): the active returns provider runs the return,
 * and where every provider passes, or none is set up, the credit memo is booked without one.
 */
export const processReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Return goods and money in one call',
  name: 'processReturn',
  description: `Goods back and money back in one call. The active returns provider runs the return; where none takes
    it, the credit memo is booked alone. Amounts answered are in the order’s currency. \`isOnline\` sends the refund
    through the gateway. \`items\` is a JSON text. Repeat it with the same \`Idempotency-Key\`, or else the same
    \`X-Request-Id\`: it joins the call that is running, or gets its result. Without either header each call is one more
    return.`,
  outcomes: [
    unknownOrder,
    notEligible,
    {
      status: 400,
      code: 'refund_from_admin',
      message:
        'This payment by "%1" cannot be refunded through a gateway from the register. Refund the order from the ' +
        'admin, or give the money back another way.',
      when: '`isOnline`, and the payment has no gateway here.',
    },
    keyUsedForOtherReturn,
    orderOfAnotherCustomer,
    creditHeldOutside,
    cardTookLess,
    gatewayRefused,
    gatewayUncertain,
    {
      status: 500,
      message: 'The returns provider "…" failed: … No money was given back.',
      when: 'A returns provider gave no reliable answer; the order’s history names it too.',
      then: "Read the order, then call the shop's administrator.",
    },
    workflowsAway,
    waitedTooLong,
    cardNumber,
  ],
  headers: { read: [requestIdWord] },
  commits: 'several',
  body: processPayload,
  response: processAnswer,

  async handle(request) {
    const { body, em, operation } = request;
    refuseCardData(body.comment);
    const query: RequestedRun = {
      orderId: body.orderId,
      requestKey: operation.isNamed ? operation.key : keyOfCaller(request),
      customerId: body.customerId && body.customerId > 0 ? body.customerId : null,
      items: body.items.map((item) => ({ orderItemId: item.order_item_id, qty: item.qty })),
      resolution: body.resolution,
      isOnline: body.isOnline,
    };
    // Read before the eligibility check: goods that are received already are no longer eligible.
    const known = await runOfRequest(em, query);
    if (!known || known.isHeldUp) return renderProcess(await begin(request, query));
    markReplayed(request);
    return renderProcess(await join(request, await findProcess(em, known.processId)));
  },
});

/** A request id belongs to its caller: two callers who use the same one mean two returns. */
const keyOfCaller = ({ caller, requestId }: RouteContext) =>
  hash('sha256', JSON.stringify([caller.userType, caller.userId, requestId]), 'hex');

type Process = RouteContext & { body: ProcessBody };

/**
 * A collapsed return that nobody asked for yet. With the built-in returns it is its return's workflow; where a provider
 * outside must be asked first, or nobody keeps returns, it is one of its own.
 */
async function begin(request: Process, query: RequestedRun): Promise<ProcessRecord> {
  const { em, workflows, providers } = request;
  const { orderId, resolution } = query;
  const { order, options, says } = await askActiveProvider(request, await soldOrder(em, orderId));
  const { resolutionId, comment, items } = wordsOf(request, {
    resolution,
    options,
    periodDays: order.rules.periodDays,
  });
  refuseByReading({ order, says }, { resolutionId, items });
  await workflows.refuseWhileAway();
  const { returnId: rmaId, incrementId, beginBefore, ...names } = await drawReturn(em, { orderId, locationId: null });
  const requested = {
    ...{ ...query, ...commandOf(request, beginBefore), resolutionId },
    items: items.map(({ orderItemId, qty, resolution: label, resolutionId: id }) => ({
      ...{ orderItemId, qty, resolution: label, resolutionId: id },
    })),
    provider: { ...says, resolutionIds: [...says.resolutionIds] },
    words: sealWords(providers.secrets, {
      comment,
      goods: items.map(({ reason, condition }) => ({ reason, condition })),
    }),
  };
  if (says.code !== builtInCode) return askProcess(request, { open: requested }, { ...names, ...requested });
  const collapse = { ...requested, incrementId };
  const answer = await orByRow(() =>
    askInTurn(request, {
      update: createUpdate,
      request: commandOf(request, beginBefore),
      ...workflowOf({ rmaId, begin: { verb: 'collapse', collapse } }, { ...names, incrementId }),
      searchAttributes: [
        { key: posReturnId, value: rmaId },
        { key: posOrderId, value: orderId },
        { key: posMethod, value: methodOfProcess(query) },
      ],
    }),
  );
  if (answer === undefined) return finished(await byRow(request, query));
  // The same request was here at the same moment, and was faster.
  if (answer.reusedId !== undefined) markReplayed(request);
  const record = await findProcess(em, answer.processId ?? 0);
  return record.state === 'open' ? join(request, record) : finished(record);
}

/** What can be known without a lock: 400 leaves nothing. */
function refuseByReading(
  { order, says }: Pick<Awaited<ReturnType<typeof askActiveProvider>>, 'order' | 'says'>,
  { resolutionId, items }: Pick<ReturnType<typeof wordsOf>, 'resolutionId' | 'items'>,
): void {
  const eligibility = eligibilityOf({ order, rules: order.rules, ...says, now: order.asOf });
  const rows = items.map((item) => ({ orderItemId: item.orderItemId, qty: item.qty, resolutionId: item.resolutionId }));
  const whole = resolutionId === null ? [] : rows.map((row) => ({ ...row, resolutionId }));
  const objection = objectionTo(eligibility, rows) ?? objectionTo(eligibility, whole);
  if (objection) throw ineligible(objection);
}

/** Finishes an existing return in one call, from any status: approved, received, refunded (spec 4.8). */
export const processExistingReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/:rmaId/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Take an existing return through to its end',
  name: 'processExistingReturn',
  description: `Approves, receives and refunds a return from wherever it stands. Where no provider attempts it, the
    answer is 200 with \`success\` false. A return that is over is answered with what it came to; a run under way is
    joined.`,
  outcomes: [
    returnNotFound,
    noProviderForType.because('Resolution `store_credit`, and this shop has no store credit.'),
    gatewayRefused,
    returnNotReady,
    gatewayUncertain,
    workflowsAway,
    waitedTooLong,
  ],
  commits: 'several',
  params: z.object({ rmaId: idParam }),
  body: payload({ resolution: z.enum(processResolutions), isOnline: flag.default(false) }),
  response: processAnswer,

  async handle(request) {
    const { params, body, em } = request;
    const rma = await findReturn(em, params.rmaId);
    const before = await runOfReturn(em, rma.returnId);
    if (isTerminal(rma.status)) {
      markReplayed(request);
      return render(em, rma, before?.state === 'done' ? before.processId : undefined);
    }
    const now = await askReturn(request, {
      ...{ rma, update: processUpdate, request: body },
      isDone: ({ status }) => isTerminal(status),
    }).catch((error: unknown) => unlessBegun(request, { rma, before, error }));
    return render(em, now, (await runOfReturn(em, rma.returnId))?.processId);
  },
});

/**
 * No answer came in time. Where its run began, the run's row says what became of it: a refusal leaves the return open.
 */
async function unlessBegun({ em }: RouteContext, { rma, before, error }: Late): Promise<ReturnRecord> {
  if (!(error instanceof PosError) || error.status !== 503) throw error;
  const run = await runOfReturn(em, rma.returnId);
  if (!run || (run.processId === before?.processId && before.state !== 'open')) throw error;
  return findReturn(em, rma.returnId);
}

interface Late {
  rma: ReturnRecord;
  /** The newest run before the request. */
  before: Awaited<ReturnType<typeof runOfReturn>>;
  error: unknown;
}

async function render(em: RouteContext['em'], rma: ReturnRecord, processId: number | undefined) {
  if (processId === undefined) return ended(em, rma, (await paymentOfReturn(em, rma.returnId)).paymentMethod);
  const record = await findProcess(em, processId);
  if (record.refusal) throw new PosError(record.refusal);
  if (record.state === 'open') throw new StillRunning();
  return renderProcess(record);
}

/** A return that another verb ended: with a memo it is done, without one nothing is refunded. */
async function ended(em: RouteContext['em'], rma: ReturnRecord, paymentMethod: string) {
  const memo = rma.creditMemoId === null ? null : await em.findOne(CreditMemo, { entityId: rma.creditMemoId });
  return renderEnded(rma, { paymentMethod, isOnline: memo?.isOnline ?? false });
}

const renderEnded = (
  rma: ReturnRecord,
  { paymentMethod, isOnline }: { paymentMethod: string; isOnline: boolean },
): z.input<typeof processAnswer> => ({
  success: rma.creditMemoId !== null,
  error: rma.creditMemoId === null ? `Return ${rma.incrementId} is ${rma.status}; no money goes back.` : null,
  rma_id: rma.returnId,
  rma_increment_id: rma.incrementId,
  credit_memo_id: rma.creditMemoId,
  credit_memo_increment_id: rma.creditMemoIncrementId,
  refund_total: rma.refundTotal ?? 0,
  store_credit_issued: 0,
  exchange_credit_amount: 0,
  is_online_refund: isOnline,
  payment_method: paymentMethod || null,
  transaction_id: rma.transactionId,
});
