import type { z } from 'zod';
import type { WantedItem } from '../../db/returns/new-return.ts';
import { inspectedConditions } from '../../db/returns/return.entity.ts';
import { findOption, type ReturnOption, type ReturnOptions } from '../../domain/returns/return-options.ts';
import { notEligible } from '../../domain/returns/objection-to.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { flag, integer, payload, quantity, text } from '../wire/schemas.ts';
import { choiceOf } from './choice-of.ts';
import { refuseNegative, refuseUnlessSome } from './refuse-quantity.ts';

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
  inspected_condition: text(64).optional(),
  return_to_stock: flag.default(true),
  qty_received: quantity.optional(),
  target_source_code: text(64).optional(),
});

/**
 * Translates the row into the shop's terms. The inspection counts only when the goods are received at once
 * (`autoApprove`).
 *
 * Refused with: 400 a requested quantity of zero or less, a negative received one, an unknown inspection, card data
 * in a reason or a condition · 400 `resolution_unsupported`.
 */
export function wantedItem(
  row: z.output<typeof itemRow>,
  { isAutoApproved, options, periodDays }: { isAutoApproved: boolean; options: ReturnOptions; periodDays: number },
): WantedItem {
  refuseUnlessSome('qty_requested', row.qty_requested);
  refuseNegative('qty_received', row.qty_received);
  const resolution = chosenResolution(options.resolutions, {
    orderItemId: row.order_item_id,
    label: row.resolution,
    id: row.resolution_id,
    periodDays,
  });
  return {
    orderItemId: row.order_item_id,
    qtyRequested: row.qty_requested,
    reason: labelOf(options.reasons, row.reason_id, row.reason),
    condition: labelOf(options.conditions, row.condition_id, row.condition),
    resolution: resolution?.label ?? null,
    resolutionId: resolution?.id ?? null,
    inspectedCondition: isAutoApproved
      ? choiceOf(inspectedConditions, 'inspected_condition', row.inspected_condition)
      : null,
    returnToStock: row.return_to_stock,
    qtyReceived: isAutoApproved ? (row.qty_received ?? null) : null,
    targetSourceCode: isAutoApproved ? row.target_source_code || null : null,
  };
}

/**
 * Reasons and conditions are for people: a text that the provider does not offer is kept as sent. Blank counts as
 * absent.
 */
function labelOf(options: readonly ReturnOption[], givenId: string | undefined, givenLabel: string | undefined) {
  const [id, label] = [unlessBlank(givenId), unlessBlank(givenLabel)];
  const option = findOption(options, id, label);
  if (option) return option.label;
  refuseCardData(label);
  refuseCardData(id);
  return label ?? id ?? null;
}

const unlessBlank = (given: string | undefined) => (given?.trim() === '' ? undefined : given);

export interface NamedResolution {
  orderItemId: number;
  id: string | undefined;
  label: string | undefined;
  /** The period of the order's store, for the refusal. */
  periodDays: number;
}

/**
 * The option that a row names, by id or by label; undefined when it names none.
 *
 * Refused with: 400 `return_not_eligible`, `resolution_unsupported`: the option is unknown, or only shown.
 */
export function chosenResolution(
  options: readonly ReturnOption[],
  { orderItemId, id, label, periodDays }: NamedResolution,
): ReturnOption | undefined {
  if (!id && !label) return undefined;
  const option = findOption(options, id || undefined, label);
  if (option && option.behavior !== 'unsupported') return option;
  throw notEligible({
    orderItemId,
    reasonCode: 'resolution_unsupported',
    periodDays,
    reason: `the resolution "${id || label || ''}" is not offered.`,
    resolutionId: id || label || '',
  });
}
