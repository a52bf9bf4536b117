import { z } from 'zod';
import type { ProcessedItem } from '../../db/process/open-process.ts';
import { optionOfProcess, processResolutions, type ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import { optionNamed, type ReturnOption, type ReturnOptions } from '../../domain/returns/return-options.ts';
import type { Caller } from '../http/route.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { flag, integer, jsonText, payload, quantity, text } from '../wire/schemas.ts';
import { refuseUnlessSome } from './refuse-quantity.ts';
import { chosenResolution } from './return-item-row.ts';

const row = payload({
  order_item_id: integer,
  qty: quantity,
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
});

/** The request of a collapsed return (spec 4.8 collapsed processing). */
export const processPayload = payload({
  orderId: integer,
  customerId: integer.optional(),
  items: jsonText(z.array(row).min(1).max(500)),
  resolution: z.enum(processResolutions),
  isOnline: flag.default(false),
  comment: text(4_000).optional(),
});

export type ProcessBody = z.output<typeof processPayload>;

interface Wording {
  resolution: ProcessResolution;
  options: ReturnOptions;
  periodDays: number;
}

/** The request in the words of its returns provider. */
export const wordsOf = ({ body, caller }: { body: ProcessBody; caller: Pick<Caller, 'name'> }, wording: Wording) => ({
  items: body.items.map((item) => processedItem(item, wording)),
  resolutionId: optionOfProcess(wording.resolution, wording.options.resolutions)?.id ?? null,
  comment: body.comment || null,
  author: caller.name,
});

/**
 * A row's resolution is an option's label or id, or a resolution of the whole return. Without one it has that of the
 * whole return.
 */
function processedItem(item: z.output<typeof row>, { resolution, options, periodDays }: Wording): ProcessedItem {
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

/** A label for people. A word that the provider does not offer is kept as sent, without card data. Blank is null. */
function labelOf(options: readonly ReturnOption[], word: string | undefined): string | null {
  const option = optionNamed(options, word);
  if (option) return option.label;
  refuseCardData(word);
  return word?.trim() ? word : null;
}
