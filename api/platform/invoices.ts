import { z } from 'zod';
import { orderOfInvoice } from '../../db/platform/invoices/invoice.repository.ts';
import {
  createInvoice,
  invoiceItemMoneyColumns,
  invoiceMoneyColumns,
  payInvoice,
  readInvoice,
  saveInvoice,
  searchInvoices,
} from '../../db/platform/invoices/invoices.ts';
import { documentMoney } from '../../db/platform/orders/document-money.ts';
import type { DocumentSheet } from '../../db/platform/orders/search-documents.ts';
import { basePrefixed } from '../../db/support/columns.ts';
import {
  captureNotAvailable,
  invoiceExists,
  invoiceQuantityNotValid,
  layawayStillOwes,
  orderIsOver,
  voidNotAvailable,
} from '../../domain/refusals/documents.ts';
import { refundUnderWay } from '../../domain/refusals/money.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { documentCommentsRoute, listRoute, madeWithMail, type MailDocument } from '../http/route-kinds.ts';
import { route, type RouteContext } from '../http/route.ts';
import { eachOf } from '../wire/rows.ts';
import {
  documentArguments,
  documentCommentAnswer,
  remarkOf,
  renderDocumentComment,
  savedItems,
} from '../wire/documents.ts';
import { unknownDocument, cardNumber, couldNotSave, numberIsTaken, renderRow, unknownOrder } from '../wire/outcomes.ts';
import { flag, idParam, integer, payload, recordId, savedNumber } from '../wire/schemas.ts';

/** The comments on an invoice (platform facts 3.5). */
export const listInvoiceComments = documentCommentsRoute({
  path: '/V1/invoices/:id/comments',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Comments on an invoice',
  name: 'listInvoiceComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown invoice.',
  outcomes: [],
  document: 'invoice',
});

/** The form of invoices in answers (platform facts 6). */

type Shape = Record<string, z.ZodType>;

const each = (names: readonly string[], schema: z.ZodType): Shape =>
  Object.fromEntries(names.map((name) => [name, schema]));

const itemShape: Shape = {
  ...each(['entity_id', 'parent_id', 'order_item_id'], z.int()),
  product_id: z.int().optional(),
  sku: z.string(),
  name: z.string().optional(),
  qty: z.number(),
  ...each(invoiceItemMoneyColumns, z.number()),
};

const ownShape: Shape = {
  ...each(['entity_id', 'order_id', 'store_id', 'state'], z.int()),
  ...each(['increment_id', 'created_at', 'updated_at'], z.string()),
  ...each([...invoiceMoneyColumns, 'base_total_refunded', 'total_qty'], z.number()),
  transaction_id: z.string().optional(),
  is_used_for_refund: z.literal([0, 1]),
  email_sent: z.int().optional(),
};

const orderShape: Shape = {
  ...each(['base_currency_code', 'global_currency_code', 'order_currency_code', 'store_currency_code'], z.string()),
  ...each(['base_to_global_rate', 'base_to_order_rate', 'store_to_base_rate', 'store_to_order_rate'], z.number()),
  ...each(['billing_address_id', 'shipping_address_id'], z.int().optional()),
};

/** Columns that are copied unchanged. */
const invoiceItemColumns = Object.keys(itemShape);
const invoiceColumns = Object.keys(ownShape);
const invoiceOrderColumns = Object.keys(orderShape);

const wholeShape: Shape = {
  ...ownShape,
  ...orderShape,
  can_void_flag: z.int(),
  items: z.array(z.strictObject(itemShape)),
  comments: z.array(documentCommentAnswer),
};

const invoiceAnswer = z.strictObject(wholeShape).meta({ id: 'Invoice' });

/** An invoice in answers (platform facts 6). None can be voided, because offline money is not held. */
const renderInvoice = ({ document, items, comments, order }: DocumentSheet): Record<string, unknown> => ({
  ...renderRow(document, invoiceColumns),
  ...renderRow(order, invoiceOrderColumns),
  can_void_flag: 0,
  items: items.map((item) => renderRow(item, invoiceItemColumns)),
  comments: comments.map(renderDocumentComment),
});

/** Calculated by the server, and ignored in a request, so that a client can send back what it read. */
const readOver = [
  ...documentMoney,
  ...basePrefixed(...documentMoney),
  'baseCurrencyCode',
  'globalCurrencyCode',
  'orderCurrencyCode',
  'storeCurrencyCode',
  'baseToGlobalRate',
  'baseToOrderRate',
  'storeToBaseRate',
  'storeToOrderRate',
  'billingAddressId',
  'shippingAddressId',
  'shippingDiscountTaxCompensationAmount',
  'baseShippingDiscountTaxCompensationAmnt',
  'baseTotalRefunded',
  'canVoidFlag',
  'comments',
  'createdAt',
  'updatedAt',
  'discountDescription',
  'emailSent',
  'extensionAttributes',
  'isUsedForRefund',
  'storeId',
  'totalQty',
  'transactionId',
] as const;

const entity = payload({
  entityId: recordId.optional(),
  orderId: recordId.optional(),
  state: integer.optional(),
  incrementId: savedNumber,
  items: savedItems,
  ...eachOf(readOver, z.unknown().optional()),
});

/**
 * Makes the route that saves an invoice; `afterSave` runs after the transaction.
 *
 * With `entity_id`, state 2 pays the invoice and 3 cancels it (platform facts 6). Without it, writes a new invoice of
 * `order_id`, open or with state 2 paid.
 */
export const saveInvoiceRoute = (afterSave: AfterInvoiceSave) =>
  route({
    method: 'POST',
    path: '/V1/invoices',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Save an invoice',
    name: 'saveInvoice',
    description: `With \`entity_id\`: state 2 pays the invoice, 3 cancels it. Without: a new one of \`order_id\`,
      open, or paid with state 2; your own \`increment_id\` is kept. Figures are worked out by the server, whatever is
        sent.`,
    outcomes: [
      unknownDocument('There is no invoice or order of this id.'),
      invoiceExists,
      numberIsTaken,
      orderIsOver,
      refundUnderWay,
    ],
    body: z.object({ entity }),
    response: invoiceAnswer,

    async handle({ em, body, workflows, log }) {
      const { entityId, orderId, state, items, incrementId } = body.entity;
      const sheet = await readInvoice(em, await saveInvoice(em, { entityId, orderId, state, items, incrementId }));
      await afterSave(Number(sheet.document['order_id']), { em, workflows, log });
      return renderInvoice(sheet);
    },
  });

const fault = couldNotSave('an invoice');

/** Makes the route that invoices named goods of an order, or everything that is left (platform facts 6). */
export const createInvoiceRoute = (mailDocument: MailDocument) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/invoice',
    acl: 'Platform_Sales::invoice',
    summary: 'Invoice an order',
    name: 'invoiceOrder',
    description: `Invoices the lines that are named, or all that is left. The invoice is paid at once, whatever
    \`capture\` says. Answers its id. What is invoiced is not left, so a repeat is refused.`,
    outcomes: [
      unknownOrder,
      {
        status: 400,
        message: 'Invoice Document Validation Error(s):\n…',
        when:
          'Nothing is left to invoice, or the order’s state does not allow it. Each fault is a line of the ' +
          'sentence.',
        then: 'Read the order again.',
      },
      invoiceQuantityNotValid,
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object({ ...documentArguments, capture: flag.default(false), arguments: z.unknown().optional() }),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body: { items, notify, ...body },
      } = context;
      const comment = remarkOf({ ...body, notify });
      return madeWithMail({ document: 'invoice', notify, mailDocument }, context, (em) =>
        createInvoice(em, { orderId, items, ...(comment ? { comment } : {}) }),
      );
    },
  });

/** What other features do when an invoice is paid and the transaction has ended. Never fails. */
export type AfterInvoiceSave = (
  orderId: number,
  context: Pick<RouteContext, 'em' | 'workflows' | 'log'>,
) => Promise<void>;

/**
 * Makes the route that pays an open invoice; `afterSave` runs after the transaction.
 *
 * This is how a register settles a layaway (platform facts 6, 12.4).
 */
export const captureInvoice = (afterSave: AfterInvoiceSave) =>
  route({
    method: 'POST',
    path: '/V1/invoices/:id/capture',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Pay an open invoice',
    name: 'captureInvoice',
    description: 'Pays an open invoice: the last step of a layaway. A second time is refused.',
    outcomes: [unknownDocument('There is no invoice of this id.'), captureNotAvailable, layawayStillOwes, orderIsOver],
    params: z.object({ id: idParam }),
    response: z.literal(true),

    async handle({ em, params: { id }, workflows, log }) {
      await afterSave(await payInvoice(em, id), { em, workflows, log });
      return true as const;
    },
  });

/**
 * Always refused: no payment here is only authorised, so no invoice can be voided. An unknown invoice is a 404
 * (platform facts 2.4).
 */
export const voidInvoice = route({
  name: 'voidInvoice',
  method: 'POST',
  path: '/V1/invoices/:id/void',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Void an invoice (always refused)',
  description:
    'A void gives an authorised payment up before it is captured. No payment method here authorises first, so ' +
    'there is nothing to void, and `can_void_flag` of every invoice is 0. Nothing changes, however often it is ' +
    'sent.',
  outcomes: [unknownDocument('No invoice has this id.'), voidNotAvailable],
  examples: [{ title: 'Refused', params: { id: 7 }, response: true }],
  params: z.object({ id: idParam }),
  response: z.literal(true),

  async handle({ em, params: { id } }) {
    await orderOfInvoice(em, id);
    throw voidNotAvailable();
  },
});

/** One invoice with its lines (platform facts 6). */
export const getInvoice = route({
  method: 'GET',
  path: '/V1/invoices/:id',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'One invoice',
  name: 'getInvoice',
  description: 'With its lines and comments.',
  outcomes: [unknownDocument('There is no invoice of this id.')],
  params: z.object({ id: idParam }),
  response: invoiceAnswer,

  handle: async ({ em, params: { id } }) => renderInvoice(await readInvoice(em, id)),
});

/** Searches invoices by any column, such as `order_id` and `state` (platform facts 6). */
export const listInvoices = listRoute({
  path: '/V1/invoices',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Invoices',
  name: 'listInvoices',
  description: `By every column of an invoice, such as \`order_id\` and \`state\`: 1 open, 2 paid, 3 cancelled.
    \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: invoiceAnswer,
  find: searchInvoices,
  render: renderInvoice,
});
