import { z } from 'zod';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/**
 * Always refused: a booked credit memo stays booked. An unknown memo is a 404, any other a 400 (platform facts 2.4,
 * 7.1).
 */
export const cancelCreditMemo = route({
  method: 'PUT',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Cancel a credit memo (always refused)',
  name: 'cancelCreditMemo',
  description: 'A booked credit memo stays booked: this is always refused.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no credit memo of this id.',
    },
    { status: 400, message: 'You can not cancel Credit Memo', when: 'Always.' },
  ],
  params: z.object({ id: idParam }),
  response: z.never(),

  async handle({ em, params: { id } }) {
    await readCreditMemo(em, id);
    throw invalid('You can not cancel Credit Memo');
  },
});
