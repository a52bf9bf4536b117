/** What carts, coupons and taxes are refused with. */
import { refusal } from './refusal.ts';

export const emailFormatWrong = refusal(400, 'Email has a wrong format');

export const cartIsEmptyForTotals = refusal(400, 'Totals calculation is not applicable to empty cart', {
  when: 'Nothing is in the cart.',
});

export const cartOfOtherStore = refusal(
  400,
  "The customer can't be assigned to the cart. The cart belongs to a different store.",
  { when: "The store view is not of the customer's website." },
);

export const customerHasNoCart = refusal(404, 'Current customer does not have an active cart.');

export const paymentMethodNotAvailable = refusal(400, 'The requested Payment Method is not available.', {
  when: 'The shop does not offer it, or nothing is left to pay and it is not `free`.',
});

export const shippingAddressMissing = refusal(400, 'The shipping address is missing. Set the address and try again.');

export const cartHasNoProducts = refusal(404, `The "%1" Cart doesn't contain products.`, {
  when: 'Nothing is in the cart.',
});

export const couponNotValid = refusal(404, "The coupon code isn't valid. Verify the code and try again.");

export const cartItemNotFound = refusal(404, "The %1 Cart doesn't contain the %2 item.", {
  when: 'The line is not in this cart, or not any more.',
});

export const cartIsVirtual = refusal(
  400,
  'The Cart includes virtual product(s) only, so a shipping address is not used.',
  { when: 'Nothing in the cart is shipped.' },
);

export const cartNotAnonymous = refusal(
  400,
  "The customer can't be assigned to the cart because the cart isn't anonymous.",
  { when: 'The cart is a customer’s already, also after a repeat.' },
);

export const shippingForEmptyCart = refusal(
  400,
  "The shipping method can't be set for an empty cart. Add an item to cart and try again.",
  { when: 'Nothing is in the cart.' },
);

export const carrierNotFound = refusal(404, 'Carrier with such method not found: %1, %2', {
  when: 'The shop does not offer this way.',
});

export const customerAddressNotFound = refusal(404, 'Invalid customer address id %1', {
  when: "`customer_address_id` is no entry of the customer's address book. A guest has none.",
});

export const couponNotSaved = refusal(400, 'Error occurred when saving coupon: %1');

export const couponsNotGenerated = refusal(400, 'Error occurred when generating coupons: %1');

export const taxClassInUse = refusal(400, 'You cannot delete this tax class because it is used in existing %1(s).');

export const cartWorthTooMuch = refusal(400, 'The cart is worth more than can be counted.', {
  when: 'The total of a row is more than 9,000,000,000.',
});

export const productNotAvailable = refusal(400, 'Product that you are trying to add is not available.', {
  when: 'The product is disabled, or not sold on this website.',
});

export const requestedQtyNotAvailable = refusal(400, 'The requested qty is not available');

export const itemOptionsRequired = refusal(400, 'You need to choose options for your item.', {
  when:
    'Of a configurable product an option is not chosen, or no product has the chosen values. Or its type is none ' +
    'that carts take: simple, virtual and configurable ones are.',
});

export const billingAddressMissing = refusal(400, 'The billing address is missing. Set the address and try again.');

export const shippingMethodMissing = refusal(
  400,
  'The shipping method is missing. Select the shipping method and try again.',
);

export const paymentMethodMissing = refusal(400, 'Enter a valid payment method and try again.');

export const purchaseOrderNumberMissing = refusal(400, 'Purchase order number is a required field.');
