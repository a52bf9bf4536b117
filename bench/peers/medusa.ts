import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../local/free-port.ts';
import { nodeProcess } from '../../local/node-process.ts';
import { scratch, type BenchProcess } from '../processes.ts';
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

const atOnce = 8;

/** Calls a function `count` times, eight at once. The results are in order. */
export async function inParallel<Got>(count: number, one: (n: number) => Promise<Got>): Promise<Got[]> {
  const got: Got[] = Array.from({ length: count });
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) got[n] = await one(n);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return got;
}

/** Calls Medusa's Admin API. */
type MedusaAsk = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

/** What sales are made of. */
interface MedusaShop {
  variants: string[];
  customers: string[];
  regionId: string;
  channelId: string;
  locationId: string;
  shippingOptionId: string;
}

/** A place with one way to hand over, products and customers. */
async function seedMedusa(ask: MedusaAsk, { size, say }: PeerInput): Promise<MedusaShop> {
  const { sales_channel: channel } = await ask('POST', '/admin/sales-channels', { name: 'Counter' });
  const { stock_location: location } = await ask('POST', '/admin/stock-locations', {
    name: 'Shop',
    address: { address_1: '1 Main St', country_code: 'US' },
  });
  const at = `/admin/stock-locations/${location.id}`;
  await ask('POST', `${at}/sales-channels`, { add: [channel.id] });
  await ask('POST', `${at}/fulfillment-providers`, { add: ['manual_manual'] });
  const { region } = await ask('POST', '/admin/regions', {
    name: 'US',
    currency_code: 'usd',
    countries: ['us'],
    payment_providers: ['pp_system_default'],
  });
  const rate = { name: 'NY', rate: 8, code: 'ny' };
  await ask('POST', '/admin/tax-regions', { country_code: 'us', provider_id: 'tp_system', default_tax_rate: rate });
  const { shipping_profiles: profiles } = await ask('GET', '/admin/shipping-profiles');
  const profile = profiles[0].id;
  await ask('POST', `${at}/fulfillment-sets`, { name: 'Counter', type: 'pickup' });
  const { stock_location: made } = await ask('GET', `${at}?fields=*fulfillment_sets`);
  const { fulfillment_set: set } = await ask(
    'POST',
    `/admin/fulfillment-sets/${made.fulfillment_sets[0].id}/service-zones`,
    { name: 'US', geo_zones: [{ type: 'country', country_code: 'us' }] },
  );
  const { shipping_option: option } = await ask('POST', '/admin/shipping-options', {
    name: 'At the counter',
    service_zone_id: set.service_zones[0].id,
    shipping_profile_id: profile,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Counter', description: 'At the counter', code: 'counter' },
    prices: [{ currency_code: 'usd', amount: 0 }],
    rules: [],
  });
  say('Medusa: products and customers …');
  const variants = await inParallel(size.products, async (n) => {
    const { product } = await ask('POST', '/admin/products', {
      title: `Product number ${n}`,
      description: 'A fine product. '.repeat(6),
      status: 'published',
      shipping_profile_id: profile,
      sales_channels: [{ id: channel.id }],
      options: [{ title: 'Kind', values: ['One'] }],
      variants: [
        {
          title: 'One',
          sku: skuOf(n),
          manage_inventory: true,
          options: { Kind: 'One' },
          prices: [{ currency_code: 'usd', amount: centsOf(n) / 100 }],
        },
      ],
    });
    const { product: stocked } = await ask('GET', `/admin/products/${product.id}?fields=*variants.inventory_items`);
    const item = stocked.variants[0].inventory_items[0].inventory_item_id;
    const level = { location_id: location.id, stocked_quantity: 1_000_000 };
    await ask('POST', `/admin/inventory-items/${item}/location-levels`, level);
    return product.variants[0].id;
  });
  const customers = await inParallel(size.customers, async (n) => {
    const requested = { email: emailOf(n), first_name: 'Ada', last_name: `Number ${n}` };
    return (await ask('POST', '/admin/customers', requested)).customer.id;
  });
  return {
    variants,
    customers,
    regionId: region.id,
    channelId: channel.id,
    locationId: location.id,
    shippingOptionId: option.id,
  };
}

export interface PeerProcessInput {
  name: string;
  file: string;
  arguments?: readonly string[];
  readyPath: string;
  environment: Record<string, string>;
}

/** Starts a peer's server on a free port. */
export async function startPeerProcess({
  name,
  file,
  readyPath,
  environment,
  ...request
}: PeerProcessInput): Promise<BenchProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const part = nodeProcess({
    name,
    file,
    arguments: request.arguments ?? [],
    environment: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...environment },
    logFile: join(scratch, `${name}.log`),
    isReadyWhen: { answersAt: url + readyPath },
    patienceMs: 20_000,
    show: (line) => process.stderr.write(`${name}: ${line}\n`),
  });
  const running = await part.start(new AbortController().signal);
  return { url, pid: running.pid, stop: () => running.stop() };
}

const email = 'bench@peers.example';
const password = 'bench-only';
const address = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '1 Main St',
  city: 'Troy',
  country_code: 'us',
  postal_code: '12180',
};

/** Medusa in one process with queues and caches in memory. It is called by its Admin API, as a register would do. */
export async function startMedusa(input: PeerInput): Promise<Peer> {
  const folder = installPeer('medusa', input);
  const file = join(folder, 'run.cjs');
  const environment = { DATABASE_URL: input.databaseUrl, NODE_ENV: 'production', MEDUSA_DISABLE_TELEMETRY: '1' };
  // Asynchronous, because this process must read what the database server prints meanwhile.
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [file, ...words], {
      env: { ...process.env, ...environment },
      maxBuffer: 1e8,
    });
  input.say('Medusa: its tables …');
  await run('db:migrate');
  await run('user', '-e', email, '-p', password);
  const running = await startPeerProcess({
    name: 'medusa',
    file,
    arguments: ['start', '--types=false'],
    readyPath: '/health',
    environment,
  });
  input.running.unshift(running);
  const ask = await signIn(running.url);
  const shop = await seedMedusa(ask, input);
  input.say(`Medusa: ${input.size.orders} sales …`);
  const sold = await inParallel(input.size.orders, (n) => sell(ask, shop, n));
  const one = (n: number): Sold => sold[n % sold.length] ?? { orderId: '', lineId: '', paymentId: '' };
  return {
    name: 'Medusa',
    version: versionOf(folder, '@medusajs/medusa'),
    pids: { application: [running.pid], engine: [] },
    calls: {
      'order read': (n) => ask('GET', `/admin/orders/${one(n).orderId}`),
      'product by sku': (n) => ask('GET', `/admin/product-variants?sku=${skuOf(n % input.size.products)}&limit=1`),
      'product list of 100': () => ask('GET', '/admin/products?limit=100'),
      "a customer's orders": (n) =>
        ask('GET', `/admin/orders?customer_id=${shop.customers[n % shop.customers.length]}&limit=20&order=-created_at`),
      'orders by status, newest first, 20': () => ask('GET', '/admin/orders?status=pending&limit=20&order=-created_at'),
      'sale: order, payment, hand-over': async (n) => sold.push(await sell(ask, shop, n)),
      'return step by step': (n) => returnInSteps(ask, shop, one(n)),
    },
  };
}

async function signIn(url: string): Promise<MedusaAsk> {
  let token = '';
  const ask: MedusaAsk = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Medusa: ${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? null : JSON.parse(text);
  };
  token = (await ask('POST', '/auth/user/emailpass', { email, password })).token;
  return ask;
}

interface Sold {
  orderId: string;
  lineId: string;
  paymentId: string;
}

/** Makes a draft of three lines an order, pays it and hands it over, with the fewest calls of Medusa's Admin API. */
async function sell(ask: MedusaAsk, shop: MedusaShop, n: number): Promise<Sold> {
  const items = productsOf(n, shop.variants.length).map((index) => ({ variant_id: shop.variants[index], quantity: 1 }));
  const { draft_order: draft } = await ask('POST', '/admin/draft-orders', {
    email: emailOf(n % shop.customers.length),
    customer_id: shop.customers[n % shop.customers.length],
    region_id: shop.regionId,
    sales_channel_id: shop.channelId,
    shipping_address: address,
    billing_address: address,
    items,
    shipping_methods: [{ name: 'At the counter', shipping_option_id: shop.shippingOptionId, amount: 0 }],
  });
  const at = `/admin/orders/${draft.id}`;
  const { order } = await ask('POST', `/admin/draft-orders/${draft.id}/convert-to-order`);
  const { payment_collection: collection } = await ask('POST', '/admin/payment-collections', {
    order_id: draft.id,
    amount: order.total,
  });
  const paid = await ask('POST', `/admin/payment-collections/${collection.id}/mark-as-paid`, { order_id: draft.id });
  const lines = order.items.map(({ id }: { id: string }) => ({ id, quantity: 1 }));
  const { order: sent } = await ask('POST', `${at}/fulfillments?fields=id,*fulfillments`, {
    location_id: shop.locationId,
    items: lines,
  });
  await ask('POST', `${at}/fulfillments/${sent.fulfillments[0].id}/mark-as-delivered`);
  return { orderId: draft.id, lineId: lines[0].id, paymentId: paid.payment_collection.payments[0].id };
}

/** Begun, requested, received, confirmed, refunded: seven calls. No workflow engine makes them durable. */
async function returnInSteps(
  ask: MedusaAsk,
  { locationId }: MedusaShop,
  { orderId, lineId, paymentId }: Sold,
): Promise<void> {
  const items = [{ id: lineId, quantity: 1 }];
  const { return: begun } = await ask('POST', '/admin/returns', { order_id: orderId, location_id: locationId });
  const at = `/admin/returns/${begun.id}`;
  await ask('POST', `${at}/request-items`, { items });
  await ask('POST', `${at}/request`, {});
  await ask('POST', `${at}/receive`, {});
  await ask('POST', `${at}/receive-items`, { items });
  await ask('POST', `${at}/receive/confirm`, {});
  await ask('POST', `/admin/payments/${paymentId}/refund`, { amount: 5 });
}
