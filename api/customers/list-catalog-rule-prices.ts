import { z } from 'zod';
import { readFeedState, readPricePage } from '../../db/platform/catalog-rules/read-rule-prices.ts';
import { noSuchEntity } from '../../domain/errors.ts';
import { isUnchanged } from '../../domain/platform/catalog-rules/is-unchanged.ts';
import { JsonStream, listInPages } from '../wire/json-stream.ts';
import { route } from '../http/route.ts';
import { integer, isoDate } from '../wire/schemas.ts';
import { dayParam, exactMoment, feedScope, feedTag } from './feed-query.ts';
import { ruleFeedWords } from './feed-words.ts';

/** A page is a few hundred kilobytes of text: the most a feed of any length holds at a time. */
const rowsPerPage = 10_000;

/**
 * What the catalog rules make of prices on one day, per product and customer group (spec 4.5): sent as it is read, in
 * pages by key, compressed for callers that take that.
 *
 * `indexed_at` is read first: prices that change while the list is on its way move it on, so the next call tells.
 * Refused with: 404 unknown website · 400 what is no date or no moment.
 */
export const listCatalogRulePrices = route({
  ...ruleFeedWords,
  method: 'GET',
  path: '/V1/pos/catalog-rule-prices',
  acl: 'Vendor_Pos::locations',
  summary: 'Catalog prices under promotion, for offline registers',
  query: z.object({ websiteId: integer, date: dayParam.optional(), ifIndexedAfter: isoDate.optional() }),
  response: z.object({
    indexed_at: exactMoment.nullable(),
    date: z.string(),
    unchanged: z.boolean(),
    items: z.array(z.object({ product_id: z.int(), customer_group_id: z.int(), rule_price: z.number() })),
  }),

  async handle({ em, reader, query, store, now, setHeader }) {
    const { websiteId } = await feedScope(em, { websiteId: query.websiteId, store });
    const state = await readFeedState(reader, { websiteId, now });
    if (!state) throw noSuchEntity('websiteId', websiteId);
    const { indexedAt, day, today } = state;
    const date = query.date ?? today;
    const unchanged = isUnchanged({ ifIndexedAfter: query.ifIndexedAfter, indexedAt, day, today });
    setHeader('ETag', feedTag('rules', websiteId, date, indexedAt?.getTime() ?? 0, unchanged));
    const head = { indexed_at: indexedAt?.toISOString() ?? null, date, unchanged };
    if (unchanged) return { ...head, items: [] };
    const pages = listInPages({ head, list: 'items' }, beforeAll, async ({ productId, customerGroupId }) => {
      const page = await readPricePage(reader, { websiteId, date, productId, customerGroupId, limit: rowsPerPage });
      if (!page?.items) return undefined;
      return {
        items: page.items,
        next: { productId: page.lastProductId ?? 0, customerGroupId: page.lastGroupId ?? 0 },
      };
    });
    return new JsonStream(pages);
  },
});

/** Ids are positive; the group of those who are not logged in is 0. */
const beforeAll = { productId: 0, customerGroupId: 0 };
