import type { Row } from './message-rows.ts';

const unknown = 'No such entity with %fieldName = %fieldValue';
const noProduct = "The product that was requested doesn't exist. Verify the product and try again.";
const noActiveCart = 'Current customer does not have an active cart.';
const keyOfPage =
  "The page URL key can't use capital letters or disallowed symbols. Remove the letters and symbols and try again.";
const classes =
  'Minimum of different classes of characters in password is %1. Classes of characters: Lower Case, Upper Case, ' +
  'Digits, Special Characters.';

const named = (given: object = {}) => ({
  customer: { email: 'new@example.com', firstname: 'Ann', lastname: 'Lee', ...given },
});
const withPassword = (password: string) => ({ ...named(), password });
const key = (fieldName: string, fieldValue: unknown) => ({ fieldName, fieldValue });
const page = (identifier: string) => ({ page: { identifier, title: 'About us', content: 'We.' } });
const block = { block: { identifier: 'note', title: 'Note', content: 'Open.' } };
const defaultSource = { name: 'Default Source', country_id: 'US', postcode: '00000' };
const inventory = '/V1/inventory';

const customers: readonly Row[] = [
  [404, unknown, ['GET', '/V1/customers/addresses/999999'], key('addressId', 999_999)],
  [404, unknown, ['GET', '/V1/customerGroups/999999'], key('id', 999_999)],
  [
    400,
    'A customer with the same email address already exists in an associated website.',
    ['POST', '/V1/customers', named({ email: 'OWNER@example.com' })],
  ],
  [400, '"Email" is not a valid email address.', ['POST', '/V1/customers', named({ email: 'nobody' })]],
  [400, 'The specified customer group id does not exist.', ['POST', '/V1/customers', named({ group_id: 9999 })]],
  [400, 'First Name is not valid!', ['POST', '/V1/customers', named({ firstname: '<b>' })]],
  [400, 'Last Name is not valid!', ['POST', '/V1/customers', named({ lastname: '<b>' })]],
  [400, 'Middle Name is not valid!', ['POST', '/V1/customers', named({ middlename: '<b>' })]],
  [
    400,
    'The store view is not in the associated website.',
    ['POST', '/V1/customers', named({ website_id: 9, store_id: 1 })],
  ],
  [400, 'This customer already exists in this store.', ['POST', '/V1/customers', named({ id: '{owner}' })]],
  [
    400,
    'The password needs at least %1 characters. Create a new password and try again.',
    ['POST', '/V1/customers', withPassword('Aa1!')],
    [8],
  ],
  [400, classes, ['POST', '/V1/customers', withPassword('lowercase2026')], [3]],
  [
    400,
    "The password can't be the same as the email address. Create a new password and try again.",
    ['POST', '/V1/customers', withPassword('new@example.com')],
  ],
  [400, 'Customer Group already exists.', ['POST', '/V1/customerGroups', { group: { code: 'general' } }]],
  [400, 'Cannot delete group.', ['DELETE', '/V1/customerGroups/0']],
];

const carts: readonly Row[] = [
  [404, unknown, ['GET', '/V1/carts/999999'], key('cartId', 999_999)],
  [404, unknown, ['GET', '/V1/carts/mine', undefined, { as: 'cartless' }], key('customerId', '{cartless}')],
  [404, noActiveCart, ['GET', '/V1/carts/mine/items', undefined, { as: 'cartless' }]],
  [404, noActiveCart, ['GET', '/V1/carts/mine/totals', undefined, { as: 'cartless' }]],
  [404, noActiveCart, ['PUT', '/V1/carts/mine/coupons/TENOFF', undefined, { as: 'cartless' }]],
  [404, 'The "%1" Cart doesn\'t contain products.', ['PUT', '/V1/carts/{emptyCart}/coupons/TENOFF'], ['{emptyCart}']],
  [
    404,
    "The coupon code isn't valid. Verify the code and try again.",
    ['PUT', '/V1/carts/mine/coupons/NONE', undefined, { as: 'owner' }],
  ],
];

const goods: readonly Row[] = [
  [404, noProduct, ['GET', '/V1/products/NONE']],
  [404, 'The Product with the "%1" SKU doesn\'t exist.', ['GET', '/V1/stockItems/NONE'], ['NONE']],
  [404, 'Source with code "%value" does not exist.', ['GET', `${inventory}/sources/none`], { value: 'none' }],
  [404, 'Stock with id "%value" does not exist.', ['GET', `${inventory}/stocks/999999`], { value: 999_999 }],
  [404, 'No linked stock found', ['GET', `${inventory}/stock-resolver/website/none`]],
  [400, 'Input data is empty', ['POST', `${inventory}/source-items`, { sourceItems: [] }]],
  [
    400,
    'Could not save Source Item',
    [
      'POST',
      `${inventory}/source-items`,
      { sourceItems: [{ sku: 'MUG', source_code: 'none', quantity: 1, status: 1 }] },
    ],
  ],
  [
    400,
    'Default source can not be disabled.',
    ['PUT', `${inventory}/sources/default`, { source: { ...defaultSource, enabled: false } }],
  ],
  [404, noProduct, ['GET', `${inventory}/get-product-salable-quantity/NONE/1`]],
  [
    400,
    "Can't check requested quantity for products without Source Items support.",
    ['GET', `${inventory}/get-product-salable-quantity/SHIRT/1`],
  ],
];

const settings: readonly Row[] = [
  [404, "The country isn't available.", ['GET', '/V1/directory/countries/XX']],
  [404, unknown, ['GET', '/V1/taxRates/999999'], key('taxRateId', 999_999)],
  [404, unknown, ['GET', '/V1/taxRules/999999'], key('taxRuleId', 999_999)],
  [404, 'The CMS page with the "%1" ID doesn\'t exist.', ['GET', '/V1/cmsPage/999999'], [999_999]],
  [404, 'The CMS block with the "%1" ID doesn\'t exist.', ['GET', '/V1/cmsBlock/999999'], [999_999]],
  [400, 'Could not save the page: %1', ['POST', '/V1/cmsPage', page('About Us')], [keyOfPage]],
  [
    400,
    'Could not save the page: %1',
    ['POST', '/V1/cmsPage', page('about')],
    ['URL key for specified store already exists.'],
  ],
  [
    400,
    'A block identifier with the same properties already exists in the selected store.',
    ['POST', '/V1/cmsBlock', block],
  ],
];

const newsletter = '/V1/pos/newsletter/subscribe';
const letters: readonly Row[] = [
  [400, 'Enter a valid email address.', ['POST', newsletter, { email: 'nobody' }]],
  [400, 'You must specify an email address to subscribe to a newsletter.', ['POST', newsletter, { email: ' ' }]],
  [400, 'Cannot create a newsletter subscription.', ['POST', newsletter, { email: 'owner@example.com' }]],
];

/** Platform facts 2.4: all but the documents of an order. */
export const records: readonly Row[] = [...customers, ...carts, ...goods, ...settings, ...letters];
/** What stands before the rows are sent. */
export const saved = { page: page('about'), block };
