import { findAdminCredentials } from '../../../db/platform/access/find-credentials.ts';
import { route } from '../../http/route.ts';
import { credentials, tokenAnswer } from './credentials.ts';
import { signIn } from '../../http/sign-in.ts';

/** An administrator's token lives four hours (platform facts 1.3). */
const lifetimeSeconds = 4 * 3_600;

/**
 * Signs an administrator in (platform facts 1.3). Each call issues one more token.
 *
 * Refused with: 400 an empty field · 401 wrong or locked · 401 no role.
 */
export const createAdminToken = route({
  method: 'POST',
  path: '/V1/integration/admin/token',
  acl: 'anonymous',
  summary: 'Sign an administrator in',
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
