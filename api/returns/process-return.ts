import { z } from 'zod';
import { openProcess, type OpenedProcess, type ProcessedItem } from '../../db/process/open-process.ts';
import { findProcess, paymentOfOrder, type ProcessRecord } from '../../db/process/process.repository.ts';
import { runOfRequest, type AskedRun } from '../../db/process/run-of-request.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { noSuchDocument } from '../../domain/errors.ts';
import { optionOfProcess, processResolutions, type ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { optionNamed, type ReturnOption, type ReturnOptions } from '../../domain/returns/return-options.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { awaitProcessedUpdate, processWorkflowId } from '../../workflows/process/messages.ts';
import { posOrderId } from '../../workflows/support/search-attributes.ts';
import { refuseCardData } from '../wire/refuse-card-data.ts';
import { route, type Surroundings } from '../http/route.ts';
import { flag, integer, jsonText, payload, quantity, text } from '../wire/schemas.ts';
import { tellReplay } from '../http/tell-replay.ts';
import { askActiveProvider } from './active-provider.ts';
import { activeStoreCredit } from './active-store-credit.ts';
import { endOfProcess, orRefused } from './end-of-process.ts';
import { refuseUnlessSome } from './refuse-quantity.ts';
import { processAnswer, renderProcess } from './render-process.ts';
import { chosenResolution } from './return-item-row.ts';

const row = payload({
  order_item_id: integer,
  qty: quantity,
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
});

const wanted = payload({
  orderId: integer,
  customerId: integer.optional(),
  items: jsonText(z.array(row).min(1).max(500)),
  resolution: z.enum(processResolutions),
  isOnline: flag.default(false),
  comment: text(4_000).optional(),
});

/**
 * Goods back and money back in one call (spec 4.8 collapsed return): the active returns provider runs the return, and
 * where every provider passes, or none is set up, the credit memo is booked without one.
 *
 * Amounts answered are in the order's currency. `isOnline` sends a refund through the gateway; store credit is issued here
 * (our decision 17).
 *
 * Safe to repeat with the same `Idempotency-Key`, or else the same `X-Request-Id`: it joins the run it began, or is
 * answered how that ended. Without either header each call is one more, as far as anything is left to return.
 *
 * Refused with: 404 unknown order · 400 `return_not_eligible` · 400 the same id that asked for something else · 400 what a
 * provider or the gateway refused · 409 `gateway_uncertain` · 500 a provider nobody can rely on; the order's history names
 * it · 503 workflows out of reach.
 */
export const processReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Return goods and money in one call',
  commits: 'several',
  body: wanted,
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
    // Looked for before anybody is asked: goods that were taken in are eligible no more.
    const known = await runOfRequest(em, asked);
    const { processId, isReused } =
      known && !known.isHeldUp ? { ...known, isReused: true } : await open(request, asked);
    if (isReused) tellReplay(request);
    return renderProcess(await run(request, await findProcess(em, processId)));
  },
});

type Process = Surroundings & { body: z.output<typeof wanted> };

async function open(request: Process, asked: AskedRun): Promise<OpenedProcess> {
  const { body, em, caller, providers } = request;
  const { orderId, resolution } = asked;
  const { order, options, says } = await askActiveProvider(request, await soldOrder(em, orderId));
  const { periodDays } = order.rules;
  const payment = await paymentOfOrder(em, orderId);
  if (!payment) throw noSuchDocument();
  return openProcess(em, {
    ...asked,
    items: body.items.map((item) => processedItem(item, { resolution, options, periodDays })),
    resolutionId: optionOfProcess(resolution, options.resolutions)?.id ?? null,
    comment: body.comment || null,
    author: caller.name,
    provider: says,
    canRefundThrough: await canRefundThrough(providers.gateways, payment),
    storeCreditIn: await activeStoreCredit(request, asked),
  });
}

/** A row names its resolution by an option's label or id, or in the run's own words; without one it has that of the whole run. */
function processedItem(
  item: z.output<typeof row>,
  { resolution, options, periodDays }: { resolution: ProcessResolution; options: ReturnOptions; periodDays: number },
): ProcessedItem {
  refuseUnlessSome('qty', item.qty);
  const code = processResolutions.find((one) => one === item.resolution);
  const option = code
    ? optionOfProcess(code, options.resolutions)
    : (chosenResolution(options.resolutions, {
        orderItemId: item.order_item_id,
        id: undefined,
        label: optionNamed(options.resolutions, item.resolution)?.label ?? item.resolution,
        periodDays,
      }) ?? optionOfProcess(resolution, options.resolutions));
  return {
    orderItemId: item.order_item_id,
    qty: item.qty,
    reason: labelOf(options.reasons, item.reason),
    condition: labelOf(options.conditions, item.condition),
    resolution: option?.label ?? null,
    resolutionId: option?.id ?? null,
  };
}

/** For people: what the provider does not offer is kept as it was said, but for card data. Blank is none. */
function labelOf(options: readonly ReturnOption[], word: string | undefined): string | null {
  const option = optionNamed(options, word);
  if (option) return option.label;
  refuseCardData(word);
  return word?.trim() ? word : null;
}

/** A run that is over is answered from its row; any other is joined, or taken up again. */
async function run(request: Surroundings, begun: ProcessRecord): Promise<ProcessRecord> {
  if (begun.state !== 'open') return orRefused(begun);
  const { workflows, requestId } = request;
  const ask = () =>
    workflows.ask({
      update: awaitProcessedUpdate,
      workflow: 'processWorkflow',
      id: processWorkflowId(begun.orderId, begun.requestKey),
      input: { processId: begun.processId },
      request: null,
      requestId,
      summary: `Collapsed return of order ${begun.orderIncrementId}`,
      searchAttributes: [{ key: posOrderId, value: begun.orderId }],
    });
  return endOfProcess(request, { processId: begun.processId, ask });
}
