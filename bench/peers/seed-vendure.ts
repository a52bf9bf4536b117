import { inParallel } from './in-parallel.ts';
import { centsOf, emailOf, skuOf, type Answer, type PeerWish } from './peer.ts';

/** Calls Vendure's Admin API. */
export type VendureGql = (query: string, variables?: Record<string, unknown>) => Promise<Answer>;

const en = (name: string) => [{ languageCode: 'en', name, description: '' }];

/** A place with one way to hand over and to pay, products and customers. */
export async function seedVendure(gql: VendureGql, { size, say }: PeerWish): Promise<void> {
  const { createCountry: country } = await gql(
    `mutation { createCountry(input: { code: "US", enabled: true, translations: [{ languageCode: en, name: "US" }] }) { id } }`,
  );
  const { createZone: zone } = await gql(
    `mutation ($ids: [ID!]) { createZone(input: { name: "US", memberIds: $ids }) { id } }`,
    { ids: [country.id] },
  );
  const { createTaxCategory: category } = await gql(
    `mutation { createTaxCategory(input: { name: "Goods", isDefault: true }) { id } }`,
  );
  await gql(`mutation ($input: CreateTaxRateInput!) { createTaxRate(input: $input) { id } }`, {
    input: { name: 'NY', enabled: true, value: 8, categoryId: category.id, zoneId: zone.id },
  });
  await gql(
    `mutation ($zone: ID!) { updateChannel(input: { id: "1", defaultTaxZoneId: $zone, defaultShippingZoneId: $zone, pricesIncludeTax: false, defaultCurrencyCode: USD, availableCurrencyCodes: [USD] }) { ... on Channel { id } ... on ErrorResult { errorCode message } } }`,
    { zone: zone.id },
  );
  await gql(`mutation ($input: CreateShippingMethodInput!) { createShippingMethod(input: $input) { id } }`, {
    input: {
      code: 'counter',
      fulfillmentHandler: 'manual-fulfillment',
      checker: { code: 'default-shipping-eligibility-checker', arguments: [{ name: 'orderMinimum', value: '0' }] },
      calculator: {
        code: 'default-shipping-calculator',
        arguments: [
          { name: 'rate', value: '0' },
          { name: 'includesTax', value: 'auto' },
          { name: 'taxRate', value: '0' },
        ],
      },
      translations: en('At the counter'),
    },
  });
  await gql(`mutation ($input: CreatePaymentMethodInput!) { createPaymentMethod(input: $input) { id } }`, {
    input: {
      code: 'cash',
      enabled: true,
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
      translations: en('Cash'),
    },
  });
  say('Vendure: products and customers …');
  await inParallel(size.products, async (n) => {
    const { createProduct: product } = await gql(
      `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id } }`,
      {
        input: {
          enabled: true,
          translations: [
            {
              languageCode: 'en',
              name: `Product number ${n}`,
              slug: `product-${n}`,
              description: 'A fine product. '.repeat(6),
            },
          ],
        },
      },
    );
    await gql(`mutation ($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }`, {
      input: [
        {
          productId: product.id,
          sku: skuOf(n),
          price: centsOf(n),
          taxCategoryId: category.id,
          stockOnHand: 1_000_000,
          trackInventory: 'TRUE',
          translations: [{ languageCode: 'en', name: `Product number ${n}` }],
        },
      ],
    });
  });
  await inParallel(size.customers, (n) =>
    gql(
      `mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { ... on Customer { id } ... on ErrorResult { errorCode message } } }`,
      { input: { firstName: 'Ada', lastName: `Number ${n}`, emailAddress: emailOf(n) } },
    ),
  );
}
