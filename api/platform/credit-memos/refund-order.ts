import { z } from 'zod';
import { refundOrder } from '../../../db/platform/credit-memos/refund-order.ts';
import { madeWithMail } from '../../http/made-with-mail.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { refundPayload, toRefund } from './refund-payload.ts';
import { cardNumber, couldNotSave, unknownOrder } from '../../wire/outcomes.ts';
import type { CreditMemoWiring } from './credit-memo-wiring.ts';

const fault = couldNotSave('a Creditmemo');

/**
 * Makes the route that refunds an order. `hooksFor` makes what other features do in the same transaction, and reads
 * what returns brought back.
 *
 * Refunds the named lines by hand, or everything that is left (platform facts 7.1).
 */
export const refundOrderRoute = ({ hooksFor, mailDocument }: Omit<CreditMemoWiring, 'refundOnline'>) =>
  route({
    method: 'POST',
    path: '/V1/order/:orderId/refund',
    acl: 'Platform_Sales::creditmemo',
    summary: 'Refund an order by hand',
    name: 'refundOrder',
    description: `By hand: books a credit memo and calls no gateway. Refunds the lines that are named, or all that
      is left. Amounts are in the base currency, ex tax. Without \`shipping_amount\` all shipping left comes back; 0
      keeps it. Goods in \`return_to_stock_items\` may be sold again; others are written off. Answers the memo’s id. A
      repeat refunds again as long as something is left, unless it has the same \`Idempotency-Key\`.`,
    outcomes: [
      unknownOrder,
      {
        status: 400,
        message: 'We found an invalid quantity to refund item "%1".',
        when: 'More of a line than is left.',
      },
      { status: 400, message: 'Maximum shipping amount allowed to refund is: %1', when: 'More shipping than is left.' },
      {
        status: 400,
        message: 'Creditmemo Document Validation Error(s):\n…',
        when: 'More money than is left, a foreign line, or a state that does not allow it. Each fault is a line of the sentence.',
        then: 'Read the order again.',
      },
      cardNumber,
      fault,
    ],
    fault,
    params: z.object({ orderId: idParam }),
    body: z.object(refundPayload),
    response: z.int(),

    handle(context) {
      const {
        params: { orderId },
        body,
        caller,
      } = context;
      return madeWithMail({ document: 'creditmemo', notify: body.notify, mailDocument }, context, (em) =>
        refundOrder(em, { orderId, ...toRefund(body), ...hooksFor(caller) }),
      );
    },
  });
