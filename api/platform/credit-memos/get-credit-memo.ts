import { z } from 'zod';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/** One credit memo with its lines (platform facts 7.1). Refused with 404: an unknown credit memo. */
export const getCreditMemo = route({
  method: 'GET',
  path: '/V1/creditmemo/:id',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'One credit memo',
  params: z.object({ id: idParam }),
  response: creditMemoAnswer,

  handle: async ({ em, params: { id } }) => renderCreditMemo(await readCreditMemo(em, id)),
});
