import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setConfigValue } from '../../../db/configuration/set-config-value.ts';
import { enforcementFlags } from '../../../domain/configuration/enforcement.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretBox, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const { insert } = booksOf(() => api.orm);
const set = (path: string, value: string, scope?: 'websites' | 'stores', scopeId = 0) =>
  setConfigValue(api.orm.em.fork(), secretBox, { path, value, ...(scope ? { scope, scopeId } : {}) });
const config = async (path = '/V1/pos/config') =>
  JSON.parse((await api.call('GET', path, { token: api.tokens.register })).body);

test('a shop is connected where it has a license service, as in the answer to a refresh', async () => {
  const connected = await testApi({
    settings: { POS_SECRET_KEY: secretKey, LICENSE_SERVICE_URL: 'http://127.0.0.1:9' },
  });
  const { body } = await connected.call('GET', '/V1/pos/config', { token: connected.tokens.register });
  await connected.close();

  expect([JSON.parse(body).license, (await config()).license]).toEqual([{ connected: true }, { connected: false }]);
});

test('the global config is a JSON text in JSON, and is never stored', async () => {
  const { status, body, headers } = await api.call('GET', '/V1/pos/config', { token: api.tokens.register });

  expect(status).toBe(200);
  expect(typeof body).toBe('string');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(JSON.parse(body)).toMatchObject({ module_version: '1.3.0', enabled: true });
});

test('it has every key of the interface, with the platform’s defaults', async () => {
  expect(await config()).toEqual(JSON.parse(readFileSync(new URL('default-config.json', import.meta.url), 'utf8')));
});

test('every lock is a string, 1 where a website sets it', async () => {
  await set('vendor_pos_lock/enforcement/use_msi', '1', 'websites', 1);
  const { enforcement } = await config();

  expect(Object.keys(enforcement)).toEqual([...enforcementFlags]);
  expect(enforcement).toMatchObject({ use_msi: '1', tax_settings: '0' });
});

test('the store view of the path decides, down to the website and the default', async () => {
  await set('vendor_pos_terminal/receipt/footer', 'shop');
  await set('vendor_pos_terminal/receipt/footer', 'canada', 'stores', 2);

  expect((await config()).default_receipt_footer).toBe('shop');
  expect((await config('/rest/ca/V1/pos/config')).default_receipt_footer).toBe('canada');
  expect((await config('/rest/all/V1/pos/config')).default_receipt_footer).toBe('shop');
});

test('card provider keys are delivered in clear', async () => {
  await set('vendor_pos_terminal/provider_a/api_key', 'key-a');
  await set('vendor_pos_terminal/provider_b/service_secret', 'secret-b');
  const { card_payments: card } = await config();

  expect(card.provider_a.api_key).toBe('key-a');
  expect(card.providers.provider_b.service_secret).toBe('secret-b');
});

test('fixed product taxes are the attributes of their input, and are told only while they are on', async () => {
  const attribute = {
    attribute_code: 'eco_fee',
    frontend_input: 'weee',
    default_frontend_label: 'Eco fee',
    frontend_labels: [{ store_id: 2, label: 'Écotaxe' }],
  };
  const token = api.tokens.admin;
  expect((await api.call('POST', '/V1/products/attributes', { token, body: { attribute } })).status).toBe(200);
  await insert('product_attribute', { attribute_code: 'tyre_fee', frontend_input: 'weee' });
  expect((await config()).tax.weee).toMatchObject({ enabled: false, attributes: [] });

  await set('tax/weee/enable', '1');
  expect((await config()).tax.weee).toEqual({
    enabled: true,
    apply_vat: false,
    include_in_subtotal: false,
    display_sales: 1,
    display_product: 1,
    display_list: 1,
    attributes: [
      { code: 'eco_fee', label: 'Eco fee' },
      { code: 'tyre_fee', label: 'tyre_fee' },
    ],
  });
  expect((await config('/rest/ca/V1/pos/config')).tax.weee.attributes[0]).toEqual({
    code: 'eco_fee',
    label: 'Écotaxe',
  });
});

test('a caller without the resource gets the platform’s 401', async () => {
  expect(await api.call('GET', '/V1/pos/config', { token: api.tokens.nothing })).toMatchObject({
    status: 401,
    body: {
      message: "The consumer isn't authorized to access %resources.",
      parameters: { resources: 'Vendor_Pos::locations' },
    },
  });
});
