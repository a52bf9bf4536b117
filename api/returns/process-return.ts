import { hash } from 'node:crypto';
import { findProcess, type ProcessRecord } from '../../db/process/process.repository.ts';
import { runOfRequest, type AskedRun } from '../../db/process/run-of-request.ts';
import { drawReturn } from '../../db/returns/draw-return.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import { methodOfProcess } from '../../domain/returns/collapsed-return.ts';
import { eligibilityOf } from '../../domain/returns/eligibility.ts';
import { notEligible as ineligible, objectionTo } from '../../domain/returns/objection-to.ts';
import { sealWords } from '../../providers/returns/sealed-words.ts';
import { createUpdate } from '../../workflows/returns/messages.ts';
import { posMethod, posOrderId, posReturnId } from '../../workflows/support/search-attributes.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askActiveProvider } from './active-provider.ts';
import { askProcess, byRow, finished, join, orByRow } from './ask-process.ts';
import { askInTurn, commandOf, workflowOf } from './ask-return.ts';
import { processPayload, wordsOf, type ProcessBody } from './process-payload.ts';
import { processAnswer, renderProcess } from './render-process.ts';
import { unknownOrder, workflowsAway, waitedTooLong, cardNumber } from '../wire/outcomes.ts';
import { notEligible, cardTookLess, gatewayRefused, gatewayUncertain } from './return-outcomes.ts';
import { requestIdWord } from '../http/request-id-word.ts';

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
        'This payment by "%1" cannot be refunded through a gateway from the register. Refund the order from the admin, or give the money back another way.',
      when: '`isOnline`, and the payment has no gateway here.',
    },
    {
      status: 400,
      message: 'This request already asked for another return.',
      when: 'The same key or request id came with other content.',
      then: 'A new return needs a new key.',
    },
    {
      status: 400,
      message: 'The order belongs to another customer than %1.',
      when: '`customerId` is not the order’s.',
    },
    {
      status: 400,
      message: 'Store credit is kept by "%1" here: refund the goods first, then give the credit.',
      when: 'Resolution `store_credit`, and another provider keeps store credit.',
      then: 'Settle the return, then call `POST /V1/pos/credits/refund`.',
    },
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
    const asked: AskedRun = {
      orderId: body.orderId,
      requestKey: operation.isNamed ? operation.key : keyOfCaller(request),
      customerId: body.customerId && body.customerId > 0 ? body.customerId : null,
      items: body.items.map((item) => ({ orderItemId: item.order_item_id, qty: item.qty })),
      resolution: body.resolution,
      isOnline: body.isOnline,
    };
    // Read before the eligibility check: goods that are received already are no longer eligible.
    const known = await runOfRequest(em, asked);
    if (!known || known.isHeldUp) return renderProcess(await begin(request, asked));
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
async function begin(request: Process, asked: AskedRun): Promise<ProcessRecord> {
  const { em, workflows, providers } = request;
  const { orderId, resolution } = asked;
  const { order, options, says } = await askActiveProvider(request, await soldOrder(em, orderId));
  const { resolutionId, comment, items } = wordsOf(request, {
    resolution,
    options,
    periodDays: order.rules.periodDays,
  });
  refuseByReading({ order, says }, { resolutionId, items });
  await workflows.refuseWhileAway();
  const { returnId: rmaId, incrementId, beginBefore, ...names } = await drawReturn(em, { orderId, locationId: null });
  const wanted = {
    ...{ ...asked, ...commandOf(request, beginBefore), resolutionId },
    items: items.map(({ orderItemId, qty, resolution: label, resolutionId: id }) => ({
      ...{ orderItemId, qty, resolution: label, resolutionId: id },
    })),
    provider: { ...says, resolutionIds: [...says.resolutionIds] },
    words: sealWords(providers.secrets, {
      comment,
      goods: items.map(({ reason, condition }) => ({ reason, condition })),
    }),
  };
  if (says.code !== builtInCode) return askProcess(request, { open: wanted }, { ...names, ...wanted });
  const collapse = { ...wanted, incrementId };
  const answer = await orByRow(() =>
    askInTurn(request, {
      update: createUpdate,
      request: commandOf(request, beginBefore),
      ...workflowOf({ rmaId, begin: { verb: 'collapse', collapse } }, { ...names, incrementId }),
      searchAttributes: [
        { key: posReturnId, value: rmaId },
        { key: posOrderId, value: orderId },
        { key: posMethod, value: methodOfProcess(asked) },
      ],
    }),
  );
  if (answer === undefined) return finished(await byRow(request, asked));
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
