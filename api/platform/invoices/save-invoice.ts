import { z } from 'zod';
import { documentMoney } from '../../../db/platform/orders/document-money.ts';
import { readInvoice } from '../../../db/platform/invoices/read-invoices.ts';
import { saveInvoice } from '../../../db/platform/invoices/save-invoice.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { eachOf } from '../../wire/each-of.ts';
import { route } from '../../http/route.ts';
import { integer, payload, savedNumber } from '../../wire/schemas.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import type { AfterInvoiceSave } from './capture-invoice.ts';
import { renderInvoice } from './render-invoice.ts';
import { savedItems } from '../../wire/document-payload.ts';
import { numberIsTaken, refundUnderWay, orderIsOver } from '../../wire/outcomes.ts';

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
  entityId: integer.optional(),
  orderId: integer.optional(),
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
      open, or paid with state 2; your own \`increment_id\` is kept. Figures are worked out by the server, whatever is sent.`,
    outcomes: [
      {
        status: 404,
        message: "The entity that was requested doesn't exist. Verify the entity and try again.",
        when: 'There is no invoice or order of this id.',
      },
      {
        status: 400,
        message: 'We cannot register an existing invoice',
        when: 'The invoice is there, and is sent with another order, with other goods, or as open or paid after its cancel.',
        then: 'Leave `entity_id` out: a new invoice takes what is left.',
      },
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
