import { z } from 'zod';
import {
  deleteSourceItems,
  existingSources,
  searchSourceItems,
  setSourceItems,
  transferStock,
  withStoredSkus,
} from '../../../db/platform/inventory/source-items.ts';
import { readStockOfChannel, stocks, type StockDraft } from '../../../db/platform/inventory/stock-source-links.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { none } from '../../../domain/money.ts';
import { sourceItemErrors, validationFailed } from '../../../domain/platform/stock-sources.ts';
import {
  defaultStockNotDeletable,
  inputIsEmpty,
  noLinkedStock,
  sourceItemNotSaved,
  stockHasSalesChannel,
  stockNotDeleted,
  stockNotFound,
} from '../../../domain/refusals/inventory.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { resource } from '../../http/resource.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { renderList, searchCriteria } from '../../wire/criteria.ts';
import { unknownEntity, invalidField } from '../../wire/outcomes.ts';
import { idParam, listAnswer, payload, quantity, text, voidAnswer } from '../../wire/schemas.ts';
import { sourceItemPayload } from './source-item-payload.ts';

/** Refusals that several routes of this folder share. */

const maxChannels = 1_000;

const sentStock = payload({
  stockId: z.unknown().optional(),
  name: text(255).optional(),
  extensionAttributes: payload({
    salesChannels: z
      .array(payload({ type: text(64), code: text(64), extensionAttributes: z.unknown().optional() }))
      .max(maxChannels)
      .optional(),
  }).optional(),
});

const stockAnswer = z
  .object({
    stock_id: z.int(),
    name: z.string(),
    extension_attributes: z.object({
      sales_channels: z.array(z.object({ type: z.literal('website'), code: z.string() })),
    }),
  })
  .meta({ id: 'Stock' });

const stock = resource({
  records: stocks,
  acl: 'Platform_InventoryApi::stock',
  changesNeed: 'Platform_InventoryApi::stock_edit',
  unknown: stockNotFound,
  body: 'stock',
  sent: sentStock,
  draft: draftOf,
  answer: stockAnswer,
  render: ({ stockId, name, websiteCodes }) => ({
    stock_id: stockId,
    name,
    extension_attributes: { sales_channels: websiteCodes.map((code) => ({ type: 'website' as const, code })) },
  }),
  saved: { answer: z.int(), render: ({ stockId }) => stockId },
});

/** Refused with 400: a channel that is no website. */
function draftOf({ name, extensionAttributes }: z.output<typeof sentStock>): StockDraft {
  const channels = extensionAttributes?.salesChannels;
  const other = channels?.find(({ type }) => type !== 'website');
  if (other) throw invalidValue('type', other.type);
  return { name, websiteCodes: channels?.map(({ code }) => code) };
}

const refusedStock: readonly Outcome[] = [
  { status: 400, message: 'Validation Failed', when: 'The stock has no name.' },
  unknownEntity('A sales channel names an unknown website.'),
  invalidField(
    'A channel is no website, or a website would be left without a stock.',
    'Give that website to another stock first.',
  ),
];

/** Deletes a stock that no website sells from (platform facts 10). Refused as `deleteStock`. */
const deleteStockRoute = route({
  name: 'deleteStock',
  method: 'DELETE',
  path: '/V1/inventory/stocks/:stockId',
  acl: 'Platform_InventoryApi::stock_delete',
  summary: 'Close a stock',
  description: 'The sources of the stock and their goods stay. A second call finds no stock.',
  outcomes: [stockNotFound, defaultStockNotDeletable, stockHasSalesChannel, stockNotDeleted],
  examples: [{ title: 'An empty stock', params: { stockId: 2 }, response: [] }],
  params: z.object({ stockId: idParam }),
  response: voidAnswer,

  async handle({ em, params: { stockId } }): Promise<[]> {
    await stocks.remove(em, stockId);
    return [];
  },
});

/** The stock of a sales channel: type `website`, code of the website (platform facts 10). */
const resolveStock = route({
  method: 'GET',
  path: '/V1/inventory/stock-resolver/:type/:code',
  acl: 'Platform_InventorySalesApi::stock',
  summary: 'Stock of a website',
  name: 'resolveStock',
  description: `The stock that a website sells from: type \`website\`, and the website’s code.`,
  outcomes: [noLinkedStock],
  params: z.object({ type: z.string(), code: z.string() }),
  response: stockAnswer,

  handle: async ({ em, params }) => stock.render(await readStockOfChannel(em, params)),
});

/** A stock joins sources, and websites sell from it (platform facts 10). */
export const stockRoutes: readonly AnyRoute[] = [
  stock.list({
    path: '/V1/inventory/stocks',
    name: 'listStocks',
    summary: 'Search stocks',
    description: 'A stock joins sources; websites sell from it.',
    isWholeByDefault: true,
  }),

  stock.get({
    path: '/V1/inventory/stocks/:stockId',
    name: 'getStock',
    summary: 'One stock',
    description: 'With the websites that sell from it.',
  }),

  stock.create({
    path: '/V1/inventory/stocks',
    name: 'createStock',
    summary: 'Open a stock',
    description: `A stock joins sources, and websites sell from it. A website sells from one stock: named here, it
      leaves the one it sold from. Each call opens another stock; the answer is its id.`,
    outcomes: refusedStock,
    examples: [
      {
        title: 'A stock of a website',
        body: {
          stock: { name: 'Germany', extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] } },
        },
        response: 2,
      },
    ],
  }),

  stock.update({
    path: '/V1/inventory/stocks/:stockId',
    name: 'updateStock',
    summary: 'Change a stock',
    description: 'Changes what is sent: the name, and which websites sell from it. The answer is its id.',
    outcomes: refusedStock,
    examples: [{ title: 'Another name', params: { stockId: 2 }, body: { stock: { name: 'Europe' } }, response: 2 }],
  }),

  deleteStockRoute,
  resolveStock,
];

/** More than one delivery has. */
const maxItems = 2_000;

/** Moves goods from one source to another, all of them or none (platform facts 10). */
export const transferStockRoute = route({
  method: 'POST',
  path: '/V1/inventory/bulk-partial-source-transfer',
  acl: 'Platform_Catalog::products',
  summary: 'Move goods between sources',
  name: 'transferStock',
  description: `Moves goods from one source to another, all of them or none. A repeat moves them again, unless it
    has the same \`Idempotency-Key\`. At most 2,000 rows.`,
  outcomes: [
    {
      status: 400,
      message: 'Transfer validation failed',
      when:
        'A source is unknown, both are the same, a row moves nothing, or more than lies there; `errors` has each ' +
        'fault.',
    },
    inputIsEmpty,
  ],
  body: z.object({
    originSourceCode: text(64),
    destinationSourceCode: text(64),
    items: z
      .array(payload({ sku: text(64), qty: quantity, extensionAttributes: z.unknown().optional() }))
      .max(maxItems),
  }),
  response: voidAnswer,

  async handle({ em, body: { originSourceCode: from, destinationSourceCode: to, items } }): Promise<[]> {
    if (items.length === 0) throw inputIsEmpty();
    await transferStock(em, { from, to, items });
    return [];
  },
});

/** The quantities of products at sources; status 1 is in stock (platform facts 10). */
export const listSourceItems = route({
  method: 'GET',
  path: '/V1/inventory/source-items',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search quantities at sources',
  name: 'listSourceItems',
  description: `How much of which product lies where: absolute figures, before what is promised to orders.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
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
      when:
        'A row lacks SKU, source, quantity or status, or has one that cannot be; the first fault is in the ' +
        'sentence, all are in `errors`.',
    },
    sourceItemNotSaved,
    inputIsEmpty,
  ],
  body: z.object({ sourceItems: z.array(sourceItemPayload).max(maxItems) }),
  response: voidAnswer,

  async handle({ em, body: { sourceItems } }): Promise<[]> {
    if (sourceItems.length === 0) throw inputIsEmpty();
    const errors = sourceItems.flatMap(sourceItemErrors);
    if (errors.length > 0) throw validationFailed(errors);
    const named = sourceItems.flatMap(({ sourceCode }) => sourceCode ?? []);
    const sources = await existingSources(em, named);
    if (!named.every((code) => sources.has(code))) throw sourceItemNotSaved();
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
  outcomes: [inputIsEmpty],
  examples: [
    { title: 'One product', body: { sourceItems: [{ sku: 'MUG-WHITE', source_code: 'shop_berlin' }] }, response: [] },
  ],
  body: z.object({ sourceItems: z.array(sourceItem).max(maxItems) }),
  response: voidAnswer,

  async handle({ em, body: { sourceItems } }): Promise<[]> {
    if (sourceItems.length === 0) throw inputIsEmpty();
    await deleteSourceItems(em, sourceItems);
    return [];
  },
});
