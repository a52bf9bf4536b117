import { join } from 'node:path';
import { inParallel, startPeerProcess } from './medusa.ts';
import {
  centsOf,
  emailOf,
  installPeer,
  productsOf,
  skuOf,
  versionOf,
  type Answer,
  type Peer,
  type PeerInput,
} from './peer.ts';

/** Calls Vendure's Admin API. */
type VendureGql = (query: string, variables?: Record<string, unknown>) => Promise<Answer>;

const en = (name: string) => [{ languageCode: 'en', name, description: '' }];

/** A place with one way to hand over and to pay, products and customers. */
async function seedVendure(gql: VendureGql, { size, say }: PeerInput): Promise<void> {
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

/** Vendure's server and its job queue, called by its Admin API as a register would do. */
export async function startVendure(input: PeerInput): Promise<Peer> {
  const folder = installPeer('vendure', input);
  const environment = { DATABASE_URL: input.databaseUrl, NODE_ENV: 'production', VENDURE_DISABLE_TELEMETRY: '1' };
  const start = async (more: Record<string, string>) => {
    const started = await startPeerProcess({
      name: 'vendure',
      file: join(folder, 'server.mjs'),
      readyPath: '/health',
      environment: { ...environment, ...more },
    });
    input.running.unshift(started);
    return started;
  };
  const first = await start({ SYNCHRONIZE: '1' });
  await seedVendure(await signIn(first.url), input);
  await first.stop();
  const running = await start({});
  const gql = await signIn(running.url);
  const shop = await readShop(gql);
  const sold = await sellAll(gql, shop, input);
  const one = (n: number): Sold => sold[n % sold.length] ?? { orderId: '', lineId: '', paymentId: '' };
  return {
    name: 'Vendure',
    version: versionOf(folder, '@vendure/core'),
    pids: { application: [running.pid], engine: [] },
    calls: {
      'order read': (n) => gql(readOrder, { id: one(n).orderId }),
      'product by sku': (n) => gql(productBySku, { sku: skuOf(n % input.size.products) }),
      'product list of 100': () => gql(productList),
      "a customer's orders": (n) => gql(ordersOfCustomer, { id: shop.customers[n % shop.customers.length] }),
      'orders by status, newest first, 20': () => gql(ordersByState),
      'sale: order, payment, hand-over': async (n) => sold.push(await sell(gql, shop, n)),
      'return in one call, refund by hand': (n) => refund(gql, one(n)),
    },
  };
}

interface Sold {
  orderId: string;
  lineId: string;
  paymentId: string;
}

interface Shop {
  variants: string[];
  customers: string[];
  shippingMethod: string;
}

async function signIn(url: string): Promise<VendureGql> {
  const post = (query: string, variables: Record<string, unknown>, token: string) =>
    fetch(`${url}/admin-api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
  const query = `mutation { login(username: "superadmin", password: "bench-only") { __typename } }`;
  const token = (await post(query, {}, '')).headers.get('vendure-auth-token') ?? '';
  return async (request, variables = {}) => {
    const answer: Answer = await (await post(request, variables, token)).json();
    const refused = answer.errors ?? Object.values(answer.data).filter((one: Answer) => one?.errorCode);
    if (refused.length > 0) throw new Error(`Vendure refused: ${JSON.stringify(refused).slice(0, 500)}`);
    return answer.data;
  };
}

async function readShop(gql: VendureGql): Promise<Shop> {
  const page = async (query: string) => {
    const all: { id: string; at: string }[] = [];
    for (;;) {
      const { list } = await gql(query, { skip: all.length });
      all.push(...list.items);
      if (all.length >= list.totalItems) return all.toSorted((a, b) => Number(a.id) - Number(b.id));
    }
  };
  const variants = await page(
    `query ($skip: Int) { list: productVariants(options: { take: 100, skip: $skip }) { totalItems items { id at: sku } } }`,
  );
  const customers = await page(
    `query ($skip: Int) { list: customers(options: { take: 100, skip: $skip }) { totalItems items { id at: emailAddress } } }`,
  );
  const { shippingMethods } = await gql(`query { shippingMethods { items { id } } }`);
  return {
    variants: variants.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ id }) => id),
    customers: customers.map(({ id }) => id),
    shippingMethod: shippingMethods.items[0].id,
  };
}

async function sellAll(gql: VendureGql, shop: Shop, { size, say }: PeerInput): Promise<Sold[]> {
  say(`Vendure: ${size.orders} sales …`);
  return inParallel(size.orders, (n) => sell(gql, shop, n));
}

const refused = `... on ErrorResult { errorCode message }`;

/**
 * Makes a draft order of three lines, pays it in cash and hands it over, with the fewest calls of Vendure's Admin API.
 */
async function sell(gql: VendureGql, { variants, customers, shippingMethod }: Shop, n: number): Promise<Sold> {
  const { createDraftOrder: order } = await gql(`mutation { createDraftOrder { id } }`);
  const [one, two, three] = productsOf(n, variants.length).map((index) => variants[index]);
  const address = { streetLine1: '1 Main St', city: 'Troy', countryCode: 'US', postalCode: '12180' };
  const { c, h } = await gql(
    `mutation ($id: ID!, $one: ID!, $two: ID!, $three: ID!, $customer: ID!, $address: CreateAddressInput!, $shipping: ID!) {
      a: addItemToDraftOrder(orderId: $id, input: { productVariantId: $one, quantity: 1 }) { ... on Order { id } ${refused} }
      b: addItemToDraftOrder(orderId: $id, input: { productVariantId: $two, quantity: 1 }) { ... on Order { id } ${refused} }
      c: addItemToDraftOrder(orderId: $id, input: { productVariantId: $three, quantity: 1 }) { ... on Order { id lines { id } } ${refused} }
      d: setCustomerForDraftOrder(orderId: $id, customerId: $customer) { ... on Order { id } ${refused} }
      e: setDraftOrderShippingAddress(orderId: $id, input: $address) { id }
      f: setDraftOrderShippingMethod(orderId: $id, shippingMethodId: $shipping) { ... on Order { id } ${refused} }
      g: transitionOrderToState(id: $id, state: "ArrangingPayment") { ... on Order { id } ${refused} }
      h: addManualPaymentToOrder(input: { orderId: $id, method: "cash", transactionId: "cash", metadata: {} }) { ... on Order { id payments { id } } ${refused} }
    }`,
    { id: order.id, one, two, three, customer: customers[n % customers.length], address, shipping: shippingMethod },
  );
  const lines = c.lines.map(({ id }: { id: string }) => ({ orderLineId: id, quantity: 1 }));
  const { addFulfillmentToOrder: fulfilled } = await gql(
    `mutation ($lines: [OrderLineInput!]!) { addFulfillmentToOrder(input: { lines: $lines, handler: { code: "manual-fulfillment", arguments: [{ name: "method", value: "counter" }, { name: "trackingCode", value: "" }] } }) { ... on Fulfillment { id } ${refused} } }`,
    { lines },
  );
  await gql(
    `mutation ($id: ID!) { a: transitionFulfillmentToState(id: $id, state: "Shipped") { ... on Fulfillment { id } ${refused} } b: transitionFulfillmentToState(id: $id, state: "Delivered") { ... on Fulfillment { id } ${refused} } }`,
    { id: fulfilled.id },
  );
  return { orderId: order.id, lineId: lines[0].orderLineId, paymentId: h.payments[0].id };
}

/**
 * Puts one line back in stock and refunds its price, in one request of two mutations. A refund of money that was taken
 * by hand is pending until a second request settles it.
 */
async function refund(gql: VendureGql, { orderId, lineId, paymentId }: Sold): Promise<void> {
  const { refund: made } = await gql(
    `mutation ($order: ID!, $lines: [OrderLineInput!]!, $payment: ID!) {
      cancel: cancelOrder(input: { orderId: $order, lines: $lines, reason: "return" }) { ... on Order { id } ${refused} }
      refund: refundOrder(input: { lines: $lines, shipping: 0, adjustment: 0, paymentId: $payment, reason: "return" }) { ... on Refund { id state } ${refused} }
    }`,
    { order: orderId, lines: [{ orderLineId: lineId, quantity: 1 }], payment: paymentId },
  );
  const { settleRefund: settled } = await gql(
    `mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: "cash" }) { ... on Refund { id state } ${refused} } }`,
    { id: made.id },
  );
  if (settled.state !== 'Settled') throw new Error(`Vendure's refund is ${settled.state}, not settled.`);
}

const orderFields = `id code state createdAt totalWithTax shippingWithTax customer { id firstName lastName emailAddress }
  lines { id quantity unitPriceWithTax linePriceWithTax productVariant { id sku name } taxLines { taxRate description } }
  payments { id method amount state transactionId } fulfillments { id state } shippingAddress { fullName streetLine1 city postalCode country }`;
const readOrder = `query ($id: ID!) { order(id: $id) { ${orderFields} } }`;
const ordersOfCustomer = `query ($id: ID!) { customer(id: $id) { orders(options: { take: 20, sort: { createdAt: DESC } }) { totalItems items { ${orderFields} } } } }`;
const ordersByState = `query { orders(options: { take: 20, sort: { createdAt: DESC }, filter: { state: { eq: "Delivered" } } }) { totalItems items { ${orderFields} } } }`;
const productFields = `id sku name price priceWithTax stockOnHand enabled product { id slug description }`;
const productBySku = `query ($sku: String!) { productVariants(options: { take: 1, filter: { sku: { eq: $sku } } }) { items { ${productFields} } } }`;
const productList = `query { productVariants(options: { take: 100 }) { totalItems items { ${productFields} } } }`;
