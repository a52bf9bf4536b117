import { z } from 'zod';
import { readQuantitiesByPriority } from '../../../db/platform/inventory/read-quantities-by-priority.ts';
import { stocks } from '../../../db/platform/inventory/stocks.ts';
import { withStoredSkus } from '../../../db/platform/inventory/stored-skus.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { quantityToWire } from '../../../domain/money/quantity.ts';
import { selectSources } from '../../../domain/platform/select-sources.ts';
import { route } from '../../http/route.ts';
import { idParam, payload, quantity, text } from '../../wire/schemas.ts';
import { unknownStock } from './inventory-outcomes.ts';

const maxItems = 2_000;

const priority = {
  code: 'priority',
  title: 'Source Priority',
  description: 'Algorithm which provides Source Selections based on predefined priority of Sources',
};

/** The algorithms that select sources; there is one (platform facts 10). */
export const listSourceSelectionAlgorithms = route({
  name: 'listSourceSelectionAlgorithms',
  method: 'GET',
  path: '/V1/inventory/source-selection-algorithm-list',
  acl: 'Platform_InventorySourceSelectionApi::source_selection_algorithm_list',
  summary: 'List the ways to choose sources',
  description: 'The codes that `source-selection-algorithm-result` takes.',
  outcomes: [],
  examples: [{ title: 'The one there is', response: [priority] }],
  response: z.array(z.object({ code: z.string(), title: z.string(), description: z.string() })),

  handle: () => Promise.resolve([priority]),
});

/**
 * Which source can ship which quantity (platform facts 10). It moves and reserves nothing.
 *
 * Refused with 404: unknown stock · 400: another algorithm than `priority`.
 */
export const selectSourcesRoute = route({
  name: 'selectSources',
  method: 'POST',
  path: '/V1/inventory/source-selection-algorithm-result',
  acl: 'Platform_InventorySourceSelectionApi::source_selection_algorithm_post',
  summary: 'Choose the sources to ship from',
  description: `Walks through the enabled sources of the stock by priority and takes from each what lies there. A
    source that is not needed is named with \`qty_to_deduct\` 0. Nothing is moved and nothing is promised.
    \`shippable\` is false where the sources together hold too little.`,
  outcomes: [
    unknownStock,
    {
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      when: 'The algorithm is another than `priority`.',
    },
  ],
  examples: [
    {
      title: 'Two mugs from one shop',
      body: { inventoryRequest: { stock_id: 1, items: [{ sku: 'MUG-WHITE', qty: 2 }] }, algorithmCode: 'priority' },
      response: {
        source_selection_items: [{ source_code: 'default', sku: 'MUG-WHITE', qty_to_deduct: 2, qty_available: 40 }],
        shippable: true,
      },
    },
  ],
  body: z.object({
    inventoryRequest: payload({
      stockId: idParam,
      items: z.array(payload({ sku: text(64), qty: quantity })).max(maxItems),
      extensionAttributes: z.unknown().optional(),
    }),
    algorithmCode: text(64),
  }),
  response: z.object({
    source_selection_items: z.array(
      z.object({ source_code: z.string(), sku: z.string(), qty_to_deduct: z.number(), qty_available: z.number() }),
    ),
    shippable: z.boolean(),
  }),

  async handle({ em, body: { inventoryRequest, algorithmCode } }) {
    const { stockId } = inventoryRequest;
    if (algorithmCode !== priority.code) throw invalidValue('algorithmCode', algorithmCode);
    await stocks.find(em, stockId);
    const wanted = await withStoredSkus(em, inventoryRequest.items);
    const skus = wanted.map(({ sku }) => sku);
    const { items, isShippable } = selectSources(wanted, await readQuantitiesByPriority(em, { stockId, skus }));
    return {
      source_selection_items: items.map(({ sourceCode, sku, qtyToDeduct, qtyAvailable }) => ({
        source_code: sourceCode,
        sku,
        qty_to_deduct: quantityToWire(qtyToDeduct),
        qty_available: quantityToWire(qtyAvailable),
      })),
      shippable: isShippable,
    };
  },
});
