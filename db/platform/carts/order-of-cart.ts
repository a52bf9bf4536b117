import {
  formatAmount,
  negate,
  zero,
  inBoth,
  columnsOfMoney,
  twin,
  twins,
  formatUnits,
  scaleUnits,
  unitsPerWhole,
  none,
  plus,
  quantity,
  type Quantity,
} from '../../../domain/money.ts';
import type { LineFigures } from '../../../domain/platform/carts/cart-totals.ts';
import { appliedTaxes, fixedTaxSums, percentOff } from '../../../domain/platform/carts/shop-choices.ts';
import { shownOptions } from '../../../domain/platform/catalog/entered-options.ts';
import { weeeOfRow } from '../orders/add-order-comment.ts';
import type { PostedAddress, PostedLine, PostedOrder } from '../orders/posted-order.ts';
import type { PricedCart } from './price-cart.ts';
import type { CartAddress } from './read-offers.ts';
import type { Cart, CartLine } from './carts.ts';
import { productOptionOf, soldAs } from './promote-cart.ts';

/**
 * Makes the order of a priced cart (platform facts 5.1, 11). The order is new and unpaid, and its grand total is the
 * full price. As in every order of the platform, the discount is negative on the order and positive on its lines.
 */
export function orderOfCart(priced: PricedCart): PostedOrder {
  const { cart, base, own, rate, couponCode, promotions } = priced;
  const { customer } = cart;
  const email = emailOf(cart);
  return {
    columns: {
      state: 'new',
      status: 'pending',
      storeId: cart.storeId,
      quoteId: cart.quoteId,
      customerId: cart.customerId,
      customerIsGuest: cart.customerId === null,
      customerGroupId: customer.groupId,
      customerEmail: email,
      customerFirstname: customer.firstname,
      customerLastname: customer.lastname,
      customerMiddlename: customer.middlename,
      customerPrefix: customer.prefix,
      customerSuffix: customer.suffix,
      customerDob: customer.dob,
      customerTaxvat: customer.taxvat,
      customerGender: customer.gender,
      isVirtual: cart.isVirtual,
      totalQtyOrdered: plus(none, ...cart.lines.map((line) => line.qty)),
      weight: plus(none, ...cart.lines.map(rowWeight)),
      ...(rate
        ? {
            shippingMethod: cart.shippingMethod,
            shippingDescription: `${rate.carrierTitle} - ${rate.methodTitle}`,
          }
        : {}),
      ...(couponCode === undefined ? {} : { couponCode }),
      ...(promotions.length === 0
        ? {}
        : {
            appliedRuleIds: promotions.map(({ ruleId }) => ruleId).join(','),
            discountDescription: discountName(priced) ?? null,
          }),
      ...totalsOf(priced),
    },
    lines: linesOf(priced),
    billingAddress: cart.billing && addressOf(cart.billing, email),
    shippingAddress: cart.isVirtual || !cart.shipping ? undefined : addressOf(cart.shipping, email),
    payment: {
      method: cart.paymentMethod ?? undefined,
      poNumber: cart.poNumber,
      ...columnsOfMoney(twins('shippingAmount'), { base, order: own }),
    },
  };
}

/** The discount's name for people: the labels of its promotions, else the coupon (platform facts 9.4). */
export function discountName({ promotions, couponCode }: PricedCart): string | undefined {
  const names = promotions.flatMap((one) => one.label ?? one.couponCode ?? []);
  return names.length === 0 ? couponCode : [...new Set(names)].join(', ').slice(0, longestName);
}

const longestName = 255;

/** A guest's email came with the payment, or with the billing address. */
export const emailOf = ({ customer, billing }: Cart): string | null => customer.email ?? billing?.email ?? null;

const totalFigures = {
  ...twins('subtotal', 'subtotalInclTax', 'discountAmount', 'shippingAmount', 'taxAmount', 'grandTotal'),
  ...twins('shippingDiscountAmount'),
  shipping: twin('shippingInclTax'),
};

const totalsOf = (priced: PricedCart) =>
  columnsOfMoney(
    totalFigures,
    inBoth((currency) => {
      const totals = currency === 'base' ? priced.base : priced.own;
      return { ...totals, discountAmount: negate(totals.discountAmount), shipping: totals.shippingAmount };
    }),
  );

const lineFigures = {
  ...twins('price', 'priceInclTax', 'rowTotal', 'rowTotalInclTax', 'discountAmount', 'taxAmount'),
  unreduced: twin('originalPrice'),
  weeeUnit: twin('weeeTaxAppliedAmount'),
  weeeRow: weeeOfRow,
};

function fixedOf({ fixedTaxes }: LineFigures) {
  const { amount: weeeUnit, rowAmount: weeeRow } = fixedTaxSums(fixedTaxes);
  return { weeeUnit, weeeRow };
}

/** What was chosen of a configurable product follows as a part, which costs nothing beside the product. */
function linesOf(priced: PricedCart): PostedLine[] {
  const lines: PostedLine[] = [];
  for (const [at, line] of priced.cart.lines.entries()) {
    const sold = lineOf(priced, line, at);
    const parentAt = lines.push(sold) - 1;
    if (line.variantOf) lines.push({ ...partOf(line), storeId: sold.storeId, taxPercent: sold.taxPercent, parentAt });
  }
  return lines;
}

const partOf = (line: CartLine) => ({ ...goodsOf(line), name: line.name, productId: line.productId, ...nothing });

const nothing = columnsOfMoney(
  twins('price', 'priceInclTax', 'rowTotal', 'rowTotalInclTax', 'originalPrice'),
  inBoth(() => ({ price: zero, priceInclTax: zero, rowTotal: zero, rowTotalInclTax: zero, originalPrice: zero })),
);

const goodsOf = ({ sku, typeId, itemId, qty, isVirtual, isQtyDecimal, weight }: CartLine) => ({
  ...{ sku, productType: typeId, quoteItemId: itemId, qtyOrdered: qty, isVirtual, isQtyDecimal, weight },
});

function lineOf({ cart, base, own, taxRates, promotions }: PricedCart, line: CartLine, at: number): PostedLine {
  const [inBase, inOwn] = [base.lines[at], own.lines[at]];
  if (!inBase || !inOwn) throw new Error('a line of a cart was not priced');
  const sold = soldAs(line);
  return {
    ...goodsOf(line),
    ...{ sku: sold.sku, stockSku: sold.sku === line.sku ? null : line.sku },
    name: sold.name,
    productId: line.variantOf?.productId ?? line.productId,
    productType: sold.typeId,
    productOption: productOptionOf(line) ?? null,
    enteredOptions: shownOptions(line),
    storeId: cart.storeId,
    taxPercent: formatUnits(taxRates[at]?.percent ?? 0),
    discountPercent: formatAmount(percentOff(promotions, inBase.ruleIds)),
    ...(inBase.ruleIds.length === 0 ? {} : { appliedRuleIds: inBase.ruleIds.join(',') }),
    ...columnsOfMoney(lineFigures, {
      base: { ...inBase, ...fixedOf(inBase), unreduced: inBase.price },
      order: { ...inOwn, ...fixedOf(inOwn), unreduced: inOwn.price },
    }),
    ...(inOwn.fixedTaxes.length === 0 ? {} : { weeeTaxApplied: appliedTaxes(inBase.fixedTaxes, inOwn.fixedTaxes) }),
  };
}

function addressOf(
  { addressId: _id, sameAsBilling: _same, saveInAddressBook: _kept, ...address }: CartAddress,
  email: string | null,
): PostedAddress {
  return { ...address, email: address.email ?? email };
}

const rowWeight = ({ weight, qty }: CartLine): Quantity =>
  weight === null ? none : quantity(scaleUnits(weight, qty, unitsPerWhole));
