/**
 * A request that is answered with a message. `{paid}` in a path or a body stands for the id of the paid order; `as`
 * names the customer who asks, in place of an administrator.
 */
export type Trigger = readonly [
  method: string,
  path: string,
  body?: unknown,
  more?: { headers?: Record<string, string>; as?: 'owner' | 'cartless' },
];
export type Row = readonly [status: number, message: string, trigger: Trigger, parameters?: unknown];

const notThere = "The entity that was requested doesn't exist. Verify the entity and try again.";
const ofType = (contentType: string) => ({ headers: { 'content-type': contentType } });
const memoOf = (more: object) => ({
  creditmemo: { order_id: '{paid}', grand_total: 1, ...more },
  offlineRequested: true,
});
const manyItems = Array.from({ length: 2_001 }, () => ({}));

/** Platform facts 2.3. */
export const framework: readonly Row[] = [
  [404, 'Request does not match any route.', ['GET', '/V1/nothing']],
  [404, 'Request does not match any route.', ['DELETE', '/V1/orders']],
  [400, 'Specified request cannot be processed.', ['GET', '/rest/nowhere/V1/orders/1']],
  [405, 'The PATCH HTTP method is not supported.', ['PATCH', '/V1/orders/1']],
  [400, '"%fieldName" is required. Enter and try again.', ['POST', '/V1/orders', {}], { fieldName: 'entity' }],
  [
    400,
    '"%fieldName" is required. Enter and try again.',
    ['POST', '/V1/orders', { entity: null }],
    { fieldName: 'entity' },
  ],
  [400, 'Decoding error.', ['POST', '/V1/orders', '{']],
  [400, 'Content-Type header is empty.', ['POST', '/V1/orders', '{}', ofType('')]],
  [400, 'Content-Type header is invalid.', ['POST', '/V1/orders', 'x', ofType('text plain')]],
  [
    400,
    'UTF-8 is the only supported charset.',
    ['POST', '/V1/orders', 'x', ofType('application/json; charset=latin1')],
  ],
  [
    400,
    'Server cannot understand Content-Type HTTP header media type text/plain',
    ['POST', '/V1/orders', 'x', ofType('text/plain')],
  ],
  [
    400,
    'The "abc" value\'s type is invalid. The "int" type was expected. Verify and try again.',
    ['GET', '/V1/orders/abc'],
  ],
  [
    400,
    'Error occurred during "price" processing. The "x" value\'s type is invalid. The "float" type was expected. ' +
      'Verify and try again.',
    ['POST', '/V1/products', { product: { sku: 'NEW', price: 'x' } }],
  ],
  [
    400,
    'Maximum SearchCriteria pageSize is %max',
    ['GET', '/V1/carts/search?searchCriteria[pageSize]=101'],
    { max: 100 },
  ],
  [
    400,
    'Maximum items of type "%type" is %max',
    ['POST', '/V1/inventory/source-items', { sourceItems: manyItems }],
    { type: 'sourceItems', max: 2_000 },
  ],
  [
    404,
    'No such entity with %fieldName = %fieldValue',
    ['GET', '/V1/customers/999999'],
    { fieldName: 'customerId', fieldValue: 999_999 },
  ],
  [
    404,
    'No such entity with %fieldName = %fieldValue, %field2Name = %field2Value',
    ['PUT', '/V1/customers/password', { email: 'nobody@example.com', template: 'email_reset', websiteId: 1 }],
    { fieldName: 'email', fieldValue: 'nobody@example.com', field2Name: 'websiteId', field2Value: 1 },
  ],
  [404, 'No such entity.', ['GET', '/V1/salesRules/999999']],
  [
    400,
    'Invalid value of "%value" provided for the %fieldName field.',
    ['POST', '/V1/invoices', { entity: { order_id: '{fresh}', state: 9 } }],
    { fieldName: 'state', value: 9 },
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
  [
    400,
    'The %fieldName value of "%value" must be between %minValue and %maxValue',
    ['POST', '/V1/products', { product: { sku: 'NEW', name: 'New', price: 1, visibility: 5 } }],
    { fieldName: 'visibility', value: 5, minValue: 1, maxValue: 4 },
  ],
];

/** Platform facts 2.4: orders, invoices, credit memos and shipments. */
export const documents: readonly Row[] = [
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
    'We cannot register an existing invoice',
    ['POST', '/V1/invoices', { entity: { entity_id: '{invoice}', order_id: '{fresh}' } }],
  ],
  [
    400,
    'We cannot register an existing credit memo.',
    ['POST', '/V1/creditmemo/refund', memoOf({ entity_id: '{memo}' })],
  ],
  [400, 'You can not cancel Credit Memo', ['PUT', '/V1/creditmemo/{memo}']],
  [
    400,
    'The most money available to refund is %1.',
    ['POST', '/V1/creditmemo/refund', memoOf({ grand_total: 999 })],
    ['$108.00'],
  ],
  [400, 'The capture action is not available.', ['POST', '/V1/invoices/{invoice}/capture']],
  [400, 'The void action is not available.', ['POST', '/V1/invoices/{invoice}/void']],
  [400, 'The refund action is not available.', ['POST', '/V1/invoice/{foreignInvoice}/refund', { isOnline: true }]],
  [
    400,
    'If the invoice was created offline, try creating an offline credit memo.',
    ['POST', '/V1/invoice/{unnamedInvoice}/refund', { isOnline: true }],
  ],
  [
    400,
    'Maximum shipping amount allowed to refund is: %1',
    ['POST', '/V1/order/{shipping}/refund', { arguments: { shipping_amount: 10.01 } }],
    ['$10.00'],
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
    ['Mug'],
  ],
  [
    400,
    'We found an invalid quantity to invoice item "%1".',
    ['POST', '/V1/order/{fresh}/invoice', { items: [{ order_item_id: '{freshLine}', qty: 9 }] }],
    ['Mug'],
  ],
  [
    400,
    "Invoice Document Validation Error(s):\nThe invoice can't be created without products. Add products and try again.\nThe order does not allow an invoice to be created.",
    ['POST', '/V1/order/{large}/invoice', {}],
  ],
  [
    400,
    'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of closed',
    ['POST', '/V1/order/{closed}/refund', {}],
  ],
  [
    400,
    'Shipment Document Validation Error(s):\nPlease enter a tracking number.',
    [
      'POST',
      '/V1/order/{fresh}/ship',
      { items: [{ order_item_id: '{freshLine}', qty: 1 }], tracks: [{ title: 'Post', carrier_code: 'custom' }] },
    ],
  ],
  [
    400,
    'Not all of your products are available in the requested quantity.',
    ['POST', '/V1/order/{large}/ship', { arguments: { extension_attributes: { source_code: 'floor' } } }],
  ],
];
