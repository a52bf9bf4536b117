import { expect, test } from 'vitest';
import { Location } from '../../../db/locations/location.entity.ts';
import { regionsOf } from '../../../domain/platform/directory/regions.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { opensAShop, api, set, configOf } from './configured-terminals.ts';

opensAShop();

const { fork } = booksOf(() => api.orm);

test('what a location says of its own holds at its registers, field by field, and null inherits', async () => {
  const own = {
    payment_methods: 'checkmo',
    card_payment_provider: 'provider_a',
    allow_store_credit: 0,
    low_stock_threshold: 77,
    use_msi: false,
    receipt_header: 'Quay',
    receipt_footer: 'Mind the gap',
    receipt_show_staff_name: false,
    receipt_show_order_number: false,
    receipt_logo_size: 12,
    receipt_store_info_placement: 'footer',
    vat_number: 'VAT 1',
    layaway_deposit_min_percent: 12.5,
    layaway_expiry_days: 7,
    layaway_cancellation_fee_percent: 3,
    pickup_completed_status_code: 'closed',
  };
  const token = await api.tokenFor('Vendor_Pos::locations_manage');
  const save = async (method: string, path: string, location: object) =>
    (await api.call(method, `/V1/pos/locations${path}`, { token, body: { location } })).body.location_id;
  await set('vendor_pos_lock/enforcement/receipt_header', '0', 'websites', 1);
  const locationId = await save('POST', '', { name: 'Quay', code: 'quay' });
  const { terminalId } = await aTerminal(fork(), { locationId });
  const inherited = (await configOf(terminalId)).resolved_config;
  for (const [key, value] of Object.entries(own)) {
    await save('PUT', `/${locationId}`, { [key]: value });
    expect([key, (await configOf(terminalId)).resolved_config]).toEqual([key, { ...inherited, [key]: value }]);
    await save('PUT', `/${locationId}`, { [key]: null });
  }
  expect((await configOf(terminalId)).resolved_config).toEqual(inherited);
});

test('the address is the store view’s where the location says so', async () => {
  const em = fork();
  const location = em.create(Location, {
    name: 'Toronto',
    code: 'toronto',
    websiteId: 1,
    storeViewId: 2,
    street: 'Queen Street 1',
    phone: '111',
    addressUseStoreview: true,
  });
  await em.flush();
  await set('general/store_information/street_line1', 'King Street 2', 'stores', 2);
  await set('general/store_information/city', 'Toronto', 'stores', 2);
  const { terminalId } = await aTerminal(fork(), { locationId: location.locationId });

  expect((await configOf(terminalId)).location).toMatchObject({
    street: 'King Street 2',
    city: 'Toronto',
    phone: '111',
  });
});

test('the region belongs to its own address', async () => {
  const em = fork();
  const ofPlace = { city: 'Troy', region: 'New York', regionId: 43 };
  const location = em.create(Location, {
    ...{ name: 'Border', code: 'border', websiteId: 1, storeViewId: 2, addressUseStoreview: true },
    ...ofPlace,
  });
  await em.flush();
  const { terminalId } = await aTerminal(fork(), { locationId: location.locationId });
  const address = async () => {
    const { city, region, region_id: regionId } = (await configOf(terminalId)).location;
    return { city, region, regionId };
  };
  const ontario = regionsOf('CA').find(({ name }) => name === 'Ontario')!;
  const parts = ['city', 'postcode', 'country_id', 'region_id', 'street_line1'];
  for (const part of parts) await set(`general/store_information/${part}`, '', 'stores', 2);
  await set('general/store_information/phone', '222', 'stores', 2);
  expect(await address()).toEqual(ofPlace);

  await set('general/store_information/city', 'Toronto', 'stores', 2);
  expect(await address()).toEqual({ city: 'Toronto', region: null, regionId: null });

  await set('general/store_information/region_id', String(ontario.regionId), 'stores', 2);
  expect(await address()).toEqual({ city: 'Toronto', region: 'Ontario', regionId: ontario.regionId });
});
