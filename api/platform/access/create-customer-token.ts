import { findCustomerCredentials } from '../../../db/platform/access/find-credentials.ts';
import { route } from '../../http/route.ts';
import { credentials, tokenAnswer } from './credentials.ts';
import { signIn } from '../../http/sign-in.ts';

/** A customer's token is valid for an hour (platform facts 1.3). */
const lifetimeSeconds = 3_600;

/** Signs a customer in by e-mail, in the website of the path (platform facts 1.3). */
export const createCustomerToken = route({
  method: 'POST',
  path: '/V1/integration/customer/token',
  acl: 'anonymous',
  summary: 'Sign a customer in',
  name: 'createCustomerToken',
  description: `By e-mail, in the website of the path. Answers a token as a bare JSON text; it is good for an hour.
    Each call issues one more.`,
  outcomes: [
    {
      status: 400,
      message: 'One or more input exceptions have occurred.',
      when: 'E-mail and password are empty; one alone is the sentence itself.',
    },
    {
      status: 401,
      message:
        'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
      when: 'The name or the password is wrong, or six wrong ones locked the name for half an hour: these are told alike.',
    },
    {
      status: 401,
      message: "This account isn't confirmed. Verify and try again.",
      when: 'The password is right, but the e-mail of the account is not confirmed.',
      then: 'Let the customer open the link of the mail.',
    },
    {
      status: 503,
      message: 'Too many sign-ins at once. Please try again later.',
      when: 'More passwords wait to be checked than the server takes at once.',
      then: 'Wait for `Retry-After` seconds.',
    },
  ],
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
