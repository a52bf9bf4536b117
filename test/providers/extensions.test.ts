import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withRoutesOf } from '../../api/routes.ts';
import { uncertainRefunds } from '../../cli/uncertain-refunds.ts';
import { loadExtensions, noExtensions } from '../../providers/extensions.ts';
import { parseSettings } from '../../providers/settings.ts';
import { commandContextOf } from '../cli/support.ts';
import { testApi, type TestApi } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import { aShop } from '../support/builders/shop.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { writeSamples } from '../support/page-sample.ts';
import { aRegister, type Register } from '../support/register.ts';

const folder = mkdtempSync(join(tmpdir(), 'extensions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A module of the shop's own, anywhere. */
function written(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

const loaded = (...paths: string[]) => loadExtensions(parseSettings({ POS_EXTENSIONS: paths.join(', ') }));

describe('the gateway of the guide, outside these sources', () => {
  let acme: Server;
  let asked: Record<string, unknown>[];
  let flow: Flow;
  let register: Register;
  beforeAll(async () => {
    asked = [];
    acme = createServer((request, response) => {
      // Look-ups find nobody.
      if (request.method !== 'POST') return response.socket?.destroy();
      return void text(request).then((body) => {
        const refund = { ...JSON.parse(body), key: request.headers['x-api-key'] } as Record<string, unknown>;
        asked.push(refund);
        if (refund['minor'] === 2000) return response.socket?.destroy();
        return response.end(JSON.stringify({ state: 'refunded', id: `acme-${asked.length}`, ...refund }));
      });
    });
    await new Promise<void>((resolve) => acme.listen(0, '127.0.0.1', resolve));
    process.env['ACME_URL'] = `http://127.0.0.1:${(acme.address() as AddressInfo).port}`;
    process.env['ACME_KEY'] = 'acme-key-1';
    const POS_EXTENSIONS = writeSamples(folder, 'docs/extend/gateway.md', 'docs/extend/README.md');
    flow = await aFlow({ settings: { POS_EXTENSIONS }, reconcileAfterSeconds: 0 });
    register = aRegister(flow);
  });
  afterAll(async () => {
    await flow.close();
    acme.close();
  });

  test('gives the money of a return back, once, and the books hold', async () => {
    const sale = await register.sale('10.00', { method: 'acme', lastTransId: 'pay_acme_1' });
    const answered = await register.returnOne(sale, { refundMethod: 'original_payment' });

    expect(answered).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(asked).toEqual([
      expect.objectContaining({ payment: 'pay_acme_1', minor: 1000, currency: 'USD', key: 'acme-key-1' }),
    ]);
    await booksOf(() => flow.api.orm).booksHold();
  });

  test('is one that doubts can be looked up at, for the operator too', async () => {
    const sale = await register.sale('20.00', { method: 'acme', lastTransId: 'pay_acme_2' });
    expect((await register.returnOne(sale, { refundMethod: 'original_payment' })).status).not.toBe(200);

    const { POS_EXTENSIONS } = flow.api.settings;
    const { json } = await uncertainRefunds(
      commandContextOf(flow.api.orm, { settings: parseSettings({ POS_EXTENSIONS }) }),
    );
    expect(json).toMatchObject([{ paymentMethod: 'acme', canLookUp: true }]);
  });

  test('gives nothing back for a payment without a reference', async () => {
    const sale = await register.sale('10.00', { method: 'acme', lastTransId: '' });
    expect((await register.returnOne(sale, { refundMethod: 'original_payment' })).status).toBe(400);
  });
});

describe('routes, profiles, prices and checks', () => {
  let api: TestApi;
  beforeAll(async () => {
    const code = `
      import { z } from '${import.meta.resolve('zod')}';
      export const routes = [{
        method: 'GET', path: '/V1/shop/greeting', acl: 'anonymous', summary: 'Says hello', response: z.object({ says: z.string() }),
        handle: async () => ({ says: 'Good morning' }),
      }];
      export const insights = [{ code: 'club', sections: () => [{ title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }] }];
      export const customerValidators = [{ key: 'club', label: 'Club', field: 'company', validate: () => [] }];
      export const prices = [{ code: 'club', resolve: async () => new Map() }];`;
    api = await testApi({ settings: { POS_EXTENSIONS: written('all.ts', code) } });
    await aShop(api.orm.em.fork());
  });
  afterAll(() => api.close());

  test('a route is served beside the product’s, and stands in the API document', async () => {
    expect(await api.call('GET', '/V1/shop/greeting')).toMatchObject({ status: 200, body: { says: 'Good morning' } });
    expect((await api.call('GET', '/V1/pos/locations', { token: api.tokens.register })).status).toBe(200);
    const document = await fetch(`${api.url}/openapi.json`).then((answer) => answer.text());
    expect(document).toContain('/V1/shop/greeting');
  });

  test('what else it exports comes after the product’s own', async () => {
    const { providers } = api;
    expect(providers.customerValidators.optional.at(-1)?.key).toBe('club');
    expect(providers.prices.at(-1)?.code).toBe('club');
    const question = { customerId: 1, deadline: new Date(Date.now() + 10_000) };
    expect(await providers.insights.sections(question, api.log)).toEqual([
      { provider: 'club', title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] },
    ]);
  });
});

describe('an extension that is wrong ends the start in one sentence', () => {
  test('nothing is named: there is none', async () => {
    expect(await loaded()).toEqual(noExtensions);
  });

  const member = `{ code: 'acme', paymentMethod: 'acme', baseUrl: '', account: ''`;
  test.each([
    [
      'a list under another name',
      'export const gateway = [];',
      /: it exports gateway; an extension exports gateways, /,
    ],
    ['no list', 'export const gateways = 7;', /: gateways must be a list\.$/],
    [
      'a gateway that cannot be opened',
      `export const gateways = [${member} }];`,
      /: gateways\[0\]\.open must be a function\.$/,
    ],
    [
      'a name with a blank',
      `export const gateways = [{ code: 'a b', paymentMethod: 'a', baseUrl: '', account: '', open() {} }];`,
      /: gateways\[0\]\.code must be small letters, digits and _\.$/,
    ],
    [
      'a route elsewhere',
      `export const routes = [{ method: 'GET', path: '/x' }];`,
      /: routes\[0\]\.path must begin with \/V1\/\.$/,
    ],
    ['a module that throws', `throw new Error('no key is set');`, /, which cannot be loaded \(no key is set\)\.$/],
  ])('%s', async (what, code, sentence) => {
    await expect(loaded(written(`${what.replaceAll(' ', '-')}.ts`, code))).rejects.toMatchObject({
      name: 'WrongSetting',
      message: expect.stringMatching(sentence),
    });
  });

  test('a file that is not there', async () => {
    await expect(loaded(join(folder, 'gone.ts'))).rejects.toMatchObject({ name: 'WrongSetting' });
  });

  test('a route that the product has', () => {
    const own = { method: 'GET', path: '/V1/pos/locations/:id' };
    expect(() => withRoutesOf({ routes: [own] })).toThrow(
      'POS_EXTENSIONS has a second route GET /V1/pos/locations/:id.',
    );
  });
});
