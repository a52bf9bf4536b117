import { z } from 'zod';
import { readTransaction } from '../../../db/platform/transactions/read-transactions.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTransaction } from './render-transaction.ts';
import { transactionAnswer } from './transaction-answer.ts';

/** One payment transaction with its children (platform facts 11). Refused with 404: an unknown transaction. */
export const getTransaction = route({
  method: 'GET',
  path: '/V1/transactions/:id',
  acl: 'Platform_Sales::transactions_fetch',
  summary: 'One payment transaction',
  params: z.object({ id: idParam }),
  response: transactionAnswer,

  handle: async ({ em, params: { id } }) => renderTransaction(await readTransaction(em, id)),
});
