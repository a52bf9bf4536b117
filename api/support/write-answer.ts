import type { Context } from 'koa';
import { envelopeOf, type Envelope } from './envelope.ts';
import { hasTag } from './entity-tag.ts';
import type { Refusal } from '../../domain/errors.ts';

export const jsonType = 'application/json; charset=utf-8';

/** Tells when asking again is worth it: PostgreSQL and Temporal restart within seconds. */
const retryAfterSeconds = '5';

export function setAll(ctx: Context, headers: readonly (readonly [string, string])[]): void {
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
}

/** Writes JSON text; where a handler set an `ETag` the caller already has, 304 without it. */
export function writeJson(ctx: Context, body: string): void {
  ctx.status = 200;
  const tag = ctx.res.getHeader('ETag');
  if (typeof tag === 'string' && hasTag(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304;
    return;
  }
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = body;
}

/** Writes a refusal in the platform's envelope, with the headers its status asks for. */
export function writeRefusal(ctx: Context, refusal: Refusal): void {
  const envelope: Envelope = envelopeOf(refusal);
  ctx.status = refusal.status;
  if (refusal.status === 401) ctx.res.setHeader('WWW-Authenticate', 'Bearer');
  if (refusal.status === 503) ctx.res.setHeader('Retry-After', retryAfterSeconds);
  // The rest of a body we did not read must not be taken for the next request.
  if (refusal.status === 413) ctx.res.setHeader('Connection', 'close');
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = JSON.stringify(envelope);
}
