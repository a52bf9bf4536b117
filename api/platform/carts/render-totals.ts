import type { z } from 'zod';
import { discountName } from '../../../db/platform/carts/order-of-cart.ts';
import type { PricedCart } from '../../../db/platform/carts/price-cart.ts';
import { soldAs } from '../../../db/platform/carts/read-cart.ts';
import { add, negate, subtract, toWire, zero } from '../../../domain/money/amount.ts';
import { unitsPerWhole } from '../../../domain/money/fixed-point.ts';
import { none, plus, quantityToWire } from '../../../domain/money/quantity.ts';
import type { KeptChoice } from '../../../domain/platform/catalog/chosen-options.ts';
import type { totalsAnswer } from './totals-answer.ts';

type Totals = z.input<typeof totalsAnswer>;

/** A priced cart with the platform's keys; discounts and credit are negative. */
export function renderTotals(priced: PricedCart): Totals {
  const { cart, base, own, couponCode, toPay } = priced;
  return {
    grand_total: toWire(own.grandTotal),
    base_grand_total: toWire(base.grandTotal),
    subtotal: toWire(own.subtotal),
    base_subtotal: toWire(base.subtotal),
    discount_amount: toWire(negate(own.discountAmount)),
    base_discount_amount: toWire(negate(base.discountAmount)),
    subtotal_with_discount: toWire(subtract(own.subtotal, own.discountAmount)),
    base_subtotal_with_discount: toWire(subtract(base.subtotal, base.discountAmount)),
    shipping_amount: toWire(own.shippingAmount),
    base_shipping_amount: toWire(base.shippingAmount),
    shipping_discount_amount: toWire(own.shippingDiscountAmount),
    base_shipping_discount_amount: toWire(base.shippingDiscountAmount),
    tax_amount: toWire(own.taxAmount),
    base_tax_amount: toWire(base.taxAmount),
    weee_tax_applied_amount: 0,
    shipping_tax_amount: 0,
    base_shipping_tax_amount: 0,
    subtotal_incl_tax: toWire(own.subtotalInclTax),
    base_subtotal_incl_tax: toWire(base.subtotalInclTax),
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
        discount_percent: percentOff(promotions, inBase.ruleIds),
        price_incl_tax: toWire(inOwn.priceInclTax),
        base_price_incl_tax: toWire(inBase.priceInclTax),
        row_total_incl_tax: toWire(inOwn.rowTotalInclTax),
        base_row_total_incl_tax: toWire(inBase.rowTotalInclTax),
        weee_tax_applied_amount: 0,
        weee_tax_applied: '[]',
        options: JSON.stringify(line.variantOf?.choices.map(shownChoice) ?? []),
        name: soldAs(line).name,
      },
    ];
  });

/** The platform's values have no names here: a value is shown by its id. */
const shownChoice = ({ label, optionValue }: KeptChoice) => ({ label, value: String(optionValue) });

/** Of the promotions that held for a line, the percentages together, at most all. */
function percentOff(promotions: PricedCart['promotions'], ruleIds: readonly number[]): number {
  const held = promotions.filter(({ ruleId, action }) => action === 'by_percent' && ruleIds.includes(ruleId));
  return Math.min(100, toWire(add(...held.map(({ amount }) => amount))));
}

/** In the order of addition; payments come after the amounts they pay. */
function segmentsOf(priced: PricedCart): Totals['total_segments'] {
  const { own, rate, tenders } = priced;
  const name = discountName(priced);
  return [
    { code: 'subtotal', title: 'Subtotal', value: toWire(own.subtotal) },
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
    { code: 'tax', title: 'Tax', value: toWire(own.taxAmount), area: 'taxes' },
    { code: 'grand_total', title: 'Grand Total', value: toWire(own.grandTotal), area: 'footer' },
    ...tenders.map(({ tender: { code, title, amount } }) => ({ code, title, value: toWire(negate(amount)) })),
  ];
}
