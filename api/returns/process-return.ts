import { openProcess, type OpenedProcess } from '../../db/process/open-process.ts';
import type { EndedAtOnce } from '../../db/process/process-at-once.ts';
import { findProcess, paymentOfOrder, type ProcessRecord } from '../../db/process/process.repository.ts';
import { runOfRequest, type AskedRun } from '../../db/process/run-of-request.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { toWire } from '../../domain/money/amount.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { awaitProcessedUpdate, processWorkflowId } from '../../workflows/process/messages.ts';
import { posOrderId } from '../../workflows/support/search-attributes.ts';
import { refuseCardData } from '../../domain/receipts/refuse-card-data.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/mark-replayed.ts';
import { askActiveProvider } from './active-provider.ts';
import { activeStoreCredit } from './active-store-credit.ts';
import { beginProcessAtOnce } from './begin-process-at-once.ts';
import { endOfProcess, orRefused } from './end-of-process.ts';
import { processPayload, wordsOf, type ProcessBody } from './process-payload.ts';
import { processAnswer, renderProcess, type ProcessToRender } from './render-process.ts';
import { unknownOrder, workflowsAway, stillGoing, cardNumber } from '../wire/outcomes.ts';
import { notEligible, gatewayRefused, gatewayUncertain } from './return-outcomes.ts';
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
    gatewayRefused,
    gatewayUncertain,
    {
      status: 500,
      message: 'The returns provider "…" failed: … No money was given back.',
      when: 'A returns provider gave no reliable answer; the order’s history names it too.',
      then: "Read the order, then call the shop's administrator.",
    },
    workflowsAway,
    stillGoing,
    cardNumber,
  ],
  headers: { read: [requestIdWord] },
  commits: 'several',
  body: processPayload,
  response: processAnswer,

  async handle(request) {
    const { body, em, operation, requestId } = request;
    refuseCardData(body.comment);
    const asked: AskedRun = {
      orderId: body.orderId,
      requestKey: operation.isNamed ? operation.key : requestId,
      customerId: body.customerId && body.customerId > 0 ? body.customerId : null,
      items: body.items.map((item) => ({ orderItemId: item.order_item_id, qty: item.qty })),
      resolution: body.resolution,
      isOnline: body.isOnline,
    };
    const begun = await beginProcessAtOnce(request, asked);
    if (begun && !begun.attempt) return renderProcess(asProcess(begun));
    if (begun) return renderProcess(await run(request, await findProcess(em, begun.processId)));
    // Read before the eligibility check: goods that are received already are no longer eligible.
    const known = await runOfRequest(em, asked);
    const { processId, isReused } =
      known && !known.isHeldUp ? { ...known, isReused: true } : await open(request, asked);
    if (isReused) markReplayed(request);
    return renderProcess(await run(request, await findProcess(em, processId)));
  },
});

type Process = RouteContext & { body: ProcessBody };

const asProcess = (run: EndedAtOnce): ProcessToRender => ({
  ...run,
  refusal: null,
  refundTotal: toWire(run.refundTotal),
  storeCreditIssued: toWire(run.storeCreditIssued),
  exchangeCreditAmount: toWire(run.exchangeCreditAmount),
  isOnlineRefund: false,
  transactionId: null,
});

async function open(request: Process, asked: AskedRun): Promise<OpenedProcess> {
  const { em, providers } = request;
  const { orderId, resolution } = asked;
  const { order, options, says } = await askActiveProvider(request, await soldOrder(em, orderId));
  const { periodDays } = order.rules;
  const payment = await paymentOfOrder(em, orderId);
  if (!payment) throw noSuchDocument();
  return openProcess(em, {
    ...asked,
    ...wordsOf(request, { resolution, options, periodDays }),
    provider: says,
    canRefundThrough: await canRefundThrough(providers.gateways, payment),
    storeCreditIn: await activeStoreCredit(request, asked),
  });
}

/** A finished collapsed return is answered from its row; an unfinished one is joined or started again. */
async function run(request: RouteContext, begun: ProcessRecord): Promise<ProcessRecord> {
  if (begun.state !== 'open') return orRefused(begun);
  const { workflows, requestId } = request;
  const ask = () =>
    workflows.ask({
      update: awaitProcessedUpdate,
      workflow: 'processWorkflow',
      id: processWorkflowId(begun.orderId, begun.requestKey),
      input: { processId: begun.processId },
      request: null,
      operationKey: requestId,
      patienceMs: 60_000,
      summary: `Collapsed return of order ${begun.orderIncrementId}`,
      searchAttributes: [{ key: posOrderId, value: begun.orderId }],
    });
  return endOfProcess(request, { processId: begun.processId, ask });
}
