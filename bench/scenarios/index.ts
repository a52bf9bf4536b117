import { customerOf } from '../money-shop.ts';
import type { BenchRequest, Scenario } from '../scenario.ts';
import { firstIds, terminalCount } from '../shop.ts';
import {
  createLargeOrder,
  createOrder,
  holdCart,
  listHeldCarts,
  orderOf,
  recallCart,
  unchangedHeldCarts,
} from './create-order.ts';
import {
  customerPrices,
  opsPages,
  receiptPage,
  receiptPageBesideCounting,
  receiptPageWithCodes,
  validateCustomer,
} from './ops-pages.ts';

const identifier = 'bench-idle-screen';
/** An idle screen's block with a few offers. */
const html = `<section>${'<p class="offer">A fine product for a fine price.</p>'.repeat(40)}</section>`;
const query = `query ($x: String!) { vendorCmsBlock(identifier: $x) { identifier title html css } }`;
const variables = { x: identifier };
const prepare: Scenario['prepare'] = async ({ execute }) => {
  await execute(
    `with item as (
       insert into content_item (kind, identifier, title, content, liveview, published_number, changed_by, created_at,
         updated_at)
       values ('block', '${identifier}', 'Idle screen', '', true, 1, 'bench', now(), now())
       on conflict do nothing returning content_id)
     insert into content_publication (content_id, number, title, content, html, css, published_by)
     select content_id, 1, 'Idle screen', '', '${html}', '', 'bench' from item`,
  );
};

/** A register's display asks for its block again, by GET, beside the same bytes without a database. */
const blockQuery: Scenario = {
  name: 'block query, warm',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  prepare,
  request: (): BenchRequest => ({
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`,
    isOutside: true,
  }),
  subjectOf: () => 0,
  plain: 'static',
};

/** The same by POST: both sides read its body. */
const postedBlockQuery: Scenario = {
  ...blockQuery,
  name: 'block query, warm, by POST',
  request: () => ({ method: 'POST', path: '/graphql', body: { query, variables }, isOutside: true }),
};

const categoryCount = 1_000;
/** Below 2, the default shop's: twenty departments of forty-nine categories each. */
const departments = 20;

/** A storefront that fetches all categories of a shop. */
const listCategories: Scenario = {
  name: 'category list of 1,000',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: () => ({
    method: 'GET',
    path: `/V1/categories/list?searchCriteria[pageSize]=${categoryCount}&searchCriteria[currentPage]=1`,
  }),
  async prepare({ execute }) {
    await execute(`
      with made as (
        select n, nextval(pg_get_serial_sequence('category', 'entity_id')) as id from generate_series(1,
          ${categoryCount}) n
      ), placed as (
        select m.id, m.n, d.id as department from made m left join made d on d.n = m.n % ${departments} + 1
          and m.n > ${departments}
      )
      insert into category (entity_id, parent_id, path, level, position, name, custom_attributes)
      select id, coalesce(department, 2), '1/2/' || coalesce(department || '/', '') || id,
        case when department is null then 2 else 3 end, n, 'Category ' || n,
        jsonb_build_object('url_key', 'category-' || n, 'is_anchor', '1', 'description', repeat('Fine goods. ', 6))
      from placed`);
    await execute('analyze category');
  },
  subjectOf: () => 0,
};

/** An importer that asks how an attribute of the shop's own is entered. */
const readAttribute: Scenario = {
  name: 'attribute read',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: () => ({ method: 'GET', path: '/V1/products/attributes/colour' }),
  async prepare({ send }) {
    const attribute = { attribute_code: 'colour', frontend_input: 'text', default_frontend_label: 'Colour' };
    await send({ method: 'POST', path: '/V1/products/attributes', body: { attribute } });
  },
  subjectOf: () => 0,
};

/** No other kind of id has this value, so a replay can find sales among all ids. */
const firstSale = 920_000_001;
const saleId = (sale: number) => `sale-${sale}`;

const receiptOf = (sale: number) => ({
  sale_id: saleId(sale),
  terminal_id: firstIds.pos_terminal,
  location_id: firstIds.pos_location,
  staff_name: 'Ada',
  payment_method: 'cash',
  subtotal: 30,
  tax_amount: 2.4,
  discount_amount: 0,
  grand_total: 32.4,
  currency: 'USD',
  created_at: '2026-11-21 10:00:00',
  amount_tendered: 40,
  change_due: 7.6,
  items: [1, 2, 3].map((line) => ({
    sku: `SKU-0000${line}`,
    name: `Product number ${line}`,
    qty: 1,
    price: 10,
    row_total: 10,
  })),
});

const post = (path: string, body: object): BenchRequest => ({ method: 'POST', path, body });

/** What a register does for every sale: receipt, order, invoice and shipment. Four requests, one after the other. */
const saleChain: Scenario = {
  name: 'sale: receipt, order, invoice, shipment',
  loads: [
    { connections: 1, atLeast: null, atMost: 1.5 },
    { connections: 8, atLeast: null, atMost: 1.5 },
  ],
  async prepare({ execute }) {
    await execute(
      `with license as (insert into pos_license (license_type) values ('pro') returning license_id)
       update pos_terminal set license_id = license.license_id from license
         where terminal_id = ${firstIds.pos_terminal}`,
    );
  },
  request: (sale) => post('/V1/pos/receipts', { receipt: receiptOf(sale) }),
  next(sale, [_receipt, order, invoice, shipment]) {
    if (order === undefined) return post('/V1/orders', { entity: orderOf(saleId(sale)) });
    const orderId: unknown = Reflect.get(Object(order), 'entity_id');
    if (invoice === undefined) return post(`/V1/order/${String(orderId)}/invoice`, { capture: true });
    const from = { arguments: { extension_attributes: { source_code: 'floor' } } };
    return shipment === undefined ? post(`/V1/order/${String(orderId)}/ship`, from) : undefined;
  },
  subjectOf: (n) => firstSale + n,
  edit: (recorded, sale) =>
    recorded.map(({ text, values, rows }) => ({
      text: withOwnToken(text, sale),
      values: values.map((value) => (typeof value === 'string' ? withOwnToken(value, sale) : value)),
      rows,
    })),
};

/** The token of a receipt's page is random and unique, so a replay makes it from the sale. */
const withOwnToken = (text: string, sale: number) => text.replaceAll(/\b[0-9a-f]{64}\b/g, `${sale}`.padStart(64, 'f'));

/** A thousand registers that send heartbeats. */
const heartbeat: Scenario = {
  name: 'heartbeat',
  loads: [
    { connections: 16, atLeast: 0.6 },
    { connections: 256, atLeast: 3 },
  ],
  request: (terminalId) => ({
    method: 'POST',
    path: `/V1/pos/terminals/${terminalId}/heartbeat`,
    body: { deviceIdentifier: `till-${terminalId}` },
  }),
  subjectOf: (n) => firstIds.pos_terminal + (n % terminalCount),
};

/** A register that fetches the catalog: a hundred products and their total. */
const listProducts: Scenario = {
  name: 'product list of 100',
  loads: [{ connections: 16, atLeast: null }],
  request: () => ({ method: 'GET', path: '/V1/products?searchCriteria[pageSize]=100&searchCriteria[currentPage]=1' }),
  subjectOf: () => 0,
};

/** How many orders are read in turn; created before the measurement. */
export const orderCount = 200;

/** A register that looks up a sale. */
const readOrder: Scenario = {
  name: 'order read',
  loads: [{ connections: 16, atLeast: null }],
  request: (orderId) => ({ method: 'GET', path: `/V1/orders/${orderId}` }),
  async prepare({ send }) {
    for (let n = 0; n < orderCount; n++) {
      await send({ method: 'POST', path: '/V1/orders', body: { entity: orderOf(`read-${n}`) } });
    }
  },
  subjectOf: (n) => firstIds.sales_order + (n % orderCount),
};

const firstBatch = 920_000_001;
const events = 500;
const recordedAt = new Date(Date.now() - 3_600_000).toISOString();

/** A register's telemetry of a busy hour, beside the insert of the same rows. */
const telemetryBatch: Scenario = {
  name: `telemetry batch of ${events}`,
  loads: [{ connections: 8, atLeast: 0.6 }],
  request: (batch) => ({
    method: 'POST',
    path: '/V1/pos/telemetry',
    body: {
      payload: {
        location_id: 7,
        terminal_id: 7,
        device_id: `till-${batch}`,
        app_version: '5.1.0',
        events: Array.from({ length: events }, (_, n) => ({
          event_type: 'counter',
          event_name: 'checkout_completed',
          event_data: { basket: n, tender: 'cash', lines: n % 9 },
          value: 1 + (n % 90),
          period: '2026-11-21T10',
          recorded_at: recordedAt,
        })),
      },
    },
  }),
  subjectOf: (n) => firstBatch + n,
  // A known batch is not stored again, so each gets a separate digest.
  edit: (recorded, batch) =>
    recorded.map((one) =>
      one.text.includes('pos_telemetry_batch') ? { ...one, values: [`digest-${batch}`, ...one.values.slice(1)] } : one,
    ),
};

const path = (terminalId: number) => `/V1/pos/terminals/${terminalId}/config`;
const subjectOf = (n: number) => firstIds.pos_terminal + (n % terminalCount);

/** Registers of twenty locations start while nothing has changed, beside the same bytes without a database. */
const warmTerminalConfig: Scenario = {
  name: 'terminal config, warm',
  loads: [{ connections: 16, atLeast: null, atMost: 1.5 }],
  request: (terminalId) => ({ method: 'GET', path: path(terminalId) }),
  subjectOf,
  plain: 'static',
};

/**
 * The same beside a route that reads one row with a prepared statement and answers the same bytes: the minimum for an
 * answer that is never outdated. Concurrent requests share their reads, so it can be beaten.
 */
const warmTerminalConfigBesideRead: Scenario = {
  ...warmTerminalConfig,
  name: 'terminal config, warm, beside one read',
  loads: [{ connections: 16, atLeast: null }],
  plain: 'read',
  edit: (_recorded, terminalId) => [
    {
      text: 'select terminal_id, config_overrides from pos_terminal where terminal_id = $1',
      values: [terminalId],
      rows: [],
    },
  ],
};

/** The same with everything read again, beside the same statements and the same answer encoded twice. */
const coldTerminalConfig: Scenario = {
  name: 'terminal config, cold',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: (terminalId) => ({ method: 'GET', path: path(terminalId), headers: { 'cache-control': 'no-cache' } }),
  subjectOf,
  plain: 'encoded',
};

/** What a cart of twelve lines may spend of its customer's store credit. */
export const applicableCredit: Scenario = {
  name: 'credits applicable',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  // The first reader of a row writes hint bits and visibility; that is not caused by this read.
  prepare: async ({ execute }) => void (await execute('vacuum analyze')),
  readsOnly: true,
  request: (customerId) => ({
    method: 'POST',
    path: '/V1/pos/credits/applicable',
    body: {
      credit_type: 'store_credit',
      customer_id: customerId,
      store_id: 1,
      subtotal: 120,
      subtotal_incl_tax: 129.6,
      tax_amount: 9.6,
      grand_total: 129.6,
      lines: Array.from({ length: 12 }, (_, line) => ({
        sku: `SKU-0000${line}`,
        qty: 1,
        row_total: 10,
        row_total_incl_tax: 10.8,
      })),
    },
  }),
  subjectOf: customerOf,
};

const sales: { orderId: number; orderItemId: number }[] = [];
const saleCount = 50;

const lineOf = (orderId: unknown) => sales.find((sale) => sale.orderId === orderId)?.orderItemId;

/** A cashier's preview of a refund. */
const previewRefund: Scenario = {
  name: 'refund preview',
  loads: [{ connections: 16, atLeast: null }],
  async prepare({ send }) {
    for (let n = 0; n < saleCount; n++) {
      const entity = orderOf(`previewed-${n}`);
      const { answer } = await send({ method: 'POST', path: '/V1/orders', body: { entity } });
      const { entity_id: orderId, items } = answer as { entity_id: number; items: { item_id: number }[] };
      await send({ method: 'POST', path: `/V1/order/${orderId}/invoice`, body: { capture: true } });
      sales.push({ orderId, orderItemId: items[0]?.item_id ?? 0 });
    }
  },
  request: (orderId) => ({
    method: 'POST',
    path: '/V1/pos/refunds/preview',
    body: { orderId, items: JSON.stringify([{ order_item_id: lineOf(orderId), qty: 1 }]) },
  }),
  subjectOf: (n) => sales[n % saleCount]?.orderId ?? 0,
};

/** Every path that is measured beside its own statements, in the order of the report. */
export const allScenarios: readonly Scenario[] = [
  listProducts,
  readOrder,
  createOrder,
  createLargeOrder,
  listCategories,
  readAttribute,
  saleChain,
  heartbeat,
  warmTerminalConfig,
  warmTerminalConfigBesideRead,
  coldTerminalConfig,
  holdCart,
  recallCart,
  listHeldCarts,
  unchangedHeldCarts,
  telemetryBatch,
  previewRefund,
  applicableCredit,
  validateCustomer,
  customerPrices,
  blockQuery,
  postedBlockQuery,
  receiptPage,
  receiptPageBesideCounting,
  receiptPageWithCodes,
  ...opsPages,
];
