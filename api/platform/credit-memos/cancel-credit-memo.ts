import { z } from 'zod';
import { invalid } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';

/** Always refused with 400, an unknown memo too: a booked credit memo stays booked (platform facts 2.4, 7.1). */
export const cancelCreditMemo = route({
  method: 'PUT',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Cancel a credit memo (always refused)',
  name: 'cancelCreditMemo',
  description: 'A booked credit memo stays booked: this is always refused.',
  outcomes: [{ status: 400, message: 'You can not cancel Credit Memo', when: 'Always.' }],
  params: z.object({ id: idParam }),
  response: z.never(),

  handle() {
    throw invalid('You can not cancel Credit Memo');
  },
});
