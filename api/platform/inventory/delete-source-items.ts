import { z } from 'zod';
import { deleteSourceItems } from '../../../db/platform/inventory/delete-source-items.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { payload, text, voidAnswer } from '../../wire/schemas.ts';
import { emptyInput } from './inventory-outcomes.ts';

const maxItems = 2_000;

const sourceItem = payload({
  sku: text(64),
  sourceCode: text(64),
  quantity: z.unknown().optional(),
  status: z.unknown().optional(),
  extensionAttributes: z.unknown().optional(),
});

/** Removes products from sources (platform facts 10). A repeat changes nothing. Refused with 400: an empty list. */
export const deleteSourceItemsRoute = route({
  name: 'deleteSourceItems',
  method: 'POST',
  path: '/V1/inventory/source-items-delete',
  acl: 'Platform_InventoryApi::stock_source_item_assign',
  summary: 'Take products off sources',
  description: `A product that is taken off a source is no longer kept there, whatever lay there. Rows that are not
    there are passed over: a repeat changes nothing. At most 2,000 rows.`,
  outcomes: [emptyInput],
  examples: [
    { title: 'One product', body: { sourceItems: [{ sku: 'MUG-WHITE', source_code: 'shop_berlin' }] }, response: [] },
  ],
  body: z.object({ sourceItems: z.array(sourceItem).max(maxItems) }),
  response: voidAnswer,

  async handle({ em, body: { sourceItems } }): Promise<[]> {
    if (sourceItems.length === 0) throw invalid('Input data is empty');
    await deleteSourceItems(em, sourceItems);
    return [];
  },
});
