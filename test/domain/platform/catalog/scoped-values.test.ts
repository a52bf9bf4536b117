import { expect, test } from 'vitest';
import { scopeOf } from '../../../../domain/platform/catalog/product-attributes.ts';
import { ownValuesAt, valuesIn, withValues } from '../../../../domain/platform/catalog/scoped-values.ts';

test.each([
  ['name', 'store'],
  ['url_key', 'store'],
  ['status', 'website'],
  ['special_price', 'website'],
  ['price', 'global'],
  ['barcode', 'global'],
])('%s holds per %s', (code, scope) => {
  expect(scopeOf(code)).toBe(scope);
});

const given = {
  name: 'Tasse',
  status: 2,
  visibility: 1,
  taxClassId: 5,
  customAttributes: { url_key: 'tasse', special_price: '9', barcode: '1' },
};

test('what is saved is divided by where it holds', () => {
  expect(valuesIn('store', given)).toEqual({ name: 'Tasse', visibility: 1, customAttributes: { url_key: 'tasse' } });
  expect(valuesIn('website', given)).toEqual({ status: 2, taxClassId: 5, customAttributes: { special_price: '9' } });
  expect(valuesIn('global', given)).toEqual({ customAttributes: { barcode: '1' } });
});

test('a place keeps what is not named, and null takes its own value away', () => {
  const first = withValues({}, 's2', { name: 'Tasse', customAttributes: { url_key: 'tasse' } });
  const second = withValues(first, 's2', { visibility: 1, customAttributes: { meta_title: 'T', url_key: null } });
  expect(second).toEqual({ s2: { name: 'Tasse', visibility: 1, customAttributes: { meta_title: 'T' } } });
  expect(
    withValues({ s2: { customAttributes: { meta_title: 'T' } } }, 's2', { customAttributes: { meta_title: null } }),
  ).toEqual({});
});

test('the view’s word goes before the website’s, and a place that says nothing has none', () => {
  const scoped = {
    s2: { name: 'Tasse', customAttributes: { url_key: 'tasse' } },
    w1: { status: 2, customAttributes: { special_price: '9' } },
  };
  expect(ownValuesAt(scoped, { storeId: 2, websiteId: 1 })).toEqual({
    name: 'Tasse',
    status: 2,
    customAttributes: { url_key: 'tasse', special_price: '9' },
  });
  expect(ownValuesAt(scoped, { storeId: 1, websiteId: 1 })).toMatchObject({ status: 2 });
  expect(ownValuesAt(scoped, { storeId: 3, websiteId: 2 })).toBeUndefined();
  expect(ownValuesAt(scoped, { storeId: 0, websiteId: 0 })).toBeUndefined();
});
