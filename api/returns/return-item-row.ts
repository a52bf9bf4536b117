import { z } from 'zod';
import type { WantedItem } from '../../db/returns/create-return.ts';
import { inspectedConditions } from '../../db/returns/return.entity.ts';
import { invalid } from '../../domain/errors.ts';
import {
  builtInConditions,
  builtInReasons,
  builtInResolutions,
  findOption,
  type ReturnOption,
} from '../../domain/returns/return-options.ts';
import { flag, integer, payload, quantity, text } from '../support/schemas.ts';

/** One row of a create's items (spec 4.8). An option may be named by its id or by its label. */
export const itemRow = payload({
  order_item_id: integer,
  qty_requested: quantity,
  reason: text(255).optional(),
  condition: text(64).optional(),
  resolution: text(64).optional(),
  reason_id: text(255).optional(),
  condition_id: text(64).optional(),
  resolution_id: text(64).optional(),
  inspected_condition: z.enum(inspectedConditions).optional(),
  return_to_stock: flag.default(true),
  qty_received: quantity.optional(),
  target_source_code: text(64).optional(),
});

/**
 * The row in the shop's words. What was inspected counts only when the goods are taken in at once (`autoApprove`).
 *
 * Refused with: 400 a quantity that is not above zero · 400 a resolution nobody offers.
 */
export function wantedItem(row: z.output<typeof itemRow>, isAutoApproved: boolean): WantedItem {
  if (row.qty_requested <= 0) {
    throw invalid('The %fieldName value of "%value" must be greater than %minValue.', {
      fieldName: 'qty_requested',
      value: row.qty_requested / 10_000,
      minValue: 0,
    });
  }
  return {
    orderItemId: row.order_item_id,
    qtyRequested: row.qty_requested,
    reason: labelOf(builtInReasons, row.reason_id, row.reason),
    condition: labelOf(builtInConditions, row.condition_id, row.condition),
    resolution: resolutionOf(row),
    inspectedCondition: isAutoApproved ? (row.inspected_condition ?? null) : null,
    returnToStock: row.return_to_stock,
    qtyReceived: isAutoApproved ? (row.qty_received ?? null) : null,
    targetSourceCode: isAutoApproved ? (row.target_source_code ?? null) : null,
  };
}

/** Reasons and conditions are for people: what the provider does not offer is kept as it was said. */
const labelOf = (options: readonly ReturnOption[], id: string | undefined, label: string | undefined) =>
  findOption(options, id, label)?.label ?? label ?? id ?? null;

function resolutionOf({ order_item_id, resolution, resolution_id }: z.output<typeof itemRow>): string | null {
  if (resolution === undefined && resolution_id === undefined) return null;
  const option = findOption(builtInResolutions, resolution_id, resolution);
  if (option) return option.label;
  throw invalid(`The resolution "${resolution_id ?? resolution ?? ''}" is not offered.`, {
    outcome: 'return_not_eligible',
    reason_code: 'resolution_unsupported',
    period_days: 0,
    order_item_id,
  });
}
