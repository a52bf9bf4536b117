import { hash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { AskedRequest } from '../../db/idempotency/keyed-request.repository.ts';
import type { Sources } from './arguments.ts';
import type { AnyRoute, Caller, StoreScope } from './route.ts';

/** A request with a key, and who sent it. */
export interface KeyedCall {
  key: string;
  route: AnyRoute;
  sources: Sources;
  caller: Caller;
  store: StoreScope;
  requestId: string;
}

/**
 * What a keyed request is known by. A key belongs to its caller; the same one of another caller is another.
 *
 * Route, store view, path, query and body make the request; the order of its keys does not count. The key is mixed into
 * both, and kept nowhere.
 */
export function askedRequest({ key, route, sources, caller, store, requestId }: KeyedCall): AskedRequest {
  const { userType: callerType, userId: callerId } = caller;
  const name = `${route.method} ${route.path}`;
  return {
    digest: hash('sha256', canonicalJson([callerType, callerId, key])),
    fingerprint: hash('sha256', canonicalJson([key, name, store.storeId, sources])),
    callerType,
    callerId,
    route: name,
    requestId,
  };
}
