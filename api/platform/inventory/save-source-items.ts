import { z } from 'zod';
import { existingSources } from '../../../db/platform/inventory/read-sources.ts';
import { setSourceItems } from '../../../db/platform/inventory/set-source-items.ts';
import { invalid } from '../../../domain/errors.ts';
import { none } from '../../../domain/money/quantity.ts';
import { sourceItemErrors, validationFailed } from '../../../domain/platform/source-item-errors.ts';
import { route } from '../../http/route.ts';
import { integer, payload, quantity, text, voidAnswer } from '../../wire/schemas.ts';

/** What one count of a shop's shelves sends at once. */
const maxItems = 2_000;

const sourceItem = payload({
  sku: text(64).optional(),
  sourceCode: text(64).optional(),
  quantity: quantity.optional(),
  status: integer.optional(),
  extensionAttributes: z.unknown().optional(),
});

/**
 * Sets how much of products lies at sources: absolute figures, so a repeat changes nothing (platform facts 10).
 *
 * Refused with 400: an empty list · rows without sku, source, quantity or status, below zero or with a status other than
 * 0 and 1, all told at once (platform facts 2.2, 14) · an unknown source. Then nothing is set.
 */
export const saveSourceItems = route({
  method: 'POST',
  path: '/V1/inventory/source-items',
  acl: 'Platform_InventoryApi::stock_source_item_assign',
  summary: 'Set quantities at sources',
  body: z.object({ sourceItems: z.array(sourceItem).max(maxItems) }),
  response: voidAnswer,

  async handle({ em, body: { sourceItems } }): Promise<[]> {
    if (sourceItems.length === 0) throw invalid('Input data is empty');
    const errors = sourceItems.flatMap(sourceItemErrors);
    if (errors.length > 0) throw validationFailed(errors);
    const named = sourceItems.flatMap(({ sourceCode }) => sourceCode ?? []);
    const sources = await existingSources(em, named);
    if (!named.every((code) => sources.has(code))) throw invalid('Could not save Source Item');
    await setSourceItems(
      em,
      sourceItems.map(({ sku = '', sourceCode = '', quantity = none, status = 1 }) => ({
        sku,
        sourceCode,
        quantity,
        status,
      })),
    );
    return [];
  },
});
