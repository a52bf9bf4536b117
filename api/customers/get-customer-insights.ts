import { z } from 'zod';
import { readCreditScopeOfCustomer } from '../../db/credit-stores/read-credit-scope.ts';
import { readInsights } from '../../db/insights/read-insights.ts';
import { noSuchEntity } from '../../domain/errors.ts';
import { askBalances } from '../../providers/credits/ask-balances.ts';
import { lookUpDeadline } from '../http/register/look-up-deadline.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { insightsWords } from './insights-words.ts';
import { insightsAnswer, renderInsights } from './render-insights.ts';

/**
 * How a customer buys, for the cashier at the counter (spec 4.5; the shape is our choice).
 *
 * Figures are of the customer's own website, in its base currency. Credit and sections of others are asked for at the
 * same time; who fails or is late is left out. Refused with: 404 unknown customer.
 */
export const getCustomerInsights = route({
  ...insightsWords,
  method: 'GET',
  path: '/V1/pos/customer-insights/:customerId',
  acl: 'Platform_Customer::manage',
  summary: 'How a customer buys',
  params: z.object({ customerId: idParam }),
  response: insightsAnswer,

  async handle({ reader, em, params: { customerId }, providers, log }) {
    const deadline = lookUpDeadline();
    const othersSay = async () => {
      const scope = await readCreditScopeOfCustomer(em, customerId);
      if (!scope) throw noSuchEntity('customerId', customerId);
      return Promise.all([
        askBalances(providers.credits, { customerId, scope, deadline }, log),
        providers.insights.sections({ customerId, deadline }, log),
      ]);
    };
    // The figures take longest: they begin at once.
    const [insights, [credits, sections]] = await Promise.all([readInsights(reader, customerId), othersSay()]);
    if (!insights) throw noSuchEntity('customerId', customerId);
    return renderInsights({ customerId, insights, credits, sections });
  },
});
