import { z } from 'zod';
import { documentMoney } from '../../../db/platform/orders/document-money.ts';
import { readInvoice } from '../../../db/platform/invoices/read-invoices.ts';
import { saveInvoice } from '../../../db/platform/invoices/save-invoice.ts';
import { basePrefixed } from '../../../db/support/columns.ts';
import { eachOf } from '../../wire/each-of.ts';
import { route } from '../../http/route.ts';
import { growing, integer, payload, quantity } from '../../wire/schemas.ts';
import { invoiceAnswer } from './invoice-answer.ts';
import type { AfterInvoiceSave } from './capture-invoice.ts';
import { renderInvoice } from './render-invoice.ts';

/** More lines than an order has. */
const maxItems = 1_000;

/** Worked out by the server, and read over so that a read can be sent back. */
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
  'incrementId',
  'isUsedForRefund',
  'storeId',
  'totalQty',
  'transactionId',
] as const;

const entity = payload({
  entityId: integer.optional(),
  orderId: integer.optional(),
  state: integer.optional(),
  items: z
    .array(growing({ orderItemId: integer, qty: quantity }))
    .max(maxItems)
    .optional(),
  ...eachOf(readOver, z.unknown().optional()),
});

/**
 * Makes the route that saves; `afterSave` happens when it is done.
 *
 * Saves an invoice (platform facts 6): with `entity_id`, state 2 pays it and 3 cancels it; without, a new one of
 * `order_id` in the open state, or paid with state 2. Figures are worked out, never taken.
 *
 * Refused with: 404 unknown invoice or order · 400 a state the invoice cannot reach.
 */
export const saveInvoiceRoute = (afterSave: AfterInvoiceSave) =>
  route({
    method: 'POST',
    path: '/V1/invoices',
    acl: 'Platform_Sales::sales_invoice',
    summary: 'Save an invoice',
    body: z.object({ entity }),
    response: invoiceAnswer,

    async handle({ em, body, workflows, log }) {
      const { entityId, orderId, state, items } = body.entity;
      const sheet = await readInvoice(em, await saveInvoice(em, { entityId, orderId, state, items }));
      await afterSave(Number(sheet.document['order_id']), { em, workflows, log });
      return renderInvoice(sheet);
    },
  });
