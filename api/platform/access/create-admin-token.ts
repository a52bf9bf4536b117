import { findAdminCredentials } from '../../../db/platform/access/find-credentials.ts';
import { route } from '../../http/route.ts';
import { credentials, tokenAnswer } from './credentials.ts';
import { signIn } from '../../http/sign-in.ts';

/** An administrator's token is valid for four hours (platform facts 1.3). */
const lifetimeSeconds = 4 * 3_600;

/** Signs an administrator in (platform facts 1.3). */
export const createAdminToken = route({
  method: 'POST',
  path: '/V1/integration/admin/token',
  acl: 'anonymous',
  summary: 'Sign an administrator in',
  name: 'createAdminToken',
  description: `Answers a token as a bare JSON text; it is good for four hours. Each call issues one more. A
    register does not need it: it has the access token of an integration.`,
  outcomes: [
    {
      status: 400,
      message: 'One or more input exceptions have occurred.',
      when: 'Name and password are empty; one alone is the sentence itself.',
    },
    {
      status: 401,
      message:
        'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.',
      when: 'The name or the password is wrong, or six wrong ones locked the name for half an hour. The message is the same.',
    },
    { status: 401, message: 'More permissions are needed to access this.', when: 'The administrator has no role.' },
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

  handle: ({ body, em, providers, now, clientAddress }) =>
    signIn({
      ...body,
      em,
      now,
      address: clientAddress,
      lifetimeSeconds,
      passwords: providers.passwords,
      userType: 'admin',
      find: () => findAdminCredentials(em, body.username),
    }),
});
