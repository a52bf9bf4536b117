import { expect, test } from 'vitest';
import { cardPaymentSecrets } from '../../../domain/configuration/card-payment-defaults.ts';
import { settingDefaults } from '../../../domain/configuration/setting-defaults.ts';
import { allowedInstead } from '../../../domain/configuration/setting-rules.ts';
import { cartSettingDefaults } from '../../../domain/platform/carts/shop-choices.ts';
import { stockSettingDefaults } from '../../../domain/platform/stock-rules.ts';

const defaults = Object.entries({ ...cartSettingDefaults, ...stockSettingDefaults, ...settingDefaults });

test('every setting may be set to what it is anyway', () => {
  expect(defaults.filter(([path, value]) => allowedInstead(path, value) !== undefined)).toEqual([]);
});

test('no setting that begins as a number takes a word for one', () => {
  const numbers = defaults.filter(([, value]) => /^\d+(\.\d+)?$/.test(value));

  expect(numbers.filter(([path]) => allowedInstead(path, 'abc') === undefined)).toEqual([]);
});

test.each([
  ['vendor_pos_terminal/layaway/expiry_days', ['0', '45', ' 7 ', ''], ['abc', '0.5', '-1', 'true', '1e3', '30 days']],
  ['vendor_pos_terminal/layaway/deposit_min_percent', ['0', '12.5', '100'], ['100.1', '-1', '20%', '20,5']],
  ['vendor_pos_terminal/payments/cash_rounding_increment', ['', '0.05'], ['five cents', '-0.05']],
  ['vendor_pos_advanced/telemetry/upload_hour', ['0', '23'], ['24', '3:00']],
  ['vendor_pos_advanced/telemetry/retention_days', ['1', '3650'], ['', '0', '3651']],
  ['vendor_cms/versions/kept', ['1', '10000'], ['', '0', '10001', '1.5']],
  ['vendor_reward_points/spending/granularity', ['1', '100'], ['', '0']],
  ['vendor_reward_points/spending/applies_as', ['tender', 'discount'], ['', 'Tender', 'gift']],
  ['vendor_pos_lock/enforcement/store_details', ['1', '0', 'true', 'false', ''], ['maybe', '2', 'yes']],
  ['vendor_pos_terminal/provider_a/test_mode', ['1', '0'], ['on', '10']],
  [
    'vendor_pos_advanced/returns/resolution_periods',
    ['', 'Refund:14', 'Refund: 14, Store Credit:0,'],
    ['14', 'Refund', 'Refund:14d', 'Refund:', ':14', 'Refund:-1', 'Refund:14;Exchange:60'],
  ],
  ['vendor_pos_advanced/returns/resolutions', ['', 'Refund', 'Refund,Store Credit'], ['Refund:14']],
  ['tax/calculation/algorithm', ['ROW_BASE_CALCULATION'], ['row', '']],
  ['tax/display/type', ['1', '3'], ['0', '4', '']],
  ['general/store_information/country_id', ['', 'DE'], ['de', 'Germany', 'ZZ']],
  ['carriers/flatrate/price', ['5', '4.90', ''], ['free', '-1']],
  ['cataloginventory/item_options/backorders', ['0', '2'], ['3', 'yes', '']],
  ['cataloginventory/item_options/min_sale_qty', ['0', '0.5', '6', ''], ['-1', 'six']],
  ['payment/checkmo/active', ['1', '0'], ['maybe']],
])('%s takes what it can be read as, and nothing else', (path, good, bad) => {
  expect(good.filter((value) => allowedInstead(path, value) !== undefined)).toEqual([]);
  expect(bad.filter((value) => allowedInstead(path, value) === undefined)).toEqual([]);
});

test('says what is allowed, so that it can be said', () => {
  const said = (path: string) => allowedInstead(path, 'abc');

  expect(said('vendor_pos_terminal/layaway/expiry_days')).toBe('a whole number of 0 or more');
  expect(said('vendor_pos_terminal/layaway/deposit_min_percent')).toBe('a number from 0 to 100');
  expect(said('vendor_pos/general/share_held_carts')).toBe('1 for yes or 0 for no');
  expect(said('vendor_reward_points/spending/applies_as')).toBe('tender or discount');
  expect(said('tax/calculation/algorithm')).toBe(
    'UNIT_BASE_CALCULATION, ROW_BASE_CALCULATION or TOTAL_BASE_CALCULATION',
  );
});

test('any text will do where it is only shown, or is not read by the server', () => {
  const free = ['vendor_pos_terminal/receipt/header', 'vendor_pos_terminal/pickup/queue_filter', 'sales/some/path'];

  expect([...free, ...cardPaymentSecrets].filter((path) => allowedInstead(path, 'anything') !== undefined)).toEqual([]);
});
