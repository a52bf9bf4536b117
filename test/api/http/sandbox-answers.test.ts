import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGuessLimit, mostFailures } from '../../../api/http/sign-in.ts';
import { reservedWords } from '../../../api/http/pages.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { credentials } from '../../../local/demo-shop/stores.ts';
import { centsTable } from '../../../local/simulators/gateway/records.ts';
import { troubles } from '../../../local/trouble/make-trouble.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';
import { pageSample } from '../../support/page-sample.ts';

describe('guess limit', () => {
  /** A limit whose clock stands until it is moved. */
  function aLimit() {
    let now = 0;
    const limit = createGuessLimit(() => now);
    const count = (address: string) => limit.count(address);
    const forget = (address: string) => limit.forget(address);
    const fail = (address: string, times = 1) => {
      for (let time = 0; time < times; time++) limit.count(address);
    };
    return { count, forget, fail, later: (ms: number) => (now += ms) };
  }
  const tooMany = expect.objectContaining({ status: 503 });

  test('so many failures of one address are let through, then one each second; others are left alone', () => {
    const { fail, later } = aLimit();
    fail('10.0.0.1', mostFailures);
    expect(() => fail('10.0.0.1')).toThrow(tooMany);
    fail('10.0.0.2');
    later(1_000);
    fail('10.0.0.1');
    expect(() => fail('10.0.0.1')).toThrow(tooMany);
  });

  test('a shop full of people behind one address signs in as often as it likes', () => {
    const { count, forget } = aLimit();
    for (let person = 0; person < 10 * mostFailures; person++) {
      count('192.0.2.7');
      forget('192.0.2.7');
    }
    expect(() => count('192.0.2.7')).not.toThrow();
  });

  test('who has a whole network of IPv6 is one caller', () => {
    const { fail } = aLimit();
    for (let host = 0; host < mostFailures; host++) fail(`2001:db8:0:1::${host.toString(16)}`);
    expect(() => fail('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toThrow(tooMany);
    expect(() => fail('2001:db8:0:2::1')).not.toThrow();
  });

  test('of more addresses than it remembers it forgets the one that was quiet for longest', () => {
    const { fail } = aLimit();
    fail('old', mostFailures);
    for (let at = 0; at < 10_000; at++) fail(`later ${at}`);
    expect(() => fail('old')).not.toThrow();
  });
});

describe('not served', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const here = (path: string) => !routes.some((route) => route.method === 'GET' && route.path === path);

  test.each(reservedWords.filter(here))('%s is no route, and never read as the name of something', async (path) => {
    expect(await api.call('GET', path, { token: api.tokens.admin })).toMatchObject({
      status: 404,
      body: { message: 'Request does not match any route.' },
    });
  });

  test.each(['/V1/customers/me', '/V1/customers/validate', '/V1/products/types'])(
    'DELETE %s deletes nothing',
    async (path) => {
      expect((await api.call('DELETE', path, { token: api.tokens.admin })).body).toEqual({
        message: 'Request does not match any route.',
      });
    },
  );

  test.each(['links', 'cost', 'media', 'options'])('a product may be called %s', async (sku) => {
    const call = (method: string, path: string, body?: object) =>
      api.call(method, path, { token: api.tokens.admin, body });
    await call('POST', '/V1/products', { product: { sku, name: 'Cup', price: 1 } });
    expect((await call('GET', `/V1/products/${sku}`)).body).toMatchObject({ sku, name: 'Cup' });
    expect((await call('PUT', `/V1/products/${sku}`, { product: { name: 'Mug' } })).body).toMatchObject({
      sku,
      name: 'Mug',
    });
    const types = await call('GET', `/V1/products/${sku}/types`);
    // The types of options and of links are routes of their own.
    const isServed = !here(`/V1/products/${sku}/types`);
    expect(types.body).toEqual(isServed ? expect.any(Array) : { message: 'Request does not match any route.' });
    expect((await call('DELETE', `/V1/products/${sku}`)).body).toBe(true);
  });
});

describe('route sample', () => {
  interface Sample {
    countOpenReturnsRoute: AnyRoute;
  }

  let api: TestApi;
  const books = booksOf(() => api.orm);
  beforeAll(async () => {
    const sample = await pageSample<Sample>('docs/extend/route.md');
    api = await testApi({ routes: [sample.countOpenReturnsRoute] });
  });
  afterAll(() => api.close());

  test('the sample of docs/extend/route.md counts the open returns of a location', async () => {
    const { locationId } = await aShop(books.fork());
    const [{ returnId: open }, { returnId: over }] = [await aRequestedReturn(api.orm), await aRequestedReturn(api.orm)];
    await books.change('sale_return', { return_id: [open, over] }, { location_id: locationId });
    await books.change('sale_return', { return_id: over }, { status: 'closed' });
    const ask = (id: number, token?: string) =>
      api.call('GET', `/V1/pos/locations/${id}/open-returns`, token === undefined ? {} : { token });

    expect(await ask(locationId, api.tokens.register)).toMatchObject({
      status: 200,
      body: { location_id: locationId, open: 1 },
    });
    expect(await ask(404, api.tokens.register)).toMatchObject({ body: { location_id: 404, open: 0 } });
    expect(await ask(locationId)).toMatchObject({ status: 401 });
  });
});

describe('sandbox answers', () => {
  const page = readFileSync('docs/sandbox.md', 'utf8');

  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  test('the page lists every outcome of the cents, every trouble and every code of the demo shop', () => {
    for (const { cents, outcome } of centsTable)
      expect(page).toMatch(new RegExp(`^\\| \`\\.${cents}\`.*\`${outcome}\``, 'm'));
    for (const trouble of Object.keys(troubles)) expect(page).toContain(`| \`${trouble}\``);
    for (const { activationCode } of credentials.terminals) expect(page).toContain(`\`${activationCode}\``);
    for (const word of [credentials.giftCard.code, 'LANTERN10', 'hangs', 'drops', 'babbles', 'answers'])
      expect(page).toContain(word);
  });

  /** As the page says they are seen. */
  const answers: [number, () => Promise<{ status: number }>][] = [
    [400, () => send('POST', '/V1/orders', { body: { entity: { store_id: 1 } } })],
    [401, () => send('GET', '/V1/orders/1', { token: 'nobody' })],
    [404, () => send('GET', '/V1/orders/999999')],
    [413, () => send('POST', '/V1/orders', { body: { entity: { customer_note: 'x'.repeat(1_100_000) } } })],
    [401, thePasscodeAfterThreeWrongOnes],
  ];

  const send = (method: string, path: string, more: { token?: string; body?: unknown } = {}) =>
    api.call(method, path, { token: api.tokens.register, ...more });

  async function thePasscodeAfterThreeWrongOnes() {
    const { terminalId } = await aTerminal(api.orm.em.fork());
    const { email } = await aStaffMember(api.orm.em.fork());
    const signIn = (passcode: string) =>
      send('POST', '/V1/pos/staff/authenticate', { body: { email, passcode, terminalId } });
    for (let guess = 0; guess < 3; guess++) await signIn('wrong');
    return signIn('1234');
  }

  test.each(answers)('a %i is seen as the page says', async (status, ask) => {
    expect(page).toMatch(new RegExp(`^\\| ${status} `, 'm'));
    expect((await ask()).status).toBe(status);
  });
});
