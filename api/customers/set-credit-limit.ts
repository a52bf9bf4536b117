import { z } from 'zod';
import { setCreditLimit } from '../../db/credit-limits/set-credit-limit.ts';
import { invalid } from '../../domain/errors.ts';
import { route } from '../http/route.ts';
import { idParam, integer, money } from '../wire/schemas.ts';
import { removeCreditLimitWords, setCreditLimitWords } from './credit-limit-words.ts';
import { feedScope } from './feed-query.ts';
import { answerCreditLimit, creditLimitAnswer } from './get-credit-limit.ts';

/**
 * Agrees on a credit limit with a customer (our route: the spec names none). No register's token has its resource.
 *
 * A repeat leaves the same limit. Refused with: 404 unknown customer or website · 400 a limit below 0.
 */
export const setCreditLimitRoute = route({
  ...setCreditLimitWords,
  method: 'PUT',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Vendor_Pos::credit_limits_manage',
  summary: 'Agree on a credit limit with a customer',
  params: z.object({ customerId: idParam }),
  body: z.object({ limit: money, websiteId: integer.default(0) }),
  response: creditLimitAnswer,

  async handle(context) {
    const { em, store } = context;
    const { customerId } = context.params;
    const { limit, websiteId } = context.body;
    if (limit < 0) throw invalid('The value of "%fieldName" cannot be.', { fieldName: 'limit' });
    // Says whether there is such a customer, before anything is written.
    await answerCreditLimit(context, { customerId, websiteId });
    const scope = await feedScope(em, { websiteId, store });
    await setCreditLimit(em, { customerId, websiteId: scope.websiteId, creditLimit: limit });
    return answerCreditLimit(context, { customerId, websiteId });
  },
});

/** Takes back what was agreed with a customer: the limit of the group holds again. A repeat leaves the same. */
export const removeCreditLimitRoute = route({
  ...removeCreditLimitWords,
  method: 'DELETE',
  path: '/V1/pos/customers/:customerId/credit-limit',
  acl: 'Vendor_Pos::credit_limits_manage',
  summary: "Take back a customer's own credit limit",
  params: z.object({ customerId: idParam }),
  query: z.object({ websiteId: integer.default(0) }),
  response: creditLimitAnswer,

  async handle(context) {
    const { em, store } = context;
    const { customerId } = context.params;
    const { websiteId } = context.query;
    const scope = await feedScope(em, { websiteId, store });
    await setCreditLimit(em, { customerId, websiteId: scope.websiteId, creditLimit: null });
    return answerCreditLimit(context, { customerId, websiteId });
  },
});
