import { z } from 'zod';
import { readCreditMemo } from '../../../db/platform/credit-memos/read-credit-memos.ts';
import { saveCreditMemo } from '../../../db/platform/credit-memos/save-credit-memo.ts';
import { route } from '../../http/route.ts';
import { creditMemoAnswer } from './credit-memo-answer.ts';
import { creditMemoPayload, toPostedMemo } from './credit-memo-payload.ts';
import { numberIsTaken, requiredField } from '../../wire/outcomes.ts';
import { creditMemoExample } from './credit-memo-words.ts';
import { renderCreditMemo } from './render-credit-memo.ts';

/**
 * Saves a credit memo as a document only: no money, goods or totals change (platform facts 7.1). See `saveCreditMemo`.
 *
 * Refused with: 404 unknown memo or order · 400 no order, a line of another order, a memo that booked a refund.
 */
export const saveCreditMemoRoute = route({
  name: 'saveCreditMemo',
  method: 'POST',
  path: '/V1/creditmemo',
  acl: 'Platform_Sales::sales_creditmemo',
  summary: 'Save a credit memo without any effect',
  description:
    'Writes the document and nothing else: no money goes back, no goods move, the order does not change, and no later ' +
    'refund counts it. To give money back use `POST /V1/creditmemo/refund` or `POST /V1/order/:orderId/refund`. Figures are ' +
    'kept as they are sent, those of one currency worked out in the other by the order’s rate, and so is your own ' +
    '`increment_id`; `state` is 1 unless it is sent. `pos_moved_money` of `extension_attributes` is false: so a reader tells it from a ' +
    'refund, also in state 2. With `entity_id` it changes a memo that was saved so: what is absent stays, lines are replaced, comments without an ' +
    'id are added. Without, each call saves another memo.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'The order, or the memo in `entity_id`, is unknown.',
    },
    requiredField('A new memo names no order.'),
    {
      status: 400,
      message: 'Creditmemo Document Validation Error(s):\n…',
      when: 'A line belongs to another order.',
    },
    {
      status: 400,
      message: 'We cannot register an existing credit memo.',
      when: 'The memo in `entity_id` booked a refund: it stays as it was booked.',
    },
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
