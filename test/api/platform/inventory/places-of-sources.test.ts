import { expect, test } from 'vitest';
import { expectRefused } from '../../../support/expect-refused.ts';
import { api, get, opensAShop } from './counted-stock.ts';

opensAShop();

const save = (source: object, code = 'harbour') =>
  api.call('PUT', `/V1/inventory/sources/${code}`, { token: api.tokens.admin, body: { source } });

const harbour = {
  name: 'Harbour',
  country_id: 'DE',
  postcode: '20457',
  fax: '+49 40 2',
  description: 'Behind the customs house.',
  latitude: 53.543641,
  longitude: '9.966271',
  use_default_carrier_config: false,
  carrier_links: [{ carrier_code: 'dhl', position: 1 }],
  extension_attributes: {
    is_pickup_location_active: true,
    frontend_name: 'Pick-up at the harbour',
    frontend_description: 'Ring twice.',
  },
};

test('a source keeps where it is, who carries from it, and what customers read who fetch their goods', async () => {
  expect(await save(harbour)).toMatchObject({ status: 200, body: [] });

  expect((await get('/V1/inventory/sources/harbour')).body).toEqual({
    ...harbour,
    source_code: 'harbour',
    enabled: true,
    longitude: 9.966271,
  });
});

test('a source that is sent back as it was read stays the same', async () => {
  await save(harbour, 'pier');
  const before = await get('/V1/inventory/sources/pier');

  expect(await save(before.body, 'pier')).toMatchObject({ status: 200 });
  expect((await get('/V1/inventory/sources/pier')).body).toEqual(before.body);
});

test('a source without words for customers has its own name for them, and a null takes words away', async () => {
  await save(harbour, 'quay');
  await save({ latitude: null, fax: null, extension_attributes: { frontend_name: null } }, 'quay');

  const { body } = await get('/V1/inventory/sources/quay');
  expect(body).toMatchObject({ longitude: 9.966271, extension_attributes: { frontend_name: 'Harbour' } });
  expect(body).not.toHaveProperty('latitude');
  expect(body).not.toHaveProperty('fax');
});

test('a place beyond the poles is refused', async () => {
  await expectRefused({
    send: () => save({ ...harbour, latitude: 91 }, 'moon'),
    status: 400,
    said: 'Error occurred during "latitude" processing. The "91" value…',
  });
});

test.each([
  ['gteq', '53.5'],
  ['eq', '53.543641'],
  ['like', '53.5%25'],
])('sources are found by where they are: latitude %s %s', async (condition, value) => {
  await save(harbour);
  await save({ ...harbour, latitude: -33.9 }, 'cape');

  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const asked = `${filter}[field]=latitude&${filter}[value]=${value}&${filter}[condition_type]=${condition}`;
  const found = await get(`/V1/inventory/sources?${asked}`);
  const codes = found.body.items.map((source: { source_code: string }) => source.source_code);
  expect(codes).toContain('harbour');
  expect(codes).not.toContain('cape');
});
