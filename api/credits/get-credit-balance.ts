import { z } from 'zod';
import { readCreditScopeOfCustomer } from '../../db/credits/read-credit-scope.ts';
import { inTime } from '../../providers/credits/in-time.ts';
import { route } from '../support/route.ts';
import { idParam } from '../support/schemas.ts';
import { creditBalanceAnswer, renderCreditBalance } from './render-credit-balance.ts';
import { lookUpDeadline } from './look-up-deadline.ts';

/**
 * What a customer has at every active provider, on the customer's own website (spec 4.6).
 *
 * All are asked at once; one that throws, or has not answered after three seconds, is skipped and logged. A customer
 * nobody knows has nothing: an empty list.
 */
export const getCreditBalance = route({
  method: 'GET',
  path: '/V1/pos/credits/balance/:customerId',
  acl: 'Vendor_Pos::locations',
  summary: "A customer's credit at every active provider",
  params: z.object({ customerId: idParam }),
  response: z.array(creditBalanceAnswer),

  async handle({ em, params: { customerId }, providers, log, now }) {
    const scope = await readCreditScopeOfCustomer(em, customerId);
    if (!scope) return [];
    const deadline = lookUpDeadline(now);
    const asked = providers.credits.enabled(scope.settings).map(async (provider) => {
      try {
        return await inTime(provider.balances({ customerId, scope, deadline }), deadline);
      } catch (error) {
        log.warn({ provider: provider.code, error }, 'a credit provider was skipped');
        return [];
      }
    });
    return (await Promise.all(asked)).flat().map(renderCreditBalance);
  },
});
