import { z } from 'zod';
import { findReceipt } from '../../db/receipts/receipt.repository.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

/** One receipt with its lines (spec 4.9). */
export const getReceipt = route({
  method: 'GET',
  path: '/V1/pos/receipts/:receiptId',
  acl: 'Vendor_Pos::receipts',
  summary: 'One receipt',
  name: 'getReceipt',
  description: 'The receipt with its lines, and the token of its public page.',
  outcomes: [{ status: 404, message: 'The POS receipt with id %1 does not exist.', when: 'No receipt has this id.' }],
  params: z.object({ receiptId: idParam }),
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, params, settings }) {
    const { receipt, items } = await findReceipt(em, params.receiptId);
    return renderReceipt(receipt, items, secretBoxOf(settings));
  },
});
