import { z } from 'zod';
import { deleteSourceItems } from '../../../db/platform/inventory/delete-source-items.ts';
import { existingSources } from '../../../db/platform/inventory/existing-sources.ts';
import { searchSourceItems } from '../../../db/platform/inventory/search-source-items.ts';
import { setSourceItems } from '../../../db/platform/inventory/set-source-items.ts';
import { withStoredSkus } from '../../../db/platform/inventory/stored-skus.ts';
import { invalid } from '../../../domain/errors.ts';
import { none } from '../../../domain/money/quantity.ts';
import { sourceItemErrors, validationFailed } from '../../../domain/platform/source-item-errors.ts';
import { route } from '../../http/route.ts';
import { listAnswer, payload, text, voidAnswer } from '../../wire/schemas.ts';
import { renderList, searchCriteria, unknownField } from '../../wire/search-criteria.ts';
import { emptyInput } from './inventory-outcomes.ts';
import { sourceItemPayload } from './source-item-payload.ts';

/** The quantities of products at sources; status 1 is in stock (platform facts 10). */
export const listSourceItems = route({
  method: 'GET',
  path: '/V1/inventory/source-items',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search quantities at sources',
  name: 'listSourceItems',
  description: `How much of which product lies where: absolute figures, before what is promised to orders.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [unknownField],
  query: z.object({ searchCriteria }),
  response: listAnswer(z.object({ sku: z.string(), source_code: z.string(), quantity: z.number(), status: z.int() })),

  async handle({ em, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await searchSourceItems(em, criteria);
    const items = rows.map(({ sku, source_code, quantity, status }) => ({
      sku,
      source_code,
      quantity: Number(quantity),
      status,
    }));
    return renderList(criteria, items, totalCount);
  },
});

/** More than one count of a shop, or one delivery, has. */
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
