import { parseAmount, scale, zero, type Amount } from '../../money/amount.ts';
import { unitsPerWhole } from '../../money/fixed-point.ts';
import type { Coin } from '../../money/coins.ts';
import type { Quantity } from '../../money/quantity.ts';

/** The settings of a cart and their defaults; paths and defaults are the platform's. */
export const cartSettingDefaults = {
  'tax/calculation/price_includes_tax': '0',
  'tax/calculation/apply_after_discount': '1',
  'tax/weee/enable': '0',
  'tax/weee/apply_vat': '0',
  'tax/weee/include_in_subtotal': '0',
  'carriers/flatrate/active': '1',
  'carriers/flatrate/title': 'Flat Rate',
  'carriers/flatrate/name': 'Fixed',
  'carriers/flatrate/price': '5.00',
  /** `I`: for each piece, `O`: for the order. */
  'carriers/flatrate/type': 'I',
  'carriers/freeshipping/active': '0',
  'carriers/freeshipping/title': 'Free Shipping',
  'carriers/freeshipping/name': 'Free',
  'carriers/freeshipping/free_shipping_subtotal': '',
  'carriers/instore/active': '0',
  'carriers/instore/title': 'In-Store Pickup Delivery',
  'carriers/instore/name': 'In-Store Pickup Delivery',
  'carriers/instore/price': '0',
  'payment/checkmo/active': '1',
  'payment/checkmo/title': 'Check / Money order',
  'payment/banktransfer/active': '0',
  'payment/banktransfer/title': 'Bank Transfer Payment',
  'payment/cashondelivery/active': '0',
  'payment/cashondelivery/title': 'Cash On Delivery',
  'payment/purchaseorder/active': '0',
  'payment/purchaseorder/title': 'Purchase Order',
  'payment/free/active': '1',
  'payment/free/title': 'No Payment Information Required',
  'general/store_information/country_id': '',
  'general/store_information/region_id': '',
  'general/store_information/postcode': '',
} as const;

export type CartSettingPath = keyof typeof cartSettingDefaults;
export type CartSettings = Readonly<Record<CartSettingPath, string>>;

/** A shipping method; the amount is base currency, without tax. */
export interface ShippingRate {
  carrierCode: string;
  methodCode: string;
  carrierTitle: string;
  methodTitle: string;
  baseAmount: Amount;
}

export const isSet = (text: string) => !['', '0', 'false'].includes(text.trim());

/** What is shipped, and whether a promotion pays for it. */
export interface Shipped {
  shippedQty: Quantity;
  isFree: boolean;
  baseSubtotal: Amount;
  coin: Coin;
}

/**
 * The shipping methods for a cart: a flat rate, free shipping from a subtotal on, pick-up in a store (our choice of
 * the platform's carriers). The destination makes no difference.
 */
export function shippingRates(
  settings: CartSettings,
  { shippedQty, isFree, baseSubtotal, coin }: Shipped,
): ShippingRate[] {
  const charged = (price: Amount) => (isFree ? zero : price);
  const price = amountOf(settings['carriers/flatrate/price']);
  const flat = settings['carriers/flatrate/type'] === 'I' ? scale(price, shippedQty, unitsPerWhole, coin) : price;
  const freeFrom = amountOf(settings['carriers/freeshipping/free_shipping_subtotal']);
  return [
    ...offered(settings, 'flatrate', 'flatrate', charged(flat)),
    ...(isFree || baseSubtotal >= freeFrom ? offered(settings, 'freeshipping', 'freeshipping', zero) : []),
    ...offered(settings, 'instore', 'pickup', charged(amountOf(settings['carriers/instore/price']))),
  ];
}

type Carrier = 'flatrate' | 'freeshipping' | 'instore';

const offered = (settings: CartSettings, carrierCode: Carrier, methodCode: string, baseAmount: Amount) =>
  isSet(settings[`carriers/${carrierCode}/active`])
    ? [
        {
          carrierCode,
          methodCode,
          carrierTitle: settings[`carriers/${carrierCode}/title`],
          methodTitle: settings[`carriers/${carrierCode}/name`],
          baseAmount,
        },
      ]
    : [];

/** A setting that is not an amount counts as zero. */
const amountOf = (text: string): Amount => {
  const read = parseAmount(text.trim());
  return read === undefined || read < 0 ? zero : read;
};

export interface PaymentMethod {
  code: string;
  title: string;
}

const offlineMethods = ['checkmo', 'banktransfer', 'cashondelivery', 'purchaseorder'] as const;

/**
 * The payment methods for a cart: offline ones, as no gateway can be charged here (platform facts 11). A cart that
 * costs nothing has `free` alone.
 */
export function paymentMethods(settings: CartSettings, baseAmountToPay: Amount): PaymentMethod[] {
  const codes = baseAmountToPay === zero ? (['free'] as const) : offlineMethods;
  return codes
    .filter((code) => isSet(settings[`payment/${code}/active`]))
    .map((code) => ({ code, title: settings[`payment/${code}/title`] }));
}
