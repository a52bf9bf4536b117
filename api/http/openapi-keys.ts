import { idempotencyHeader } from '../../domain/idempotency/idempotency-key.ts';
import type { AnyRoute } from './route.ts';
import { replayHeader } from './tell-replay.ts';

/** How the API document describes repeated requests. */

/** Every write may have a key, except on routes open to everyone: there a key would have no caller to belong to. */
export const takesKey = ({ method, acl }: AnyRoute): boolean =>
  (method === 'POST' || method === 'PUT') && !(typeof acl === 'string' ? [acl] : acl).includes('anonymous');

export const keyParameter = {
  name: idempotencyHeader,
  in: 'header',
  required: false,
  description:
    'Names the request: sent again with the same key, it is carried out once and answered as the first time. Kept for seven days.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
};

export const replayed = {
  [replayHeader]: {
    description: 'There, and true, where an earlier request did this: nothing more was done.',
    schema: { type: 'string', enum: ['true'] },
  },
};
