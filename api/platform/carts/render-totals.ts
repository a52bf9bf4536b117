import type { z } from 'zod';
import { discountName } from '../../../db/platform/carts/order-of-cart.ts';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { soldAs } from '../../../db/platform/carts/sold-as.ts';
import { add, negate, subtract, toWire, zero, type Amount } from '../../../domain/money/amount.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { none, plus, quantityToWire } from '../../../domain/money/quantity.ts';
import type { CartFigures } from '../../../domain/platform/carts/cart-totals.ts';
import { appliedTaxes, fixedTaxSums } from '../../../domain/platform/carts/fixed-taxes.ts';
import { percentOff } from '../../../domain/platform/carts/percent-off.ts';
import { isSet } from '../../../domain/platform/carts/shop-choices.ts';
import { shownOptions } from '../../../domain/platform/catalog/option-figures.ts';
import type { KeptChoice } from '../../../domain/platform/catalog/chosen-options.ts';
import type { totalsAnswer } from './totals-answer.ts';

type Totals = z.input<typeof totalsAnswer>;

/** A priced cart with the platform's keys; discounts and credit are negative. */
export function renderTotals(priced: PricedCart): Totals {
  const { cart, base, own, couponCode, toPay } = priced;
  const [inSubtotal, baseInSubtotal] = [fixedInSubtotal(priced, own), fixedInSubtotal(priced, base)];
  return {
    grand_total: toWire(own.grandTotal),
    base_grand_total: toWire(base.grandTotal),
    subtotal: toWire(add(own.subtotal, inSubtotal)),
    base_subtotal: toWire(add(base.subtotal, baseInSubtotal)),
    discount_amount: toWire(negate(own.discountAmount)),
    base_discount_amount: toWire(negate(base.discountAmount)),
    subtotal_with_discount: toWire(subtract(add(own.subtotal, inSubtotal), own.discountAmount)),
    base_subtotal_with_discount: toWire(subtract(add(base.subtotal, baseInSubtotal), base.discountAmount)),
    shipping_amount: toWire(own.shippingAmount),
    base_shipping_amount: toWire(base.shippingAmount),
    shipping_discount_amount: toWire(own.shippingDiscountAmount),
    base_shipping_discount_amount: toWire(base.shippingDiscountAmount),
    tax_amount: toWire(own.taxAmount),
    base_tax_amount: toWire(base.taxAmount),
    weee_tax_applied_amount: toWire(own.fixedTaxAmount),
    shipping_tax_amount: 0,
    base_shipping_tax_amount: 0,
    subtotal_incl_tax: toWire(add(own.subtotalInclTax, inSubtotal)),
    base_subtotal_incl_tax: toWire(add(base.subtotalInclTax, baseInSubtotal)),
    shipping_incl_tax: toWire(own.shippingAmount),
    base_shipping_incl_tax: toWire(base.shippingAmount),
    base_currency_code: cart.baseCurrencyCode,
    quote_currency_code: cart.currencyCode,
    ...(couponCode === undefined ? {} : { coupon_code: couponCode }),
    items_qty: quantityToWire(plus(none, ...cart.lines.map((line) => line.qty))),
    items: itemsOf(priced),
    total_segments: segmentsOf(priced),
    extension_attributes: {
      amount_to_pay: toWire(toPay.amount),
      base_amount_to_pay: toWire(toPay.baseAmount),
    },
  };
}

/** Fixed taxes count as goods where the shop shows them so; orders keep them apart in every case. */
const fixedInSubtotal = ({ settings }: PricedCart, { fixedTaxAmount }: CartFigures): Amount =>
  isSet(settings['tax/weee/include_in_subtotal']) ? fixedTaxAmount : zero;

const itemsOf = ({ cart, base, own, taxRates, promotions }: PricedCart): Totals['items'] =>
  cart.lines.flatMap((line, at) => {
    const [inBase, inOwn] = [base.lines[at], own.lines[at]];
    if (!inBase || !inOwn) return [];
    return [
      {
        item_id: line.itemId,
        price: toWire(inOwn.price),
        base_price: toWire(inBase.price),
        qty: quantityToWire(line.qty),
        row_total: toWire(inOwn.rowTotal),
        base_row_total: toWire(inBase.rowTotal),
        row_total_with_discount: toWire(subtract(inOwn.rowTotal, inOwn.discountAmount)),
        tax_amount: toWire(inOwn.taxAmount),
        base_tax_amount: toWire(inBase.taxAmount),
        tax_percent: (taxRates[at]?.percent ?? 0) / unitsPerWhole,
        discount_amount: toWire(inOwn.discountAmount),
        base_discount_amount: toWire(inBase.discountAmount),
        discount_percent: toWire(percentOff(promotions, inBase.ruleIds)),
        price_incl_tax: toWire(inOwn.priceInclTax),
        base_price_incl_tax: toWire(inBase.priceInclTax),
        row_total_incl_tax: toWire(inOwn.rowTotalInclTax),
        base_row_total_incl_tax: toWire(inBase.rowTotalInclTax),
        weee_tax_applied_amount: toWire(fixedTaxSums(inOwn.fixedTaxes).amount),
        weee_tax_applied: appliedTaxes(inBase.fixedTaxes, inOwn.fixedTaxes),
        options: JSON.stringify([...(line.variantOf?.choices.map(shownChoice) ?? []), ...shownOptions(line)]),
        name: soldAs(line).name,
      },
    ];
  });

/** The platform's values have no names here: a value is shown by its id. */
const shownChoice = ({ label, optionValue }: KeptChoice) => ({ label, value: String(optionValue) });

/** In the order of addition; payments come after the amounts they pay. */
function segmentsOf(priced: PricedCart): Totals['total_segments'] {
  const { own, rate, tenders } = priced;
  const name = discountName(priced);
  const inSubtotal = fixedInSubtotal(priced, own);
  const apart = subtract(own.fixedTaxAmount, inSubtotal);
  return [
    { code: 'subtotal', title: 'Subtotal', value: toWire(add(own.subtotal, inSubtotal)) },
    {
      code: 'shipping',
      title: rate ? `Shipping & Handling (${rate.carrierTitle} - ${rate.methodTitle})` : 'Shipping & Handling',
      value: toWire(own.shippingAmount),
    },
    ...(own.discountAmount === zero
      ? []
      : [
          {
            code: 'discount',
            title: name === undefined ? 'Discount' : `Discount (${name})`,
            value: toWire(negate(own.discountAmount)),
          },
        ]),
    ...(apart === zero ? [] : [{ code: 'weee_tax', title: 'FPT', value: toWire(apart) }]),
    { code: 'tax', title: 'Tax', value: toWire(own.taxAmount), area: 'taxes' },
    { code: 'grand_total', title: 'Grand Total', value: toWire(own.grandTotal), area: 'footer' },
    ...tenders.map(({ tender: { code, title, amount } }) => ({ code, title, value: toWire(negate(amount)) })),
  ];
}
