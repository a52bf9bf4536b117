import type { Context } from 'koa';
import type { Refusal } from '../../../domain/errors.ts';
import { jsonHeaders } from '../../http/security-headers.ts';
import { jsonType, retryAfterSeconds } from '../../http/write-answer.ts';
import type { GraphqlAnswer } from './answer-graphql.ts';
import type { KeptAnswer } from './kept-answers.ts';

const common = jsonHeaders.flat();
/** A cache on the way stores one answer per view, and asks each time whether it is still valid. */
const ofAnswers = ['Vary', 'Store, Accept', 'Cache-Control', 'public, no-cache'];
const ofErrors = ['Vary', 'Store, Accept', 'Cache-Control', 'no-store'];

interface Manner {
  headers: ReadonlyMap<string, string>;
  /** The caller has this version already. */
  isUnchanged: boolean;
}

/** Written directly to the socket, as `writeJson` does. */
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
  // Node omits the body of an answer to HEAD.
  res.writeHead(200, raw).end(answer.body);
}

/** A refusal in GraphQL's form, with its placeholders filled in, because clients do not know them. */
export function writeErrors(ctx: Context, refusal: Refusal, headers: ReadonlyMap<string, string>): void {
  ctx.respond = false;
  const { status, message, parameters } = refusal;
  const values = Array.isArray(parameters) ? parameters : [];
  const filled = message.replaceAll(/%(\d)/g, (place, number: string) => String(values[Number(number) - 1] ?? place));
  const body = JSON.stringify({ errors: [{ message: filled }] });
  const raw = [...common, ...[...headers].flat(), ...ofErrors, 'Content-Type', jsonType];
  if (status === 503) raw.push('Retry-After', retryAfterSeconds);
  // The unread rest of a body must not be taken for the next request.
  if (status === 413) raw.push('Connection', 'close');
  ctx.res.writeHead(status, [...raw, 'Content-Length', String(Buffer.byteLength(body))]).end(body);
}
