import { z } from 'zod';
import type { StockRow } from '../../../db/platform/inventory/read-stocks.ts';

export const stockAnswer = z
  .object({
    stock_id: z.int(),
    name: z.string(),
    extension_attributes: z.object({
      sales_channels: z.array(z.object({ type: z.literal('website'), code: z.string() })),
    }),
  })
  .meta({ id: 'Stock' });

export const renderStock = ({ stock_id, name, website_codes }: StockRow): z.input<typeof stockAnswer> => ({
  stock_id,
  name,
  extension_attributes: { sales_channels: website_codes.map((code) => ({ type: 'website', code })) },
});
