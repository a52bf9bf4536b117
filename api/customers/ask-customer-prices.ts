import { z } from 'zod';
import { readBuyer, readPricedProducts, type Buyer } from '../../db/prices/read-buyer.ts';
import { invalidValue } from '../../domain/errors.ts';
import { quantityToWire, toWire, type Amount } from '../../domain/money.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import { customerPricesUnknown } from '../../domain/refusals/catalog.ts';
import { resolvePrices, type SourcedPrice } from '../../providers/prices.ts';
import { route, type RouteContext } from '../http/route.ts';
import { invalidField } from '../wire/outcomes.ts';
import { payload, recordId, text } from '../wire/schemas.ts';

const priceRow = z.object({
  sku: z.string(),
  base_price: z.number(),
  customer_price: z.number(),
  currency: z.string(),
  source: z.string(),
  tiers: z.array(z.object({ qty: z.number(), price: z.number() })).optional(),
});

/** Customer price rows (spec 2.18). */
const pricesAnswer = z.object({ prices: z.array(priceRow) });

/** One row; `tiers` appears where the price of a piece depends on the quantity. */
const renderPrice = (
  { sku, price }: { sku: string; price: Amount },
  found: SourcedPrice,
  currency: string,
): z.input<typeof priceRow> => ({
  sku,
  base_price: toWire(price),
  customer_price: toWire(found.price),
  currency,
  source: found.source,
  ...(found.tiers.length === 0
    ? {}
    : { tiers: found.tiers.map((tier) => ({ qty: quantityToWire(tier.qty), price: toWire(tier.price) })) }),
});

/** A body cannot carry more of them; the interface itself has no ceiling (spec 8). */
const mostSkus = 500_000;
/** A cashier waits for it with a customer at the counter. */
const lookUpMs = 3_000;

const question = payload({
  customerId: recordId,
  skus: z.array(text(255)).max(mostSkus),
  websiteId: recordId.default(0),
  /** By id or code. Null is taken here, to be refused by its name: elsewhere it counts as absent. */
  storeView: text(64).nullable().optional(),
});
type PricesRequested = z.output<typeof question>;

/**
 * The prices that only this customer gets (spec 2.18, 4.5), in three statements for any number of SKUs.
 *
 * A SKU without such a price is absent. For an unknown customer or website the list is empty. Refused with: 400 a null
 * or unknown `storeView`, or one of another website · 503 a price service that cannot be reached while it could know a
 * SKU.
 */
export const askCustomerPrices = route({
  name: 'askCustomerPrices',
  method: 'POST',
  path: '/V1/pos/customer-prices',
  acl: 'Vendor_Pos::locations',
  summary: 'Prices of one customer',
  description: `Call it when a customer is chosen and when something is added to the cart, for all SKUs at once; there
is no ceiling. Prices
are per piece, in the base currency of the website, tax as in the catalog. A SKU that is absent costs what the catalog
says.

\`customer_price\` is the price of one; \`tiers\` has the prices of larger quantities, if there are any. \`source\`
names the source:
\`customer_group\`, \`contract\` or \`price_service\`, in this order. The first source with a price for the SKU counts,
not the cheapest.
\`websiteId\` 0 is the customer's own website. Leave \`storeView\` out when no view is meant. It reads only.`,
  outcomes: [
    invalidField(
      'storeView is null, unknown, or of another website than the one that is named',
      'Leave storeView out.',
    ),
    customerPricesUnknown,
  ],
  examples: [
    {
      title: 'A wholesale customer: one group price with a tier, one contract, one price that is everybody’s',
      body: { request: { customerId: 7, skus: ['MUG-WHITE', 'PLATE-WHITE', 'GIFTWRAP'], websiteId: 1 } },
      response: {
        prices: [
          {
            sku: 'MUG-WHITE',
            base_price: 50,
            customer_price: 45,
            currency: 'USD',
            source: 'customer_group',
            tiers: [{ qty: 10, price: 40 }],
          },
          { sku: 'PLATE-WHITE', base_price: 33.33, customer_price: 29.9, currency: 'USD', source: 'contract' },
        ],
      },
    },
  ],
  commits: 'several',
  body: z.object({ request: question }),
  response: pricesAnswer,
  handle: (request) => pricesOf(request.body.request, request),
});

async function pricesOf(
  { customerId, websiteId: requestedWebsite, skus, storeView }: PricesRequested,
  { reader, providers, log }: RouteContext,
): Promise<z.input<typeof pricesAnswer>> {
  if (storeView === null) throw wrongStoreView(null);
  const buyer = await readBuyer(reader, { customerId, websiteId: requestedWebsite, storeView: storeView ?? '' });
  if (storeView !== undefined) refuseForeignView(storeView, requestedWebsite, buyer);
  const { groupId, websiteId, baseCurrencyCode: currencyCode } = buyer;
  if (groupId === null || websiteId === null || currencyCode === null) return { prices: [] };
  const request = [...new Set(skus)];
  const rows = await readPricedProducts(reader, { skus: request, websiteId, groupId });
  const bySku = new Map(rows.map((row) => [skuKey(row.sku), row]));
  const products = [...new Set(request.flatMap((sku) => bySku.get(skuKey(sku)) ?? []))];
  const deadline = new Date(Date.now() + lookUpMs);
  const found = await resolvePrices(
    providers.prices,
    { customerId, groupId, websiteId, currencyCode, products, deadline },
    log,
  );
  return {
    prices: products.flatMap((product) => {
      const price = found.get(product.sku);
      return price ? [renderPrice(product, price, currencyCode)] : [];
    }),
  };
}

function refuseForeignView(storeView: string, websiteId: number, { viewWebsiteId }: Buyer): void {
  if (viewWebsiteId === null || (websiteId !== 0 && viewWebsiteId !== websiteId)) throw wrongStoreView(storeView);
}

const wrongStoreView = (value: string | null) => invalidValue('storeView', value);
