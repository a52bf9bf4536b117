import { z } from 'zod';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** A booked credit memo stays booked: always refused, with 404 where there is none, else 400 (platform facts 2.4, 7.1). */
export const cancelCreditMemo = route({
  method: 'PUT',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Cancel a credit memo (always refused)',
  params: z.object({ id: idParam }),
  response: z.never(),

  async handle({ em, params: { id } }) {
    await readCreditMemo(em, id);
    throw invalid('You can not cancel Credit Memo');
  },
});
