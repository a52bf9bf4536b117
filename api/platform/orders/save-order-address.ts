import { z } from 'zod';
import { addressTexts, Order } from '../../../db/platform/orders/order.entity.ts';
import { commentOrder } from '../../../db/platform/orders/comment-order.ts';
import { unholdOrder } from '../../../db/platform/orders/hold-order.ts';
import { saveOrderAddress } from '../../../db/platform/orders/save-order-address.ts';
import { readOrderComments } from '../../../db/platform/orders/read-documents.ts';
import { readOrder, searchOrderItems } from '../../../db/platform/orders/read-order-items.ts';
import { readOrderItem } from '../../../db/platform/orders/read-order-lines.ts';
import { refuseCardData } from '../../../domain/card-data.ts';
import { noSuchDocument } from '../../../domain/errors.ts';
import { holdNotRemovable } from '../../../domain/refusals/documents.ts';
import { attributeNameNotValid, idRequired, noSuchOrder } from '../../../domain/refusals/platform.ts';
import { listRoute, mailDocumentRoute, type MailDocument } from '../../http/route-kinds.ts';
import { done, route } from '../../http/route.ts';
import { eachOf, ofParent, without } from '../../wire/rows.ts';
import { unknownDocument, cardNumber, unknownOrder } from '../../wire/outcomes.ts';
import { flag, growing, idParam, listAnswer, payload, recordId, text } from '../../wire/schemas.ts';
import {
  addressAnswer,
  itemAnswer,
  orderCommentAnswer,
  renderAddress,
  renderOrderComment,
  renderOrderItem,
} from './order-answer.ts';

const readOver = [
  'entityId',
  'parentId',
  'addressType',
  'vatIsValid',
  'vatRequestId',
  'vatRequestDate',
  'vatRequestSuccess',
  'extensionAttributes',
] as const;

const words = {
  ...eachOf(addressTexts, text(255).optional()),
  ...eachOf(['regionId', 'customerId', 'customerAddressId'], recordId.optional()),
  ...eachOf(readOver, z.unknown().optional()),
  street: z.union([z.array(text(255)).max(20), text(255).transform((line) => [line])]).optional(),
};

/** An order's address as a caller sends it. What only the server sets is read over, so that a read can be sent back. */
export const addressPayload = payload(words)
  .transform((input) => without(input, readOver))
  .meta({ id: 'OrderAddress' });

/** The same where the address itself is saved: its id or its type says which one. */
const ownAddressPayload = payload({
  ...words,
  entityId: recordId.optional(),
  addressType: z.enum(['billing', 'shipping']).default('billing'),
}).transform(({ entityId, addressType, ...input }) => ({
  entityId,
  addressType,
  address: without({ ...input, entityId, addressType }, readOver),
}));

const example = {
  entity_id: 51,
  parent_id: 42,
  address_type: 'billing' as const,
  firstname: 'Ann',
  lastname: 'Lee',
  street: ['1 Main St'],
  city: 'Troy',
  country_id: 'US',
};

/** Saves an address of an order (platform facts 5.4). See `saveOrderAddress`. */
export const saveOrderAddressRoute = route({
  name: 'saveOrderAddress',
  method: 'PUT',
  path: '/V1/orders/:parent_id',
  acl: 'Platform_Sales::create',
  summary: 'Save an address of an order',
  description:
    'What is sent is changed, the rest stays. `entity_id` says which address; without it `address_type` does, ' +
    'and an address that the order does not have yet is added. Documents and mails that were made before keep ' +
    'what they said. A repeat leaves the same address.',
  outcomes: [unknownDocument('The order is unknown, or the address in `entity_id` belongs to another order.')],
  examples: [
    {
      title: 'A new street',
      params: { parent_id: 42 },
      body: { entity: { entity_id: 51, street: ['1 Main St'], city: 'Troy' } },
      response: example,
    },
  ],
  params: z.object({ parent_id: idParam }),
  body: z.object({ entity: ownAddressPayload }),
  response: addressAnswer,

  async handle({ em, params: { parent_id: orderId }, body }) {
    const saved = await saveOrderAddress(em, { orderId, ...body.entity });
    const { addresses } = await readOrder(em, orderId);
    const row = addresses.find((one) => one['entity_id'] === saved.entityId);
    if (!row) throw noSuchDocument();
    return renderAddress(row);
  },
});

/** The status of an order, as a bare text (platform facts 5.2). */
export const getOrderStatus = route({
  method: 'GET',
  path: '/V1/orders/:id/statuses',
  acl: 'Platform_Sales::actions_view',
  summary: 'Status of an order',
  name: 'getOrderStatus',
  description: `A bare text, such as \`"processing"\`.`,
  outcomes: [unknownOrder, idRequired],
  params: z.object({ id: idParam }),
  response: z.string(),

  async handle({ em, params: { id } }) {
    const order = await em.findOne(Order, { entityId: id }, { fields: ['status'] });
    if (!order) throw noSuchOrder(id);
    return order.status;
  },
});

/** Ends the hold of an order (platform facts 5.4). */
export const unholdOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/unhold',
  acl: 'Platform_Sales::unhold',
  summary: 'Release an order',
  name: 'unholdOrder',
  description: 'The order goes on in the state that it had.',
  outcomes: [unknownOrder, idRequired, holdNotRemovable],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { id } }) => done(unholdOrder(em, id)),
});

/** One line of an order (platform facts 5.2). */
export const getOrderItem = route({
  method: 'GET',
  path: '/V1/orders/items/:id',
  acl: 'Platform_Sales::actions_view',
  summary: 'One line of an order',
  name: 'getOrderItem',
  description: 'Totals are net of discount.',
  outcomes: [unknownDocument('There is no line of this id.')],
  params: z.object({ id: idParam }),
  response: itemAnswer,

  handle: async ({ em, params: { id } }) => renderOrderItem(await readOrderItem(em, id)),
});

/** Searches order lines by any column, such as `order_id` and `sku` (platform facts 5.2). */
export const listOrderItems = listRoute({
  path: '/V1/orders/items',
  acl: 'Platform_Sales::actions_view',
  summary: 'Lines of orders',
  name: 'listOrderItems',
  description: `By every column of a line, such as \`order_id\` and \`sku\`. \`searchCriteria\` is required: send
    \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: itemAnswer,
  find: searchOrderItems,
  render: ({ item }) => renderOrderItem(item),
});

/** The longest comment. */
const maxComment = 65_535;

const statusHistory = growing({
  comment: text(maxComment).default(''),
  status: text(32).optional(),
  isCustomerNotified: flag.default(false),
  isVisibleOnFront: flag.default(false),
});

/** Adds a line to an order's history (platform facts 5.4). */
export const commentOrderRoute = route({
  method: 'POST',
  path: '/V1/orders/:id/comments',
  acl: 'Platform_Sales::comment',
  summary: 'Comment on an order',
  name: 'commentOrder',
  description: `A \`status\` that belongs to the order’s state becomes the order’s own; another one is ignored. A
    repeat adds another line, unless it has the same \`Idempotency-Key\`.`,
  outcomes: [unknownOrder, idRequired, cardNumber],
  params: z.object({ id: idParam }),
  body: z.object({ statusHistory }),
  response: z.literal(true),

  async handle({ em, params: { id }, body }) {
    refuseCardData(body.statusHistory.comment);
    await commentOrder(em, { orderId: id, ...body.statusHistory });
    return true as const;
  },
});

/** The history of an order, newest first; empty for an unknown order (platform facts 3.5, 5.4). */
export const listOrderComments = route({
  method: 'GET',
  path: '/V1/orders/:id/comments',
  acl: 'Platform_Sales::actions_view',
  summary: 'History of an order',
  name: 'listOrderComments',
  description: 'Newest first. It is empty for an unknown order.',
  outcomes: [],
  params: z.object({ id: idParam }),
  response: listAnswer(orderCommentAnswer),

  async handle({ em, params: { id } }) {
    const rows = await readOrderComments(em, id);
    return ofParent(id, rows.map(renderOrderComment));
  },
});

/** The four routes that send a document of an order to its customer. */
export const mailRoutes = (mailDocument: MailDocument) => [
  mailDocumentRoute({
    name: 'emailOrder',
    path: '/V1/orders/:id/emails',
    acl: 'Platform_Sales::emails',
    summary: 'Send an order to its customer',
    document: 'order',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailInvoice',
    path: '/V1/invoices/:id/emails',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Send an invoice to its customer',
    document: 'invoice',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailShipment',
    path: '/V1/shipment/:id/emails',
    acl: 'Platform_Sales::shipment',
    summary: 'Send a shipment to its customer',
    document: 'shipment',
    mailDocument,
  }),
  mailDocumentRoute({
    name: 'emailCreditMemo',
    path: '/V1/creditmemo/:id/emails',
    acl: 'Platform_Sales::sales_creditmemo',
    summary: 'Send a credit memo to its customer',
    document: 'creditmemo',
    mailDocument,
  }),
];
