import type { Middleware } from 'koa';
import { notPermitted } from '../../../domain/errors.ts';
import type { ApiParts } from '../api-parts.ts';
import { aclOf, callerOf, findCaller, mayCall, tokenIn } from '../caller.ts';
import { reached } from '../reached.ts';
import type { AnyRoute } from '../route.ts';
import { createSignatureCheck } from '../signed-caller.ts';

/** Makes the middleware that lets in whom a route is for. */
export type SignIn = (route: AnyRoute) => Middleware;

/**
 * Lets a caller in, by its token or its signature (platform facts 1.1).
 *
 * Refused with: 400 a malformed signature · 401 who has not every resource of the route · 503 the database is away.
 */
export function createSignIn(parts: ApiParts): SignIn {
  const { orm, clock } = parts;
  const checkSignature = createSignatureCheck(parts);
  return (route) => async (ctx, next) => {
    const { req, state } = ctx;
    const { store } = state;
    const now = clock();
    const signer = await checkSignature(req, now);
    const token = tokenIn(req.headers.authorization);
    const caller = signer ? callerOf(signer, store) : await reached(findCaller(orm.em, token, { now, store }));
    if (!mayCall(caller, route)) throw notPermitted(aclOf(route));
    state.now = now;
    state.caller = caller;
    return next();
  };
}
