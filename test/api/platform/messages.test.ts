import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { sourcesOf } from '../../house/sources.ts';

/** Every message of platform facts 2.3 and 2.4: which route answers it, and to what; or why no route answers it. */
let api: TestApi;
let ids: Record<string, number | string>;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  const em = () => api.orm.em.fork();
  const [paid, fresh, shipping] = [
    await anOrder(em()),
    await anOrder(em(), { paid: false, shipped: false }),
    await anOrder(em(), { shipping: '10' }),
  ];
  const memo = await call('POST', `/V1/order/${(await anOrder(em())).orderId}/refund`, {});
  ids = {
    paid: paid.orderId,
    line: paid.itemIds[0]!,
    invoice: paid.invoiceId!,
    fresh: fresh.orderId,
    freshLine: fresh.itemIds[0]!,
    shipping: shipping.orderId,
    memo: memo.body,
  };
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.call(method, path, { token: api.tokens.admin, headers, ...(body === undefined ? {} : { body }) });

/** `{paid}` in a path or a body stands for the id of the paid order. */
const filled = (text: string) => text.replaceAll(/"?\{(\w+)\}"?/g, (_, name: string) => String(ids[name]));

type Trigger = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];
type Row = readonly [status: number, message: string, trigger: Trigger];

const notThere = "The entity that was requested doesn't exist. Verify the entity and try again.";
const unknown = 'No such entity with %fieldName = %fieldValue';
const email = { customer: { email: 'nobody', firstname: 'Ann', lastname: 'Lee' } };
const named = (firstname: string, lastname: string) => ({
  customer: { email: 'new@example.com', firstname, lastname },
});
const inGroup = { customer: { ...named('Ann', 'Lee').customer, group_id: 9999 } };
const defaultSource = { name: 'Default Source', country_id: 'US', postcode: '00000' };
const memoOf = (more: object) => ({
  creditmemo: { order_id: '{paid}', grand_total: 1, ...more },
  offlineRequested: true,
});

const framework: Row[] = [
  [404, 'Request does not match any route.', ['GET', '/V1/nothing']],
  [400, 'Specified request cannot be processed.', ['GET', '/rest/nowhere/V1/orders/1']],
  [405, 'The PATCH HTTP method is not supported.', ['PATCH', '/V1/orders/1']],
  [400, '"%fieldName" is required. Enter and try again.', ['POST', '/V1/orders', {}]],
  [400, 'Decoding error.', ['POST', '/V1/orders', '{']],
  [
    400,
    'Server cannot understand Content-Type HTTP header media type text/plain',
    ['POST', '/V1/orders', 'x', { 'content-type': 'text/plain' }],
  ],
  [400, 'Content-Type header is invalid.', ['POST', '/V1/orders', 'x', { 'content-type': 'text plain' }]],
  [
    400,
    'UTF-8 is the only supported charset.',
    ['POST', '/V1/orders', 'x', { 'content-type': 'application/json; charset=latin1' }],
  ],
  [
    400,
    'The "abc" value\'s type is invalid. The "int" type was expected. Verify and try again.',
    ['GET', '/V1/orders/abc'],
  ],
  [
    400,
    'Error occurred during "price" processing. The "x" value\'s type is invalid. The "float" type was expected. Verify and try again.',
    ['POST', '/V1/products', { product: { sku: 'NEW', price: 'x' } }],
  ],
  [404, unknown, ['GET', '/V1/customers/999999']],
  [
    400,
    'Invalid value of "%value" provided for the %fieldName field.',
    ['POST', '/V1/invoices', { entity: { order_id: '{fresh}', state: 9 } }],
  ],
  [
    400,
    'The %fieldName value of "%value" must be greater than or equal to %minValue.',
    ['POST', '/V1/order/{paid}/refund', { arguments: { adjustment_positive: -1 } }],
  ],
  [
    400,
    'The %fieldName value of "%value" must be less than or equal to %maxValue.',
    ['POST', '/V1/creditmemo/refund', memoOf({ tax_amount: 99 })],
  ],
];

const documents: Row[] = [
  [404, notThere, ['GET', '/V1/orders/999999']],
  [404, notThere, ['GET', '/V1/invoices/999999']],
  [404, notThere, ['GET', '/V1/creditmemo/999999']],
  [404, notThere, ['GET', '/V1/shipment/999999']],
  [404, notThere, ['GET', '/V1/orders/items/999999']],
  [404, notThere, ['GET', '/V1/transactions/999999']],
  [400, 'An ID is needed. Set the ID and try again.', ['GET', '/V1/orders/0']],
  [400, 'You cannot remove the hold.', ['POST', '/V1/orders/{paid}/unhold']],
  [400, 'A hold action is not available.', ['POST', '/V1/orders/{paid}/hold']],
  [
    400,
    'We cannot register an existing credit memo.',
    ['POST', '/V1/creditmemo/refund', memoOf({ entity_id: '{memo}' })],
  ],
  [400, 'You can not cancel Credit Memo', ['PUT', '/V1/creditmemo/{memo}']],
  [400, 'The most money available to refund is %1.', ['POST', '/V1/creditmemo/refund', memoOf({ grand_total: 999 })]],
  [400, 'The capture action is not available.', ['POST', '/V1/invoices/{invoice}/capture']],
  [400, 'The void action is not available.', ['POST', '/V1/invoices/{invoice}/void']],
  [
    400,
    'Maximum shipping amount allowed to refund is: %1',
    ['POST', '/V1/order/{shipping}/refund', { arguments: { shipping_amount: 10.01 } }],
  ],
  [
    400,
    'You can not refund shipping if there is no shipping amount.',
    ['POST', '/V1/order/{paid}/refund', { arguments: { shipping_amount: 1 } }],
  ],
  [
    400,
    'We found an invalid quantity to refund item "%1".',
    ['POST', '/V1/order/{paid}/refund', { items: [{ order_item_id: '{line}', qty: 9 }] }],
  ],
  [
    400,
    'We found an invalid quantity to invoice item "%1".',
    ['POST', '/V1/order/{fresh}/invoice', { items: [{ order_item_id: '{freshLine}', qty: 9 }] }],
  ],
];

const others: Row[] = [
  [
    404,
    "The product that was requested doesn't exist. Verify the product and try again.",
    ['GET', '/V1/products/NONE'],
  ],
  [404, 'The Product with the "%1" SKU doesn\'t exist.', ['GET', '/V1/stockItems/NONE']],
  [404, "The country isn't available.", ['GET', '/V1/directory/countries/XX']],
  [404, unknown, ['GET', '/V1/customerGroups/999999']],
  [404, unknown, ['GET', '/V1/taxRates/999999']],
  [404, unknown, ['GET', '/V1/taxRules/999999']],
  [400, 'The specified customer group id does not exist.', ['POST', '/V1/customers', inGroup]],
  [
    400,
    'Middle Name is not valid!',
    ['POST', '/V1/customers', { customer: { ...named('Ann', 'Lee').customer, middlename: '<b>' } }],
  ],
  [
    400,
    "The password can't be the same as the email address. Create a new password and try again.",
    ['POST', '/V1/customers', { ...named('Ann', 'Lee'), password: 'new@example.com' }],
  ],
  [400, 'Customer Group already exists.', ['POST', '/V1/customerGroups', { group: { code: 'general' } }]],
  [400, 'Cannot delete group.', ['DELETE', '/V1/customerGroups/0']],
  [
    400,
    'Default source can not be disabled.',
    ['PUT', '/V1/inventory/sources/default', { source: { ...defaultSource, enabled: false } }],
  ],
  [400, '"Email" is not a valid email address.', ['POST', '/V1/customers', email]],
  [400, 'First Name is not valid!', ['POST', '/V1/customers', named('<b>', 'Lee')]],
  [400, 'Last Name is not valid!', ['POST', '/V1/customers', named('Ann', '<b>')]],
  [
    400,
    'The password needs at least %1 characters. Create a new password and try again.',
    ['POST', '/V1/customers', { ...named('Ann', 'Lee'), password: 'Aa1!' }],
  ],
  [404, 'Source with code "%value" does not exist.', ['GET', '/V1/inventory/sources/none']],
  [404, 'Stock with id "%value" does not exist.', ['GET', '/V1/inventory/stocks/999999']],
  [404, 'No linked stock found', ['GET', '/V1/inventory/stock-resolver/website/none']],
  [400, 'Input data is empty', ['POST', '/V1/inventory/source-items', { sourceItems: [] }]],
  [404, 'The CMS page with the "%1" ID doesn\'t exist.', ['GET', '/V1/cmsPage/999999']],
  [404, 'The CMS block with the "%1" ID doesn\'t exist.', ['GET', '/V1/cmsBlock/999999']],
];

test.each([...framework, ...documents, ...others])('%i %s', async (status, message, [method, path, body, headers]) => {
  const sent = typeof body === 'object' ? JSON.parse(filled(JSON.stringify(body))) : body;
  const answer = await call(method, filled(path), sent, headers);
  expect({ status: answer.status, message: answer.body.message }).toEqual({ status, message });
});

test('401 The consumer is not authorised, whatever is asked for', async () => {
  expect(await api.call('GET', '/V1/orders/1')).toMatchObject({
    status: 401,
    body: { message: "The consumer isn't authorized to access %resources." },
  });
});

/** Messages that no route answers, and why. */
const unanswered: [message: string, why: string][] = [
  ['Operation allowed only in HTTPS', 'TLS ends before this process: it cannot tell'],
  ['We cannot register an existing invoice', 'no route hands an invoice over to be registered'],
  ['Could not save an invoice, see error log for details', 'a fault of ours is 500, with the id of its report'],
  ['Could not save a Creditmemo, see error log for details', 'a fault of ours is 500, with the id of its report'],
  ['Could not save a shipment, see error log for details', 'a fault of ours is 500, with the id of its report'],
];

test.each(unanswered)('%s: %s', (message) => {
  const texts = sourcesOf('api', 'db', 'domain', 'providers').map(({ text }) => text);
  expect(texts.filter((text) => text.includes(message))).toEqual([]);
});
