import { idempotencyHeader } from '../../../domain/idempotency/idempotency-key.ts';
import type { AnyRoute, HeaderWord } from '../route.ts';
import { replayHeader } from '../mark-replayed.ts';
import type { Json } from './json.ts';

/** Headers of requests and answers. */

export const isOpen = ({ acl }: AnyRoute): boolean => [acl].flat().every((resource) => resource === 'anonymous');

/** Every write takes an idempotency key, except those without a caller, because a key belongs to a caller. */
export const takesKey = (route: AnyRoute): boolean =>
  (route.method === 'POST' || route.method === 'PUT') && ![route.acl].flat().includes('anonymous');

export const headerParameters: Record<string, Json> = {
  IdempotencyKey: {
    name: idempotencyHeader,
    in: 'header',
    required: false,
    description: `Names the request: sent again with the same key, it is carried out once and answered as the first
      time. Kept for seven days.`,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};

const text = { type: 'string' };

export const headerComponents: Record<string, Json> = {
  RequestId: {
    description:
      'The id of the request: the one that was sent as `X-Request-Id`, else one of the server. It is in the log.',
    schema: text,
  },
  IdempotentReplayed: {
    description: 'There, and true, where an earlier request did this: nothing more was done.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: `Seconds after which the same request is worth sending again. Every 503 has it; of a 409 only
      \`idempotency_key_in_use\`.`,
    schema: { type: 'integer' },
  },
};

const headerReference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** Headers of the route's answer. */
export const answeredHeaders = (route: AnyRoute): Json => ({
  'X-Request-Id': headerReference('RequestId'),
  ...(takesKey(route) ? { [replayHeader]: headerReference('IdempotentReplayed') } : {}),
  ...Object.fromEntries(
    (route.headers?.answered ?? []).map(({ name, description }) => [name, { description, schema: text }]),
  ),
});

/** Headers that the route reads. */
export const readHeaders = (route: AnyRoute): readonly Json[] => [
  ...(takesKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(route.headers?.read ?? []).map(headerParameter),
];

const headerParameter = ({ name, description, example }: HeaderWord): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: text,
  ...(example === undefined ? {} : { example }),
});
