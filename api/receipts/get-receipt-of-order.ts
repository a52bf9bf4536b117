import { z } from 'zod';
import { findReceiptOfOrder } from '../../db/receipts/receipt.repository.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

/**
 * The receipt of an order by the order's number; the newest where there are several, which the header
 * `X-Receipt-Count` tells (spec 4.9; the header is our choice).
 */
export const getReceiptOfOrder = route({
  method: 'GET',
  path: '/V1/pos/receipts/by-increment-id/:incrementId',
  acl: 'Vendor_Pos::receipts',
  summary: 'The newest receipt of an order',
  name: 'getReceiptOfOrder',
  description: `The newest receipt of the order with this number. Where there are several, the header
    \`X-Receipt-Count\` says how many.`,
  outcomes: [
    {
      status: 404,
      message: 'The POS receipt with increment id %1 does not exist.',
      when: 'No receipt is linked to an order of this number.',
    },
  ],
  headers: {
    answered: [
      { name: 'X-Receipt-Count', description: 'How many receipts the order has, where it has more than one.' },
    ],
  },
  params: z.object({ incrementId: text(255) }),
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, params, settings, setHeader }) {
    const { receipt, items, count } = await findReceiptOfOrder(em, params.incrementId);
    if (count > 1) setHeader('X-Receipt-Count', String(count));
    return renderReceipt(receipt, items, secretBoxOf(settings));
  },
});
