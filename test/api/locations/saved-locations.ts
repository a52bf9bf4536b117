import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { auditTrail } from '../../support/books/audit-trail.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

export let api: TestApi;
export let manager: string;
let made = 0;

/** A shop with a manager of its locations. */
export function opensAShop(): void {
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    await aShop(fork());
    manager = await api.tokenFor('Vendor_Pos::locations_manage', 'Vendor_Pos::locations');
  });
  beforeEach(() => books.remove('pos_audit_log'));
  afterAll(() => api.close());
}

const books = booksOf(() => api.orm);
const { fork } = books;
export const create = (location: unknown, token = manager) =>
  api.call('POST', '/V1/pos/locations', { token, body: { location } });
export const update = (locationId: number, location: unknown, token = manager) =>
  api.call('PUT', `/V1/pos/locations/${locationId}`, { token, body: { location } });
export const remove = (locationId: number) => api.call('DELETE', `/V1/pos/locations/${locationId}`, { token: manager });
export const read = (locationId: number) => api.call('GET', `/V1/pos/locations/${locationId}`, { token: manager });
export const aLocation = async (more: Record<string, unknown> = {}) =>
  (await create({ name: 'Riverside', code: `riverside-${++made}`, ...more })).body;
export const trail = () => auditTrail(books);

/** Statuses, in order of their numbers. */
export const inOrder = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

export const everyField = {
  street: '1 Quay',
  city: 'Portland',
  region: 'Oregon',
  region_id: 49,
  postcode: '97201',
  country_id: 'US',
  phone: '555 0100',
  vat_number: 'US1',
  website_id: 1,
  store_view_id: 2,
  source_code: 'floor',
  damaged_stock_source_code: 'damaged',
  time_zone: 'Europe/Berlin',
  is_active: false,
  payment_methods: 'checkmo,provider_a',
  card_payment_provider: 'provider_a',
  allow_store_credit: 1,
  low_stock_threshold: 3,
  use_msi: false,
  tax_use_address: true,
  address_use_storeview: true,
  receipt_header: 'Welcome',
  receipt_footer: 'Thank you',
  receipt_show_staff_name: false,
  receipt_show_order_number: true,
  receipt_logo_size: 120,
  receipt_store_info_placement: 'footer',
  staff_name_format: 'staff_id',
  pickup_completed_status_code: 'complete',
  layaway_deposit_min_percent: 12.5,
  layaway_expiry_days: 60,
  layaway_cancellation_fee_percent: 10,
  customer_validators: 'vat',
};

export const overrides = Object.fromEntries(
  Object.keys(everyField)
    .filter((key) => !['website_id', 'is_active', 'tax_use_address', 'address_use_storeview'].includes(key))
    .map((key) => [key, null]),
);
