import { z } from 'zod';
import { readCreditMemo, saveCreditMemo, searchCreditMemos } from '../../../db/platform/credit-memos/credit-memos.ts';
import { refundInvoice, refundOrder, refundWithTotals } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { orderOfInvoice } from '../../../db/platform/invoices/invoice.repository.ts';
import { methodOfOrder } from '../../../db/platform/orders/read-order-comments.ts';
import { fieldRequired } from '../../../domain/errors.ts';
import { isOfflineMethod } from '../../../domain/platform/credit-memos/memo-of-invoice.ts';
import {
  creditMemoExists,
  creditMemoNotCancellable,
  refundQuantityNotValid,
  shippingRefundTooHigh,
} from '../../../domain/refusals/documents.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { commentDocumentRoute, documentCommentsRoute, listRoute, madeWithMail } from '../../http/route-kinds.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import {
  unknownDocument,
  cardNumber,
  couldNotSave,
  numberIsTaken,
  requiredField,
  unknownOrder,
} from '../../wire/outcomes.ts';
import { flag, idParam } from '../../wire/schemas.ts';
import {
  creditMemoAnswer,
  creditMemoPayload,
  remarkOfMemo,
  renderCreditMemo,
  toGivenMemo,
  toPostedMemo,
  type CreditMemoPayload,
  type CreditMemoWiring,
} from './credit-memo-payload.ts';
import {
  creditMemoExample,
  onlineOutcomes,
  refundPayload,
  refundWithTotalsWords,
  toRefund,
} from './credit-memo-words.ts';

/** Always refused with 400, an unknown memo too: a booked credit memo stays booked (platform facts 2.4, 7.1). */
const cancelCreditMemo = route({
  method: 'PUT',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Cancel a credit memo (always refused)',
  name: 'cancelCreditMemo',
  description: 'A booked credit memo stays booked: this is always refused.',
  outcomes: [creditMemoNotCancellable],
  params: z.object({ id: idParam }),
  response: z.never(),

  handle() {
    throw creditMemoNotCancellable();
  },
});

/** Adds a comment to a credit memo (platform facts 7.5). */
const commentCreditMemo = commentDocumentRoute({
  name: 'commentCreditMemo',
  path: '/V1/creditmemo/:id/comments',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Comment on a credit memo',
  document: 'creditmemo',
});

/** One credit memo with its lines (platform facts 7.1). */
const getCreditMemo = route({
  method: 'GET',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'One credit memo',
  name: 'getCreditMemo',
  description: `With its lines and comments. Amounts with \`base_\` are in the base currency.`,
  outcomes: [unknownDocument('There is no credit memo of this id.')],
  params: z.object({ id: idParam }),
  response: creditMemoAnswer,

  handle: async ({ em, params: { id } }) => renderCreditMemo(await readCreditMemo(em, id)),
});

/** The comments on a credit memo (platform facts 3.5). */
const listCreditMemoComments = documentCommentsRoute({
  path: '/V1/creditmemo/:id/comments',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Comments on a credit memo',
  name: 'listCreditMemoComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown credit memo.',
  outcomes: [],
  document: 'creditmemo',
});

/** Searches credit memos by any column, such as `order_id` and `increment_id` (platform facts 7.1). */
const listCreditMemos = listRoute({
  path: '/V1/creditmemos',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Credit memos',
  name: 'listCreditMemos',
  description: `By every column of a credit memo, such as \`order_id\` and \`increment_id\`; by \`pos_moved_money\` 1
only those
    that gave money back. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all.`,
  outcomes: [attributeNameNotValid],
  answer: creditMemoAnswer,
  find: searchCreditMemos,
  render: renderCreditMemo,
});

/**
 * Makes the route that refunds one invoice. `hooksFor` makes what other features do in the same transaction, and reads
 * what returns brought back. `refundOnline` has the gateway called.
 *
 * Refunds the named lines of an invoice, or everything that is left (platform facts 7.1). Body and answer are those of
 * the order's refund. With `isOnline` the gateway that took the money is called once; the memo is booked when the money
 * went back.
 *
 * Refused with: 404 unknown invoice · 400 an invoice that is not paid or was refunded, a payment method without refunds
 * · 400 as the order's refund · online: 400 no gateway, or its refusal · 409 `gateway_uncertain`.
 *
 * @returns the credit memo's id
 */
const refundInvoiceRoute = ({ hooksFor, refundOnline, mailDocument }: CreditMemoWiring) =>
  route({
    method: 'POST',
    path: '/V1/invoice/:invoiceId/refund',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Refund an invoice',
    commits: 'several',
    name: 'refundInvoice',
    description: `Refunds one paid invoice: everything of it that is left when no lines are named. Answers the memo’s
id.
      With \`isOnline\` the gateway that took the money is asked, once, and the memo is booked when it gave it back.`,
    outcomes: [
      refundQuantityNotValid.because('More of a line than is left.'),
      {
        status: 400,
        message: 'Creditmemo Document Validation Error(s):\n…',
        when:
          'The invoice is not paid, was refunded, or its payment method knows no refund. Each fault is a line of ' +
          'the sentence.',
        then: 'Read the order again.',
      },
      ...onlineOutcomes,
      cardNumber,
    ],
    params: z.object({ invoiceId: idParam }),
    body: z.object({ ...refundPayload, isOnline: flag.default(false) }),
    response: z.int(),

    async handle(context) {
      const { em, caller, operation, params, body } = context;
      const { invoiceId } = params;
      const refund = toRefund(body);
      const requested = { document: 'creditmemo', notify: body.notify, mailDocument } as const;
      if (!body.isOnline) {
        if (operation.madeBefore !== null) return operation.madeBefore;
        return madeWithMail(requested, context, (tx) =>
          refundInvoice(tx, { invoiceId, ...refund, ...hooksFor(caller), noted: operation.made }),
        );
      }
      const { returnToStockItemIds, comment, ...figures } = refund;
      const orderId = await orderOfInvoice(em, invoiceId);
      const memoId = await refundOnline(
        { orderId, invoiceId, figures: { from: 'collectors', ...figures }, returnToStockItemIds, comment },
        context,
      );
      // The money is back already: a repeat with the same key finds the memo, and posts the mail if it is missing.
      return madeWithMail(requested, context, async () => memoId);
    },
  });

const fault = couldNotSave('a Creditmemo');

/**
 * Makes the route that refunds an order. `hooksFor` makes what other features do in the same transaction, and reads
 * what returns brought back.
 *
 * Refunds the named lines by hand, or everything that is left (platform facts 7.1).
 */
const refundOrderRoute = ({ hooksFor, mailDocument }: Omit<CreditMemoWiring, 'refundOnline'>) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/refund',
    acl: 'Platform_Sales::creditmemo',
    summary: 'Refund an order by hand',
    name: 'refundOrder',
    description: `By hand: books a credit memo and calls no gateway. Refunds the lines that are named, or all that
      is left. Amounts are in the base currency, ex tax. Without \`shipping_amount\` all shipping left comes back; 0
      keeps it. Goods in \`return_to_stock_items\` may be sold again; others are written off. Answers the memo’s id. A
      repeat refunds again as long as something is left, unless it has the same \`Idempotency-Key\`.`,
    outcomes: [
      unknownOrder,
      refundQuantityNotValid.because('More of a line than is left.'),
      shippingRefundTooHigh.because('More shipping than is left.'),
      {
        status: 400,
        message: 'Creditmemo Document Validation Error(s):\n…',
        when:
          'More money than is left, a foreign line, or a state that does not allow it. Each fault is a line of the ' +
          'sentence.',
        then: 'Read the order again.',
      },
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object(refundPayload),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body,
        caller,
      } = context;
      return madeWithMail({ document: 'creditmemo', notify: body.notify, mailDocument }, context, (em) =>
        refundOrder(em, { orderId, ...toRefund(body), ...hooksFor(caller) }),
      );
    },
  });

/**
 * Makes the route that refunds with its caller's figures (platform facts 7.1). When the memo names its invoice and
 * `offlineRequested` is not set, the money goes back through the gateway that took it. Otherwise it is a refund by
 * hand, as on the platform.
 *
 * Of several calls at once one succeeds. With an `Idempotency-Key` a repeat is answered with the memo of the first
 * call.
 *
 * Refused with: 404 unknown order or invoice · 400 as `figuresGiven` says, a memo that exists already · online: 400 the
 * gateway's refusal · 409 `gateway_uncertain`.
 */
const refundWithTotalsRoute = ({ hooksFor, refundOnline }: CreditMemoWiring) =>
  route({
    ...refundWithTotalsWords,
    method: 'POST',
    path: '/V1/creditmemo/refund',
    acl: 'Platform_Sales::sales_creditmemo',
    commits: 'several',
    body: z.object({ creditmemo: creditMemoPayload, offlineRequested: flag.default(false) }),
    response: creditMemoAnswer,

    async handle(context) {
      const { em, caller, body } = context;
      const { orderId, invoiceId } = checked(body.creditmemo);
      const { incrementId } = body.creditmemo;
      const comment = remarkOfMemo(body.creditmemo);
      const memo = toGivenMemo(body.creditmemo);
      const returnToStockItemIds = body.creditmemo.extensionAttributes?.returnToStockItems ?? [];
      const isOnline = !body.offlineRequested && invoiceId !== undefined && (await isCardOrder(em, orderId));
      const creditMemoId = isOnline
        ? await refundOnline(
            { orderId, invoiceId, figures: { from: 'caller', memo }, returnToStockItemIds, comment },
            context,
          )
        : await byHand(context, {
            ...{ orderId, incrementId, invoiceId, memo, returnToStockItemIds, comment },
            ...hooksFor(caller),
          });
      return renderCreditMemo(await readCreditMemo(em, creditMemoId));
    },
  });

type ByHand = Parameters<typeof refundWithTotals>[1];

async function byHand({ em, operation }: RouteContext, refund: ByHand): Promise<number> {
  // An earlier run of this request stopped after its commit.
  if (operation.madeBefore !== null) return operation.madeBefore;
  return (await refundWithTotals(em, refund, operation.made)).entityId;
}

function checked({ entityId, orderId, invoiceId }: CreditMemoPayload) {
  if (entityId !== undefined && entityId > 0) throw creditMemoExists();
  if (orderId === undefined) throw fieldRequired('orderId');
  return { orderId, invoiceId: invoiceId === undefined || invoiceId === 0 ? undefined : invoiceId };
}

/** An offline method has no gateway: its memo is booked by hand even for an online refund, as on the platform. */
const isCardOrder = async (em: RouteContext['em'], orderId: number): Promise<boolean> =>
  !isOfflineMethod(await methodOfOrder(em, orderId));

/**
 * Saves a credit memo as a document only: no money, goods or totals change (platform facts 7.1). See `saveCreditMemo`.
 *
 * Refused with: 404 unknown memo or order · 400 no order, a line of another order, a memo that booked a refund.
 */
const saveCreditMemoRoute = route({
  name: 'saveCreditMemo',
  method: 'POST',
  path: '/V1/creditmemo',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Save a credit memo without any effect',
  description:
    'Writes the document and nothing else: no money goes back, no goods move, the order does not change, and no ' +
    'later refund counts it. To give money back use `POST /V1/creditmemo/refund` or `POST ' +
    '/V1/order/:orderId/refund`. Figures are kept as they are sent, those of one currency worked out in the ' +
    'other by the order’s rate, and so is your own `increment_id`; `state` is 1 unless it is sent. ' +
    '`pos_moved_money` of `extension_attributes` is false: so a reader tells it from a refund, also in state 2. ' +
    'With `entity_id` it changes a memo that was saved so: what is absent stays, lines are replaced, comments ' +
    'without an id are added. Without, each call saves another memo.',
  outcomes: [
    unknownDocument('The order, or the memo in `entity_id`, is unknown.'),
    requiredField('A new memo names no order.'),
    {
      status: 400,
      message: 'Creditmemo Document Validation Error(s):\n…',
      when: 'A line belongs to another order.',
    },
    creditMemoExists.because('The memo in `entity_id` booked a refund: it stays as it was booked.'),
    numberIsTaken,
  ],
  examples: [
    {
      title: 'A memo of another system, for the record',
      body: {
        entity: { order_id: 42, grand_total: 12.5, base_grand_total: 12.5, subtotal: 12.5, base_subtotal: 12.5 },
      },
      response: {
        ...creditMemoExample,
        ...{ state: 1, items: [], comments: [], extension_attributes: { pos_moved_money: false } },
      },
    },
  ],
  body: z.object({ entity: creditMemoPayload }),
  response: creditMemoAnswer,

  async handle({ em, body: { entity } }) {
    return renderCreditMemo(await readCreditMemo(em, await saveCreditMemo(em, toPostedMemo(entity))));
  },
});

/** Every route of credit memos, except their mail. */
export const creditMemoRoutes = (wiring: CreditMemoWiring): readonly AnyRoute[] => [
  refundOrderRoute(wiring),
  refundInvoiceRoute(wiring),
  saveCreditMemoRoute,
  refundWithTotalsRoute(wiring),
  listCreditMemos,
  getCreditMemo,
  listCreditMemoComments,
  commentCreditMemo,
  cancelCreditMemo,
];
