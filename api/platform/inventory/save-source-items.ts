import { z } from 'zod';
import { existingSources } from '../../../db/platform/inventory/read-sources.ts';
import { setSourceItems } from '../../../db/platform/inventory/set-source-items.ts';
import { withStoredSkus } from '../../../db/platform/inventory/stored-skus.ts';
import { invalid } from '../../../domain/errors.ts';
import { none } from '../../../domain/money/quantity.ts';
import { sourceItemErrors, validationFailed } from '../../../domain/platform/source-item-errors.ts';
import { route } from '../../http/route.ts';
import { voidAnswer } from '../../wire/schemas.ts';
import { emptyInput } from './inventory-outcomes.ts';
import { sourceItemPayload } from './source-item-payload.ts';

/** More than one count of a shop has. */
const maxItems = 2_000;

/** Sets the quantity of products at sources: absolute figures, so a repeat changes nothing (platform facts 10). */
export const saveSourceItems = route({
  method: 'POST',
  path: '/V1/inventory/source-items',
  acl: 'Platform_InventoryApi::stock_source_item_assign',
  summary: 'Set quantities at sources',
  name: 'saveSourceItems',
  description: `Sets how much lies at sources: absolute figures, so a repeat changes nothing. All rows are set, or
    none. At most 2,000 rows.`,
  outcomes: [
    {
      status: 400,
      message: 'Validation Failed: "sku" can not be empty.',
      when: 'A row lacks SKU, source, quantity or status, or has one that cannot be; the first fault is in the sentence, all are in `errors`.',
    },
    { status: 400, message: 'Could not save Source Item', when: 'A source does not exist.' },
    emptyInput,
  ],
  body: z.object({ sourceItems: z.array(sourceItemPayload).max(maxItems) }),
  response: voidAnswer,

  async handle({ em, body: { sourceItems } }): Promise<[]> {
    if (sourceItems.length === 0) throw invalid('Input data is empty');
    const errors = sourceItems.flatMap(sourceItemErrors);
    if (errors.length > 0) throw validationFailed(errors);
    const named = sourceItems.flatMap(({ sourceCode }) => sourceCode ?? []);
    const sources = await existingSources(em, named);
    if (!named.every((code) => sources.has(code))) throw invalid('Could not save Source Item');
    const items = sourceItems.map(({ sku = '', sourceCode = '', quantity = none, status = 1 }) => ({
      ...{ sku, sourceCode, quantity, status },
    }));
    await setSourceItems(em, await withStoredSkus(em, items));
    return [];
  },
});
