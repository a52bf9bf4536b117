import { expect, test } from 'vitest';
import { money, toWire, zero } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import {
  cartSettingDefaults,
  paymentMethods,
  shippingRates,
  type CartSettings,
} from '../../../../domain/platform/carts/shop-choices.ts';
import { aCent } from '../../../support/coins.ts';

const cart = { shippedQty: pieces(3), isFree: false, baseSubtotal: money('50'), coin: aCent };
const rates = (settings: Partial<CartSettings>) =>
  shippingRates({ ...cartSettingDefaults, ...settings }, cart).map(
    ({ carrierCode, methodCode, baseAmount }) => `${carrierCode} ${methodCode} ${toWire(baseAmount)}`,
  );
const methods = (settings: Partial<CartSettings>, toPay = money('1')) =>
  paymentMethods({ ...cartSettingDefaults, ...settings }, toPay).map(({ code }) => code);

test.each([
  [{}, ['flatrate flatrate 15']],
  [{ 'carriers/flatrate/type': 'O' }, ['flatrate flatrate 5']],
  [{ 'carriers/flatrate/price': '3.333' }, ['flatrate flatrate 10']],
  [{ 'carriers/flatrate/price': 'five' }, ['flatrate flatrate 0']],
  [{ 'carriers/flatrate/price': '-5' }, ['flatrate flatrate 0']],
  [{ 'carriers/flatrate/active': '0' }, []],
  [{ 'carriers/flatrate/active': '0', 'carriers/freeshipping/active': '1' }, ['freeshipping freeshipping 0']],
  [
    {
      'carriers/flatrate/active': '0',
      'carriers/freeshipping/active': '1',
      'carriers/freeshipping/free_shipping_subtotal': '50.01',
    },
    [],
  ],
  [{ 'carriers/flatrate/active': '0', 'carriers/instore/active': '1' }, ['instore pickup 0']],
] as const)('shipping with %j', (settings, expected) => {
  expect(rates(settings)).toEqual(expected);
});

test('what is left to pay decides how it can be paid', () => {
  expect(methods({})).toEqual(['checkmo']);
  expect(methods({ 'payment/cashondelivery/active': '1', 'payment/checkmo/active': '0' })).toEqual(['cashondelivery']);
  expect(methods({}, zero)).toEqual(['free']);
  expect(methods({ 'payment/free/active': '0' }, zero)).toEqual([]);
});
