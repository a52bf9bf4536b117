import type { Middleware } from 'koa';
import { PosError } from '../../../domain/errors.ts';
import type { ApiParts } from '../api-parts.ts';
import { BodyBudget } from '../body-budget.ts';
import { createClientAddress, createTrust } from '../client-address.ts';
import { createRequestLimit } from '../connection-limit.ts';
import { notesOf } from '../crowd-notes.ts';
import { setAll, writeRefusal } from '../write-answer.ts';

/**
 * What one address may take of the process: requests at once behind our own proxies, where all connections are the
 * proxy's, and the memory for bodies. One too many is answered with 503 and `Retry-After`.
 */
export function crowd({ settings, log, meter }: Pick<ApiParts, 'settings' | 'log' | 'meter'>): Middleware {
  const bodies = new BodyBudget(settings.MAX_BODY_BYTES_IN_FLIGHT);
  const addressOf = createClientAddress(settings.TRUSTED_PROXIES);
  const isProxy = createTrust(settings.TRUSTED_PROXIES);
  const limit = createRequestLimit(settings.MAX_CONNECTIONS_PER_ADDRESS, notesOf({ log, meter }));
  return (ctx, next) => {
    ctx.state.bodies = bodies;
    const peer = ctx.req.socket.remoteAddress ?? '';
    const client = isProxy(peer) ? addressOf(peer, ctx.get('x-forwarded-for') || undefined) : peer;
    // A proxy's own requests, such as for its health checks, are not limited.
    if (client === peer || isProxy(client)) return next();
    const end = limit.begin(client);
    if (end === undefined) return refuseRequest(ctx);
    ctx.res.once('close', end);
    return next();
  };

  function refuseRequest(ctx: Parameters<Middleware>[0]): void {
    setAll(ctx, ctx.state.headers);
    writeRefusal(ctx, tooManyOfAddress.refusal);
  }
}

const tooManyOfAddress = new PosError({
  status: 503,
  message: 'Too many requests at once from this address. Try again in a moment.',
});
