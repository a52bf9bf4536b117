import { z } from 'zod';
import { readFeedState, readPricePage } from '../../db/platform/catalog-rules/read-rule-prices.ts';
import { readFixedTaxPage, readFixedTaxVersion } from '../../db/platform/catalog/save-fixed-product-taxes.ts';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import { readConfigValue } from '../../db/platform/stores/read-config-value.ts';
import { noSuchEntity } from '../../domain/errors.ts';
import { isSet } from '../../domain/platform/carts/shop-choices.ts';
import { isUnchanged } from '../../domain/platform/stock-rules.ts';
import { route, type AnyRoute, type RouteContext, type StoreScope } from '../http/route.ts';
import { readStockDate } from '../wire/criteria.ts';
import { JsonStream, listInPages } from '../wire/json-stream.ts';
import { invalidField, unknownEntity } from '../wire/outcomes.ts';
import { same, scalar } from '../wire/scalar.ts';
import { isoDate, recordId } from '../wire/schemas.ts';

/** A calendar day, `YYYY-MM-DD`. */
const dayParam = scalar<string, string>({
  type: 'date',
  read: (input) => (typeof input === 'string' && input.length === 10 && readStockDate(input) ? input : undefined),
  write: same,
  json: { type: 'string', format: 'date', examples: ['2026-11-23'] },
});

/** The website of a feed; 0 means that of the call's store view. Refused with: 404 unknown website. */
export async function feedScope(
  em: RouteContext['em'],
  { websiteId, store }: { websiteId: number; store: StoreScope },
): Promise<{ websiteId: number; storeId: number }> {
  const view = await findCustomerStore(em, { websiteId, currentStoreId: store.storeId });
  // The settings of the call's own view apply where it belongs to this website.
  return { websiteId: view.websiteId, storeId: view.websiteId === store.websiteId ? store.storeId : view.storeId };
}

/** A weak tag of a feed's versions. */
const feedTag = (...parts: readonly (string | number | boolean | null)[]) => `W/"${parts.join('-')}"`;

/** A time with milliseconds: prices may change more than once within a second. */
const exactMoment = z.string().meta({ format: 'date-time' });

type Words = Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>>;

const unknownWebsite = { ...unknownEntity('no website has this id'), then: 'pull the terminal configuration again' };

const ruleFeedWords: Words = {
  name: 'listCatalogRulePrices',
  description: `Call it while the line is up, so that promotions hold offline too. \`rule_price\` is base currency,
before tax
where catalog prices are. Only products that a rule touches have rows; every other price is the product's own.

\`date\` is today in the website's time zone unless you say; rows exist for yesterday, today and tomorrow. Keep
\`indexed_at\` with the rows, one for each date, and send it back word for word as \`ifIndexedAfter\`: while nothing
changed
the answer is \`unchanged\`, without rows. It is null until prices are worked out for the first time: leave the
parameter out then. An \`If-None-Match\` with the last \`ETag\` is answered with 304 in the same case.
The answer is compressed for \`Accept-Encoding: gzip\`. A line that breaks leaves JSON that does not end: ask again.

\`websiteId\` 0 is the website of the store view in the path.`,
  outcomes: [unknownWebsite, invalidField('`date` is no day of the calendar, or `ifIndexedAfter` no moment')],
  examples: [
    {
      title: 'Tomorrow, before a sale begins',
      query: 'websiteId=1&date=2026-11-24',
      response: {
        indexed_at: '2026-11-23T00:05:02.114Z',
        date: '2026-11-24',
        unchanged: false,
        items: [
          { product_id: 3, customer_group_id: 0, rule_price: 42.5 },
          { product_id: 3, customer_group_id: 1, rule_price: 40 },
        ],
      },
    },
    {
      title: 'Nothing changed since',
      query: 'websiteId=1&ifIndexedAfter=2026-11-23T00:05:02.114Z',
      response: { indexed_at: '2026-11-23T00:05:02.114Z', date: '2026-11-23', unchanged: true, items: [] },
    },
  ],
};

const taxFeedWords: Words = {
  name: 'listFixedProductTaxes',
  description: `Call it while the line is up, so that fixed taxes hold offline too. \`value\` is for one unit, in base
currency, without tax. A row of website 0 holds on every website, one of region 0 in the whole country; where both a
region
and its country have a row, the region's counts. No rows where fixed taxes are switched off.

An \`If-None-Match\` with the last \`ETag\` is answered with 304 while no tax changed. The answer is compressed for
\`Accept-Encoding: gzip\`. \`websiteId\` 0 is the website of the store view in the path.`,
  outcomes: [unknownWebsite],
  examples: [
    {
      title: 'A fee on electronics',
      query: 'websiteId=1',
      response: {
        generated_at: '2026-11-23T09:30:00.000Z',
        rows: [
          { sku: 'RADIO', attribute_code: 'eco_fee', website_id: 0, country_id: 'US', region_id: 0, value: 2.5 },
          { sku: 'RADIO', attribute_code: 'eco_fee', website_id: 1, country_id: 'US', region_id: 12, value: 3 },
        ],
      },
    },
  ],
};

/** A page is a few hundred kilobytes of text: the most a feed of any length holds at a time. */
const rowsPerPage = 10_000;

/**
 * What the catalog rules make of prices on one day, per product and customer group (spec 4.5): sent as it is read, in
 * pages by key, compressed for callers that take that.
 *
 * `indexed_at` is read first: prices that change while the list is on its way move it on, so the next call tells.
 * Refused with: 404 unknown website · 400 what is no date or no moment.
 */
const listCatalogRulePrices = route({
  ...ruleFeedWords,
  method: 'GET',
  path: '/V1/pos/catalog-rule-prices',
  isStreamed: true,
  acl: 'Vendor_Pos::locations',
  summary: 'Catalog prices under promotion, for offline registers',
  query: z.object({ websiteId: recordId, date: dayParam.optional(), ifIndexedAfter: isoDate.optional() }),
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

/**
 * The fixed taxes of products, of one website and of every website (spec 4.5): per unit, base currency, without tax.
 * Empty where `tax/weee/enable` is off. Sent as it is read, in pages by key.
 *
 * The version in the `ETag` is read before the rows: a change on the way makes the next call a full one. Refused with:
 * 404 unknown website.
 */
const listFixedProductTaxes = route({
  ...taxFeedWords,
  method: 'GET',
  path: '/V1/pos/fixed-product-taxes',
  isStreamed: true,
  acl: 'Vendor_Pos::locations',
  summary: 'Fixed taxes of products, for offline registers',
  query: z.object({ websiteId: recordId }),
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

/** Feeds that a register keeps to sell offline (spec 4.5): a part of the list of all routes. */
export const feedRoutes: readonly AnyRoute[] = [listCatalogRulePrices, listFixedProductTaxes];
