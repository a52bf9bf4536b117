import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { createCompression, createDocsSite, encodingOf } from '../../../api/http/pages.ts';
import { maxStrangersBytes } from '../../../api/http/middleware/body.ts';
import { route } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { createOrm } from '../../../db/orm.ts';
import { moduleVersion } from '../../../domain/configuration/setting-defaults.ts';
import { documentsOf } from '../../house/documents.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { waiting, whileHeld } from '../../support/books/held.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { impatient } from '../../support/database.ts';
import { useApi } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('docs markdown', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  /** Every document, as it is served. */
  const guide = [...documentsOf('docs'), 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((file) => `/${file}`);

  test('llms.txt leads to every document, and to the requests for Bruno, without a token', async () => {
    const { headers, body } = await api.call('GET', '/llms.txt');
    const paths = [...String(body).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    const answers = await Promise.all(paths.map((path) => api.call('GET', path)));

    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(paths.toSorted()).toEqual([...guide, '/docs/routes.md', '/openapi.json', '/docs/bruno.zip'].toSorted());
    const types = { md: 'text/markdown', json: 'application/json', zip: 'application/zip' };
    const typeOf = (path: string) => types[path.split('.').at(-1) as keyof typeof types];
    expect(
      answers.map(({ status, headers: received }) => [status, received.get('content-type')?.split(';')[0]]),
    ).toEqual(paths.map((path) => [200, typeOf(path)]));
    // What the guide's first page says of a page is said here too.
    expect(body).toContain('- [/docs/registers/hold.md](/docs/registers/hold.md): Hold a cart: parked, listed');
  });

  test('the documents are served unchanged, also under the names that clients know, and no others', async () => {
    const served = async (path: string) => (await api.call('GET', path)).body;
    for (const page of guide) expect(await served(page)).toBe(readFileSync(page.slice(1), 'utf8'));
    expect(await served('/docs/registers.md')).toBe(readFileSync('docs/registers/README.md', 'utf8'));
    expect(await served('/docs/changelog.md')).toBe(readFileSync('CHANGELOG.md', 'utf8'));
    for (const path of [
      '/docs/README.md',
      '/docs/../README.md',
      '/docs/%2e%2e/README.md',
      '/llms.txt/',
      '/docs/nothing.md',
    ])
      expect((await api.call('GET', path)).status).toBe(404);
  });

  test('the list of routes has every route with its arguments', async () => {
    const { body } = await api.call('GET', '/docs/routes.md');
    for (const { method, path, summary } of routes) expect(body).toContain(`| ${method} | \`${path}\` | ${summary} |`);
  });

  /** Those that say what the interface has, or what is not there. */
  const namesMore = (file: string) =>
    file.startsWith('docs/interface/') ||
    ['docs/reference/limits.md', 'docs/reference/platform-routes.md'].includes(file);

  test('the routes that the documents name exist', () => {
    const documents = [...documentsOf('docs').filter((file) => !namesMore(file)), 'CHANGELOG.md'];
    const text = documents.map((file) => readFileSync(file, 'utf8')).join('\n');
    const named = [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/V1\/[\w/:-]+)`/g)].map(([, method, path]) => [
      method,
      path,
    ]);
    expect(named.length).toBeGreaterThan(8);
    const shapeOf = (path = '') => path.replaceAll(/:\w+|(?<=\/)\d+(?=\/|$)/g, ':id');
    const known = new Set(routes.map(({ method, path }) => `${method} ${shapeOf(path)}`));
    expect(named.filter(([method, path]) => !known.has(`${method} ${shapeOf(path)}`))).toEqual([]);
  });

  test('the module version that registers get has its entry', () => {
    expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(
      new RegExp(`^## .*module version ${moduleVersion.replaceAll('.', '\\.')}\\b`, 'm'),
    );
  });
});

describe('docs site', () => {
  const site = createDocsSite(routes, { title: 'Point of sale', version: '1.3.0' });

  /** A tenth of a second on a mobile line of 9 Mbit/s. */
  const mostOverTheLine = 40_000;

  const textAt = async (path: string) => String((await site.page(path))!.body);
  const shownIn = (page: string) => [...page.matchAll(/<details id="(\w+)"/g)].map(([, name]) => String(name));

  test('the first page has a line for every operation under its chapter, and nothing that holds it up', async () => {
    const page = await textAt('/docs');
    expect(shownIn(page).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
    expect(page.indexOf('id="settleReturn"')).toBeGreaterThan(page.indexOf('<section id="return">'));
    expect(page).not.toMatch(/rel="stylesheet"|<script(?![^>]* defer)/);
    expect((await createCompression()('/docs', page, 'gzip')).length).toBeLessThan(mostOverTheLine);
  });

  test('what an operation says is on the page of its chapter, which the first page fetches when one is opened', async () => {
    const links = [...(await textAt('/docs')).matchAll(/href="(\/docs\/[a-z-]+\.html)"/g)].map(([, path = '']) => path);
    const pages = await Promise.all(links.map(textAt));
    expect(pages.flatMap(shownIn).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
    expect(await textAt('/docs/return.html')).toContain('Receive it first.');
    expect(await textAt('/docs/return.html')).toContain('-X POST &quot;$POS/rest/V1/pos/rma/');
    expect(await textAt('/docs/index.js')).toContain(`fetch('/docs/' + chapter + '.html')`);
  });

  test('the page of a chapter shows the fields that its operations take and answer, without a script', async () => {
    const page = await textAt('/docs/sell.html');
    expect(page).toContain(
      '<code>request.<wbr>skus</code></td><td>list of string (at most 255), at most 500000, <b>needed</b>',
    );
    // An object that several operations share stands once, and each leads to it.
    expect(page).toContain('href="/docs/sell.html#shape-OrderItem"');
    expect(page.match(/id="shape-OrderItem"/g)).toHaveLength(1);
    const document = JSON.parse(await textAt('/docs/sell.json')) as { components: { schemas: Record<string, object> } };
    const { Order: order } = document.components.schemas as Record<string, { properties: object }>;
    for (const name of Object.keys(order!.properties)) expect(page).toContain(`<code>${name}</code>`);
  });

  test('every operation has a call to copy', async () => {
    const links = [...(await textAt('/docs')).matchAll(/href="(\/docs\/[a-z-]+\.html)"/g)].map(([, path = '']) => path);
    for (const page of await Promise.all(links.map(textAt)))
      for (const operation of page.split('<details ').slice(1)) expect(operation).toContain('curl -g');
    expect(await textAt('/docs/index.js')).toContain("replaceAll('$POS', location.origin)");
  });

  test('the search finds an operation by its path, its purpose, its refusals and its examples', async () => {
    const texts = JSON.parse(await textAt('/docs/search.json')) as Record<string, string>;
    expect(Object.keys(texts).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
    for (const word of ['/v1/pos/rma/:rmaid/settle', 'give the money back', 'gateway_uncertain', '"method":"cash"'])
      expect(texts['settleReturn']).toContain(word);
  });

  test('a chapter has a document of its own, with all that its operations lead to and nothing else', async () => {
    const { body } = (await site.page('/docs/layaway.json'))!;
    const document = JSON.parse(String(body)) as { paths: object; components: { schemas: object } };
    expect(Object.keys(document.paths)).toEqual([
      '/rest/V1/pos/layaways/{orderId}/payments',
      '/rest/V1/pos/layaways/{orderId}/cancel',
    ]);
    const named = [...String(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
    expect(Object.keys(document.components.schemas).toSorted()).toEqual([...new Set(named)].toSorted());
  });

  test('an unknown chapter has no page', async () => {
    expect(await site.page('/docs/constructor')).toBeUndefined();
    expect(await site.page('/docs/nothing.json')).toBeUndefined();
  });

  test('a page goes over the line as small as its reader takes it', async () => {
    const compressed = createCompression();
    const text = 'the same again '.repeat(500);
    expect([
      encodingOf('gzip, deflate, br'),
      encodingOf('gzip'),
      encodingOf('identity'),
      encodingOf(undefined),
    ]).toEqual(['br', 'gzip', undefined, undefined]);
    expect(brotliDecompressSync(await compressed('/a', text, 'br')).toString()).toBe(text);
    expect(gunzipSync(await compressed('/a', text, 'gzip')).toString()).toBe(text);
  });
});

describe('held order', () => {
  let api: TestApi;
  /** Another process beside the API, with its own connections. */
  let beside: MikroORM;
  beforeAll(async () => {
    api = await testApi({ limits: impatient });
    beside = await createOrm(String(api.orm.config.get('clientUrl')));
    await aShop(fork());
  });
  afterAll(async () => {
    await beside.close();
    await api.close();
  });

  const books = booksOf(() => beside);
  const { fork, howMany } = books;

  const anOrderId = async () => (await anOrder(fork())).orderId;
  const ask = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const comment = (orderId: number) =>
    ask('POST', `/V1/orders/${orderId}/comments`, { statusHistory: { comment: 'the box is open' } });

  const commentsOf = (orderId: number) =>
    howMany('sales_order_status_history', { comment: 'the box is open', parent_id: orderId });

  /** Another process holds the order until `work` is done. */
  const held = <Result>(orderId: number, work: () => Promise<Result>): Promise<Result> =>
    whileHeld(books, 'sales_order', { entity_id: orderId }, work);

  test('an order locked for long stops no other request, and requests for it are asked to come again', async () => {
    const [locked, other] = [await anOrderId(), await anOrderId()];

    const answers = await held(locked, async () => {
      const writes = atOnce(24, () => comment(locked));
      await waitUntil('somebody waits for the order', async () => (await waiting(books)) > 0);
      // Of one process, no more than two connections ever wait for the same order.
      expect(await waiting(books)).toBeLessThanOrEqual(2);
      const others = await Promise.all([
        ask('GET', `/V1/orders/${other}`),
        ask('GET', `/V1/orders/${locked}`),
        comment(other),
        ask('GET', '/health/ready'),
      ]);
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      return writes;
    });

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
    expect(await commentsOf(locked)).toBe(0);
    expect((await comment(locked)).status).toBe(200);
    expect(api.faults).toEqual([]);
  });

  test('a crowd at one order is served one after the other, each once', async () => {
    const orderId = await anOrderId();

    /** Who waits for longer than these short limits is asked to come again, and does. */
    const persistently = async () => {
      const statuses: number[] = [];
      while (statuses.at(-1) !== 200 && statuses.length < 100) statuses.push((await comment(orderId)).status);
      return statuses;
    };

    const answers = await atOnce(30, persistently);

    expect(answers.map((statuses) => statuses.at(-1))).toEqual(answers.map(() => 200));
    expect(answers.flat().filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await commentsOf(orderId)).toBe(30);
  });
});

describe('lists and objects', () => {
  /** What a caller hears who sends an object for a list, a list for an object, or one value for either. */
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const post = (path: string, body: unknown) =>
    api.call('POST', path.startsWith('/') ? path : `/V1/${path}`, { token: api.tokens.admin, body });
  const line = { order_item_id: 1, qty: 1 };
  const item = { sku: 'MUG', source_code: 'floor', quantity: 1, status: 1 };
  const within = (...names: string[]) => names.map((name) => `Error occurred during "${name}" processing. `).join('');
  const wrong = (value: string, type: string) =>
    `The "${value}" value's type is invalid. The "${type}" type was expected. Verify and try again.`;

  test.each([
    ['lines of an order', 'orders', (items: unknown) => ({ entity: { items } }), within('items'), { sku: 'MUG' }],
    ['quantities', 'inventory/source-items', (sourceItems: unknown) => ({ sourceItems }), '', item],
    [
      'chosen options of a cart',
      'guest-carts/none/items',
      (configurable_item_options: unknown) => ({
        cartItem: {
          ...{ sku: 'MUG', qty: 1 },
          product_option: { extension_attributes: { configurable_item_options } },
        },
      }),
      within('product_option', 'extension_attributes', 'configurable_item_options'),
      { option_id: '1', option_value: 1 },
    ],
    [
      'rows of a return',
      'pos/rma/process',
      (rows: unknown) => ({ orderId: 1, resolution: 'refund', items: JSON.stringify(rows) }),
      '',
      line,
    ],
  ])('%s are a list', async (_case, path, bodyOf, where, one) => {
    const said = async (value: unknown) => {
      const { status, body } = await post(path, bodyOf(value));
      return { status, message: body.message };
    };
    expect(await said(one)).toEqual({ status: 400, message: where + wrong('object', 'array') });
    expect(await said('x')).toEqual({ status: 400, message: where + wrong('x', 'array') });
    expect(await said(5)).toEqual({ status: 400, message: where + wrong('5', 'array') });
    expect(await said([[one]])).toEqual({ status: 400, message: where + wrong('array', 'object') });
  });

  test.each(['refund', 'invoice', 'ship'])('the goods to %s are a list, or an object of lines', async (verb) => {
    const said = async (items: unknown) => {
      const { status, body } = await post(`order/1/${verb}`, { items });
      return { status, message: body.message };
    };
    expect(await said(line)).toEqual({ status: 400, message: wrong('1', 'object') });
    expect(await said('x')).toEqual({ status: 400, message: wrong('x', 'array') });
    expect(await said([[line]])).toEqual({ status: 400, message: wrong('array', 'object') });
    expect(await said({ first: line })).toEqual(await said([line]));
  });

  test.each([
    ['an order', 'orders', (entity: unknown) => ({ entity })],
    ['an invoice', 'invoices', (entity: unknown) => ({ entity })],
    ['a line of a cart', 'guest-carts/none/items', (cartItem: unknown) => ({ cartItem })],
    ['what a refund adds', 'order/1/refund', (given: unknown) => ({ arguments: given })],
  ])('%s is an object', async (_case, path, bodyOf) => {
    const said = async (value: unknown) => (await post(path, bodyOf(value))).body.message;
    expect(await said([line])).toBe(wrong('array', 'object'));
    expect(await said('x')).toBe(wrong('x', 'object'));
    expect(await said(true)).toBe(wrong('1', 'object'));
  });

  test('an operation of a bulk says it in the same words, and a bulk is a list', async () => {
    const bulk = '/rest/async/bulk/V1/order/byOrderId/refund';
    const { status, body } = await post(bulk, [{ orderId: 1, items: line }]);
    expect({ status, items: body.request_items }).toMatchObject({
      status: 202,
      items: [{ status: 'rejected', error_message: wrong('1', 'object') }],
    });
    expect(await post(bulk, { items: [line] })).toMatchObject({
      status: 400,
      body: { message: 'A bulk is a list of objects, one for each operation.' },
    });
  });
});

describe('numbers in filters', () => {
  /** Numbers in a filter are compared as numbers, also with a column of whole ones: in every list alike. */
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(api.orm.em.fork());
    for (let sale = 0; sale < 2; sale++) await anOrder(api.orm.em.fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const lists = [
    ['orders', 'entity_id'],
    ['orders', 'store_id'],
    ['orders/items', 'item_id'],
    ['invoices', 'entity_id'],
    ['invoices', 'state'],
    ['creditmemos', 'entity_id'],
    ['shipments', 'entity_id'],
    ['transactions', 'transaction_id'],
    ['products', 'entity_id'],
    ['products', 'status'],
    ['customers/search', 'entity_id'],
    ['customerGroups/search', 'id'],
    ['carts/search', 'entity_id'],
    ['salesRules/search', 'rule_id'],
    ['coupons/search', 'coupon_id'],
    ['taxRates/search', 'id'],
    ['taxRules/search', 'id'],
    ['taxClasses/search', 'class_id'],
    ['inventory/source-items', 'status'],
    ['inventory/stocks', 'stock_id'],
    ['categories/list', 'entity_id'],
    ['cmsPage/search', 'page_id'],
    ['cmsBlock/search', 'block_id'],
    ['pos/terminals', 'location_id'],
    ['pos/locations', 'location_id'],
    ['pos/receipts', 'terminal_id'],
  ] as const;

  const filtered = async (
    path: string,
    filters: readonly (readonly [field: string, value: string, type: string])[],
  ) => {
    const query = filters.flatMap(([field, value, condition_type], at) =>
      Object.entries({ field, value, condition_type }).map(
        ([key, text]) => `searchCriteria[filter_groups][0][filters][${at}][${key}]=${encodeURIComponent(text)}`,
      ),
    );
    const { status, body } = await api.call('GET', `/V1/${path}?${query.join('&')}`, { token: api.tokens.admin });
    return status === 200 ? Number(body.total_count ?? body.length) : { status, ...body };
  };

  test.each(lists)('%s by %s', async (path, field) => {
    const count = (value: string, type: string) => filtered(path, [[field, value, type]]);
    const all = await count('-1e3', 'gt');
    expect(all).toEqual(expect.any(Number));
    const ones = await count('1', 'eq');
    expect([await count('1e0', 'eq'), await count('10E-1', 'in'), await count(' 1.00', 'eq')]).toEqual([
      ones,
      ones,
      ones,
    ]);
    expect([await count('1.5', 'eq'), await count('1.5,.25', 'in')]).toEqual([0, 0]);
    expect([await count('1.5', 'neq'), await count('1.5,0.25', 'nin'), await count('1e200', 'lt')]).toEqual([
      all,
      all,
      all,
    ]);
    expect(await count('1.5,1e0', 'in')).toBe(ones);
    expect(await count('1.5', 'gt')).toBe(await count('2', 'gteq'));
    expect(await count('1.5', 'lteq')).toBe(await count('1', 'lteq'));
    expect(
      await filtered(path, [
        [field, '0.5', 'from'],
        [field, '1.5', 'to'],
      ]),
    ).toBe(ones);
  });
});

describe('pages', () => {
  const api = useApi({ routes: [], settings: { POS_SECRET_KEY: secretKey } });
  const get = (path: string, headers: Record<string, string> = {}) => api.call('GET', path, { headers });

  describe('outside /rest', () => {
    test('the process is alive, and ready when every part is well', async () => {
      expect((await get('/health/live')).body).toEqual({ status: 'ok' });
      expect(await get('/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } });
    });

    test('the door says what this is, how the service is, and where each reader goes on', async () => {
      const { headers, body } = await get('/');
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
      expect(body).toContain('Ready: the database and Temporal answer.');
      for (const door of ['You build a register', 'You run the shop', 'You run the servers', 'You change the code'])
        expect(body).toContain(`<h2>${door}</h2>`);
    });

    test('no page of ours has a script or a handler in it', async () => {
      for (const path of ['/', '/docs', '/docs/guide', '/docs/guide/registers/first-sale', '/docs/graphql'])
        expect((await get(path)).body).not.toMatch(/<script(?![^>]* src=)|\son\w+="|javascript:/);
    });

    test.each(['/docs', '/docs/graphql'])('the page %s needs nothing from elsewhere', async (at) => {
      const page = await get(at);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      // A link to a place on the page itself is fine; an address in an example is not a link.
      const linked = [...String(page.body).matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, file]) => file!);
      for (const file of new Set(linked)) {
        expect(file).toMatch(/^\/(?!\/)/);
        expect((await get(file)).status).toBe(200);
      }
      for (const path of [
        '/docs/index.html',
        '/docs/../package.json',
        '/docs/%2e%2e/package.json',
        '/docs/constructor',
        '/docs/graphql/constructor',
        '/docs/graphql/../../package.json',
        '/docs/graphqlx',
      ])
        expect((await get(path)).status).toBe(404);
    });
  });

  test('the page of published content asks our own GraphQL, and its styles bring their fonts along', async () => {
    expect((await get('/docs')).body).toContain('href="/docs/graphql"');
    expect((await get('/docs/graphql/start.js')).body).toContain("createFetcher({ url: '/graphql' })");
    expect((await get('/docs/graphql/graphiql.min.js')).body).toContain('createFetcher');
    expect((await get('/docs/graphql/graphiql.min.css')).body).not.toMatch(/url\(["']?(?!["']?data:)|@import/);
    expect((await get('/docs/graphql')).headers.get('content-security-policy')).toContain("connect-src 'self'");
  });
});

describe('strangers', () => {
  const measure = (acl: 'anonymous' | 'self', path: `/V1/${string}`) =>
    route({
      method: 'POST',
      path,
      acl,
      summary: 'Measures a document',
      largestBody: 2_000_000,
      body: z.object({ document: z.string() }),
      response: z.number(),
      handle: async ({ body }) => body.document.length,
    });

  const api = useApi({ routes: [measure('anonymous', '/V1/documents'), measure('self', '/V1/documents/mine')] });
  beforeAll(() => aShop(api.orm.em.fork()));

  const send = (path: string, letters: number, token?: string) =>
    api.call('POST', path, { body: { document: 'x'.repeat(letters) }, ...(token === undefined ? {} : { token }) });
  const tooLarge = {
    status: 413,
    body: { message: 'The request body must not be larger than %1 bytes.', parameters: [maxStrangersBytes] },
  };

  test('who has no token of the shop sends 64 KB at most; whom the shop let in, as much as the route takes', async () => {
    const customer = await api.customerToken(await aCustomer(api.orm.em.fork()));
    for (const [path, token] of [
      ['/V1/documents', undefined],
      ['/V1/documents', 'nobody-has-this-token'],
      ['/V1/documents', customer],
      ['/V1/documents/mine', customer],
    ] as const) {
      expect(await send(path, maxStrangersBytes, token)).toMatchObject(tooLarge);
      expect(await send(path, maxStrangersBytes - 100, token)).toMatchObject({ status: 200 });
    }
    for (const token of [api.tokens.register, api.tokens.admin])
      expect(await send('/V1/documents', 1_500_000, token)).toMatchObject({ status: 200, body: 1_500_000 });
  });
});
