import { z } from 'zod';
import { readCreditScopeOfCustomer } from '../../db/credit-stores/read-credit-scope.ts';
import { askBalances } from '../../providers/credits/ask-balances.ts';
import { lookUpDeadline } from '../http/register/look-up-deadline.ts';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';

/** What a customer has at every active provider, on the customer's own website (spec 4.6). */
export const getCreditBalance = route({
  method: 'GET',
  path: '/V1/pos/credits/balance/:customerId',
  acl: 'Vendor_Pos::locations',
  summary: "A customer's credit at every active provider",
  name: 'listCreditBalances',
  description: `What the customer has at every active provider, on the customer’s own website. A provider that
    fails, or takes longer than three seconds, is left out. An unknown customer has an empty list.`,
  outcomes: [],
  params: z.object({ customerId: idParam }),
  response: z.array(creditBalanceAnswer),

  async handle({ em, params: { customerId }, providers, log }) {
    const scope = await readCreditScopeOfCustomer(em, customerId);
    if (!scope) return [];
    const deadline = lookUpDeadline();
    return (await askBalances(providers.credits, { customerId, scope, deadline }, log)).map(renderCreditBalance);
  },
});
