import { hash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { AskedRequest } from '../../db/idempotency/keyed-request.repository.ts';
import type { Sources } from './arguments.ts';
import type { AnyRoute, Caller, StoreScope } from './route.ts';

/** A request with a key, and its caller. */
export interface KeyedCall {
  key: string;
  route: AnyRoute;
  sources: Sources;
  caller: Caller;
  store: StoreScope;
  requestId: string;
}

/**
 * The digests that identify a request with a key. A key belongs to its caller; the same key of another caller is a
 * different one.
 *
 * Route, store view, path, query and body make up the request; the order of its keys does not matter. The key is
 * mixed into both digests and stored nowhere.
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
