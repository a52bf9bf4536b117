import { z } from 'zod';
import { deleteStock, saveStock, type StockChange } from '../../../db/platform/inventory/save-stock.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { route, type Outcome } from '../../http/route.ts';
import { idParam, payload, text, voidAnswer } from '../../wire/schemas.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { unknownStock } from './inventory-outcomes.ts';

const maxChannels = 1_000;

const stockBody = z.object({
  stock: payload({
    stockId: z.unknown().optional(),
    name: text(255).optional(),
    extensionAttributes: payload({
      salesChannels: z
        .array(payload({ type: text(64), code: text(64), extensionAttributes: z.unknown().optional() }))
        .max(maxChannels)
        .optional(),
    }).optional(),
  }),
});

const outcomes: readonly Outcome[] = [
  { status: 400, message: 'Validation Failed', when: 'The stock has no name.' },
  unknownEntity('A sales channel names an unknown website.'),
  {
    status: 400,
    message: 'Invalid value of "%value" provided for the %fieldName field.',
    when: 'A channel is no website, or a website would be left without a stock.',
    then: 'Give that website to another stock first.',
  },
];

/** Creates a stock (platform facts 10). Each call creates another one. Refused as `saveStock`. */
export const createStock = route({
  name: 'createStock',
  method: 'POST',
  path: '/V1/inventory/stocks',
  acl: 'Platform_InventoryApi::stock_edit',
  summary: 'Open a stock',
  description: `A stock joins sources, and websites sell from it. A website sells from one stock: named here, it
    leaves the one it sold from. Each call opens another stock; the answer is its id.`,
  outcomes,
  examples: [
    {
      title: 'A stock of a website',
      body: {
        stock: { name: 'Germany', extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] } },
      },
      response: 2,
    },
  ],
  body: stockBody,
  response: z.int(),

  handle: ({ em, body }) => saveStock(em, toChange(body)),
});

/** Changes a stock (platform facts 10). A repeat changes nothing. Refused as `saveStock`. */
export const updateStock = route({
  name: 'updateStock',
  method: 'PUT',
  path: '/V1/inventory/stocks/:stockId',
  acl: 'Platform_InventoryApi::stock_edit',
  summary: 'Change a stock',
  description: 'Changes what is sent: the name, and which websites sell from it. The answer is its id.',
  outcomes: [unknownStock, ...outcomes],
  examples: [{ title: 'Another name', params: { stockId: 2 }, body: { stock: { name: 'Europe' } }, response: 2 }],
  params: z.object({ stockId: idParam }),
  body: stockBody,
  response: z.int(),

  handle: ({ em, params: { stockId }, body }) => saveStock(em, { ...toChange(body), stockId }),
});

/** Deletes a stock that no website sells from (platform facts 10). Refused as `deleteStock`. */
export const deleteStockRoute = route({
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
    await deleteStock(em, stockId);
    return [];
  },
});

function toChange({ stock }: z.output<typeof stockBody>): StockChange {
  const channels = stock.extensionAttributes?.salesChannels;
  const other = channels?.find(({ type }) => type !== 'website');
  if (other) throw invalidValue('type', other.type);
  return { name: stock.name, websiteCodes: channels?.map(({ code }) => code) };
}
