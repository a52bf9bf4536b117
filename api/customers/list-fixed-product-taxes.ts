import { z } from 'zod';
import { readFixedTaxPage, readFixedTaxVersion } from '../../db/platform/catalog/read-fixed-taxes.ts';
import { readConfigValue } from '../../db/platform/stores/read-config-value.ts';
import { isSet } from '../../domain/platform/carts/shop-choices.ts';
import { JsonStream, listInPages } from '../wire/json-stream.ts';
import { route } from '../http/route.ts';
import { integer } from '../wire/schemas.ts';
import { exactMoment, feedScope, feedTag } from './feed-query.ts';
import { taxFeedWords } from './feed-words.ts';

/** As of the price feed. */
const rowsPerPage = 10_000;

/**
 * The fixed taxes of products, of one website and of every website (spec 4.5): per unit, base currency, without tax.
 * Empty where `tax/weee/enable` is off. Sent as it is read, in pages by key.
 *
 * The version in the `ETag` is read before the rows: a change on the way makes the next call a full one. Refused with:
 * 404 unknown website.
 */
export const listFixedProductTaxes = route({
  ...taxFeedWords,
  method: 'GET',
  path: '/V1/pos/fixed-product-taxes',
  acl: 'Vendor_Pos::locations',
  summary: 'Fixed taxes of products, for offline registers',
  query: z.object({ websiteId: integer }),
  response: z.object({
    generated_at: exactMoment,
    rows: z.array(
      z.object({
        sku: z.string(),
        attribute_code: z.string(),
        website_id: z.int(),
        country_id: z.string(),
        region_id: z.int(),
        value: z.number(),
      }),
    ),
  }),

  async handle({ em, reader, query, store, now, setHeader }) {
    const scope = await feedScope(em, { websiteId: query.websiteId, store });
    const { websiteId } = scope;
    const isCharged = isSet((await readConfigValue(em, 'tax/weee/enable', scope)) ?? '0');
    const version = await readFixedTaxVersion(reader);
    setHeader('ETag', feedTag('taxes', websiteId, isCharged ? version : 'off'));
    const head = { generated_at: now.toISOString() };
    if (!isCharged) return { ...head, rows: [] };
    const pages = listInPages({ head, list: 'rows' }, 0, async (valueId) => {
      const page = await readFixedTaxPage(reader, { websiteId, valueId, limit: rowsPerPage });
      return page?.items ? { items: page.items, next: page.lastValueId ?? 0 } : undefined;
    });
    return new JsonStream(pages);
  },
});
