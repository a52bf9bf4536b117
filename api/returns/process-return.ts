import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { openProcess, type ProcessedItem } from '../../db/process/open-process.ts';
import { findProcess, paymentOfOrder, type ProcessRecord } from '../../db/process/process.repository.ts';
import { soldOrder } from '../../db/returns/sold-order.ts';
import { noSuchDocument, PosError } from '../../domain/errors.ts';
import { optionOfProcess, processResolutions, type ProcessResolution } from '../../domain/returns/collapsed.ts';
import { optionNamed, type ReturnOption, type ReturnOptions } from '../../domain/returns/return-options.ts';
import { canRefundThrough } from '../../providers/gateways/can-refund-through.ts';
import { awaitProcessedUpdate, processWorkflowId } from '../../workflows/process/messages.ts';
import { posOrderId } from '../../workflows/support/search-attributes.ts';
import { refuseCardData } from '../support/refuse-card-data.ts';
import { route, type Surroundings } from '../support/route.ts';
import { flag, integer, jsonText, payload, quantity, text } from '../support/schemas.ts';
import { askActiveProvider } from './active-provider.ts';
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

/**
 * Goods back and money back in one call (spec 4.8 collapsed processing): the active returns provider runs the return, and
 * where every provider passes, or none is set up, the credit memo is booked without one.
 *
 * Amounts answered are in the order's currency. `isOnline` sends a refund through the gateway; store credit is issued here
 * (our decision 17). The same goods again are not eligible any more, so a request whose answer was lost is not repeated
 * blindly: what became of it is read from the order.
 *
 * Refused with: 404 unknown order · 400 `return_not_eligible` · 400 what a provider or the gateway refused · 409
 * `gateway_uncertain` · 500 a provider nobody can rely on; the order's history names it · 503 workflows out of reach.
 */
export const processReturnRoute = route({
  method: 'POST',
  path: '/V1/pos/rma/process',
  acl: 'Vendor_Pos::locations',
  summary: 'Return goods and money in one call',
  body: payload({
    orderId: integer,
    customerId: integer.optional(),
    items: jsonText(z.array(row).min(1).max(500)),
    resolution: z.enum(processResolutions),
    isOnline: flag.default(false),
    comment: text(4_000).optional(),
  }),
  response: processAnswer,

  async handle(request) {
    const { body, em, caller, providers } = request;
    refuseCardData(body.comment);
    const { order, options, says } = await askActiveProvider(request, await soldOrder(em, body.orderId));
    const { periodDays } = order.rules;
    const payment = await paymentOfOrder(em, body.orderId);
    if (!payment) throw noSuchDocument();
    const { processId } = await openProcess(em, {
      orderId: body.orderId,
      requestKey: randomUUID(),
      customerId: body.customerId && body.customerId > 0 ? body.customerId : null,
      items: body.items.map((item) => processedItem(item, { resolution: body.resolution, options, periodDays })),
      resolution: body.resolution,
      isOnline: body.isOnline,
      comment: body.comment || null,
      author: caller.name,
      provider: says,
      canRefundThrough: await canRefundThrough(providers.gateways, payment),
    });
    return renderProcess(await run(request, await findProcess(em, processId)));
  },
});

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

/** For people: what the provider does not offer is kept as it was said. */
const labelOf = (options: readonly ReturnOption[], word: string | undefined) =>
  optionNamed(options, word)?.label ?? word ?? null;

/** Waits for the run's end; whatever was not heard is read from its row. */
async function run({ em, workflows, requestId }: Surroundings, begun: ProcessRecord): Promise<ProcessRecord> {
  try {
    await workflows.ask({
      update: awaitProcessedUpdate,
      workflow: 'processWorkflow',
      id: processWorkflowId(begun.orderId, begun.requestKey),
      input: { processId: begun.processId },
      request: null,
      requestId,
      summary: `Collapsed return of order ${begun.orderIncrementId}`,
      searchAttributes: [{ key: posOrderId, value: begun.orderId }],
    });
  } catch (error) {
    if (!(error instanceof PosError) || error.status !== 504) throw error;
    const now = await findProcess(em, begun.processId);
    if (now.state !== 'done') throw error;
    return now;
  }
  return findProcess(em, begun.processId);
}
