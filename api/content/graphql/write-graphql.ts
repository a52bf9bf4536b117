import type { Context } from 'koa';
import type { Refusal } from '../../../domain/errors.ts';
import { jsonHeaders } from '../../http/security-headers.ts';
import { jsonType, retryAfterSeconds } from '../../http/write-answer.ts';
import type { GraphqlAnswer } from './answer-graphql.ts';
import type { KeptAnswer } from './kept-answers.ts';

const common = jsonHeaders.flat();
/** Who keeps an answer on the way keeps one for each view, and asks us each time whether it still holds. */
const ofAnswers = ['Vary', 'Store, Accept', 'Cache-Control', 'public, no-cache'];
const ofErrors = ['Vary', 'Store, Accept', 'Cache-Control', 'no-store'];

interface Manner {
  headers: ReadonlyMap<string, string>;
  /** The caller has it already. */
  isUnchanged: boolean;
}

/** Straight to the line, as `writeJson` does. */
export function writeGraphql(ctx: Context, answer: GraphqlAnswer | KeptAnswer, { headers, isUnchanged }: Manner): void {
  ctx.respond = false;
  const { res } = ctx;
  const raw = [...common, ...[...headers].flat()];
  if (!('tag' in answer)) {
    raw.push(...ofErrors, ...answer.headers.flat(), 'Content-Length', String(answer.body.length));
    res.writeHead(answer.status, raw).end(answer.body);
    return;
  }
  raw.push(...ofAnswers);
  if (ctx.method !== 'POST') raw.push('ETag', answer.tag);
  if (isUnchanged) {
    res.writeHead(304, raw).end();
    return;
  }
  raw.push('Content-Type', answer.type, 'Content-Length', String(answer.body.length));
  // Node leaves the body out of the answer to a HEAD.
  res.writeHead(200, raw).end(answer.body);
}

/** A refusal as clients of GraphQL read it; its placeholders are filled in, because they know of none. */
export function writeErrors(ctx: Context, refusal: Refusal, headers: ReadonlyMap<string, string>): void {
  ctx.respond = false;
  const { status, message, parameters } = refusal;
  const values = Array.isArray(parameters) ? parameters : [];
  const filled = message.replaceAll(/%(\d)/g, (place, number: string) => String(values[Number(number) - 1] ?? place));
  const body = JSON.stringify({ errors: [{ message: filled }] });
  const raw = [...common, ...[...headers].flat(), ...ofErrors, 'Content-Type', jsonType];
  if (status === 503) raw.push('Retry-After', retryAfterSeconds);
  // The rest of a body we did not read must not be taken for the next request.
  if (status === 413) raw.push('Connection', 'close');
  ctx.res.writeHead(status, [...raw, 'Content-Length', String(Buffer.byteLength(body))]).end(body);
}
