import { z } from 'zod';
import { readTransaction } from '../../../db/platform/transactions/read-transactions.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTransaction } from './render-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';

/** One payment transaction with its children (platform facts 11). */
export const getTransaction = route({
  method: 'GET',
  path: '/V1/transactions/:id',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'One payment transaction',
  name: 'getPaymentTransaction',
  description: 'With the transactions that followed from it.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'There is no transaction of this id.',
    },
  ],
  params: z.object({ id: idParam }),
  response: transactionAnswer,

  handle: async ({ em, params: { id } }) => renderTransaction(await readTransaction(em, id)),
});
