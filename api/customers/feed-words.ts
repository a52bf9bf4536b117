import type { AnyRoute } from '../http/route.ts';
import { unknownEntity, invalidField } from '../wire/outcomes.ts';

type Words = Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>>;

const unknownWebsite = { ...unknownEntity('no website has this id'), then: 'pull the terminal configuration again' };

export const ruleFeedWords: Words = {
  name: 'listCatalogRulePrices',
  description: `Call it while the line is up, so that promotions hold offline too. \`rule_price\` is base currency, before tax
where catalog prices are. Only products that a rule touches have rows; every other price is the product's own.

\`date\` is today in the website's time zone unless you say; rows exist for yesterday, today and tomorrow. Keep
\`indexed_at\` with the rows, one for each date, and send it back word for word as \`ifIndexedAfter\`: while nothing changed
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

export const taxFeedWords: Words = {
  name: 'listFixedProductTaxes',
  description: `Call it while the line is up, so that fixed taxes hold offline too. \`value\` is for one unit, in base
currency, without tax. A row of website 0 holds on every website, one of region 0 in the whole country; where both a region
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
