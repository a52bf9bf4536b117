import { findCustomerCredentials } from '../../../db/platform/access/find-credentials.ts';
import { route } from '../../http/route.ts';
import { credentials, tokenAnswer } from './credentials.ts';
import { signIn } from '../../http/sign-in.ts';

/** A customer's token lives an hour (platform facts 1.3). */
const lifetimeSeconds = 3_600;

/**
 * Signs a customer in by e-mail, in the website of the path (platform facts 1.3). Each call issues one more token.
 *
 * Refused with: 400 an empty field · 401 wrong or locked.
 */
export const createCustomerToken = route({
  method: 'POST',
  path: '/V1/integration/customer/token',
  acl: 'anonymous',
  summary: 'Sign a customer in',
  commits: 'several',
  body: credentials,
  response: tokenAnswer,
  isPrivate: true,

  handle: ({ body, em, providers, store, now, clientAddress }) =>
    signIn({
      ...body,
      em,
      now,
      address: clientAddress,
      lifetimeSeconds,
      passwords: providers.passwords,
      userType: 'customer',
      find: () => findCustomerCredentials(em, body.username, store.websiteId),
    }),
});
