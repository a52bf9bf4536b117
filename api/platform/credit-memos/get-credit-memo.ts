import { z } from 'zod';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/** One credit memo with its lines (platform facts 7.1). */
export const getCreditMemo = route({
  method: 'GET',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'One credit memo',
  name: 'getCreditMemo',
  description: `With its lines and comments. Amounts with \`base_\` are in the base currency.`,
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no credit memo of this id.',
    },
  ],
  params: z.object({ id: idParam }),
  response: creditMemoAnswer,

  handle: async ({ em, params: { id } }) => renderCreditMemo(await readCreditMemo(em, id)),
});
