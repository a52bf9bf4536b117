import { z } from 'zod';
import { revokeTokens } from '../../../db/platform/access/revoke-tokens.ts';
import { route } from '../../http/route.ts';

/** Ends every token of the calling customer at once (platform facts 1.3). */
export const revokeCustomerToken = route({
  method: 'POST',
  path: '/V1/integration/customer/revoke-customer-token',
  acl: 'self',
  summary: 'Sign a customer out everywhere',
  name: 'revokeCustomerToken',
  description: 'Every token of the customer ends at once, the one of this call too.',
  outcomes: [],
  response: z.literal(true),

  async handle({ em, caller, now }) {
    await revokeTokens(em, { userType: 'customer', userId: caller.userId, now });
    return true as const;
  },
});
