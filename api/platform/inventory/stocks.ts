import { z } from 'zod';
import { readStockOfChannel, stocks, type StockDraft } from '../../../db/platform/inventory/stocks.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { resource } from '../../http/resource.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, payload, text, voidAnswer } from '../../wire/schemas.ts';
import { unknownStock } from './inventory-outcomes.ts';

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
  unknown: unknownStock,
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
  {
    status: 400,
    message: 'Invalid value of "%value" provided for the %fieldName field.',
    when: 'A channel is no website, or a website would be left without a stock.',
    then: 'Give that website to another stock first.',
  },
];

/** Deletes a stock that no website sells from (platform facts 10). Refused as `deleteStock`. */
const deleteStockRoute = route({
  name: 'deleteStock',
  method: 'DELETE',
  path: '/V1/inventory/stocks/:stockId',
  acl: 'Platform_InventoryApi::stock_delete',
  summary: 'Close a stock',
  description: 'The sources of the stock and their goods stay. A second call finds no stock.',
  outcomes: [
    unknownStock,
    { status: 400, message: 'Default Stock could not be deleted.', when: 'It is the stock 1.' },
    {
      status: 400,
      message: 'Stock has at least one sale channel and could not be deleted.',
      when: 'A website still sells from it.',
      then: 'Give the website to another stock first.',
    },
    { status: 400, message: 'Could not delete Stock', when: 'It promised goods to orders once.' },
  ],
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
  outcomes: [
    { status: 404, message: 'No linked stock found', when: 'No website has this code, or the type is another.' },
  ],
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
