import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context, Middleware } from 'koa';
import { readContentRevision } from '../../../db/content/read-published.ts';
import { PosError, type Refusal } from '../../../domain/errors.ts';
import { reached, type ApiParts } from '../../http/api-parts.ts';
import { hasTag } from '../../http/entity-tag.ts';
import { defaultTimeoutMs, inTime } from '../../http/in-time.ts';
import { readBytes, tooLarge } from '../../http/read-bytes.ts';
import { createStoreScopes } from '../../http/store-scopes.ts';
import { jsonHeaders, jsonType, retryAfterSeconds } from '../../http/write-answer.ts';
import { refusalFor } from '../../wire/envelope.ts';
import { answerGraphql, graphqlHandler, type GraphqlAnswer, type GraphqlRequest } from './answer-graphql.ts';
import { graphqlPath } from './graphql-path.ts';
import { createStoredAnswers, type StoredAnswer } from './measure-document.ts';

/** The newest revision of all content, at most `storedMs` old. Concurrent callers share one read. */
function createContentFreshness(em: EntityManager, storedMs: number): () => Promise<number> {
  let known = 0;
  let readAt = -Infinity;
  let reading: Promise<number> | undefined;

  const renew = async () => {
    const began = performance.now();
    known = await readContentRevision(em);
    readAt = began;
    return known;
  };
  return async () => {
    if (performance.now() - readAt < storedMs) return known;
    return (reading ??= renew().finally(() => (reading = undefined)));
  };
}

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
function writeGraphql(ctx: Context, answer: GraphqlAnswer | StoredAnswer, { headers, isUnchanged }: Manner): void {
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
function writeErrors(ctx: Context, refusal: Refusal, headers: ReadonlyMap<string, string>): void {
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

/** The size of a document with the most tokens, generously written, and its variables. */
const maxBodyBytes = 65_536;
/** How soon a change of content is visible. Within this time the database is not asked again. */
const defaultStoredMs = 100;
/** The longest request that is cached. */
const longestKey = 16_384;

/**
 * `/graphql`: published content for everyone, without a token (spec 4.12, 5.2). GET, HEAD and POST, as GraphQL over
 * HTTP has it.
 *
 * An identical request in the same store view gets the cached answer while no content changes.
 *
 * Refused with: 400 an unknown store view, no document, several at once, a parameter twice · 406 · 405 · 413 more
 * than 64 KB · 415 · 503 the database is away. Errors of the document itself are 200 with `errors`, or 400 for
 * callers that accept `application/graphql-response+json`.
 */
export function createGraphql(parts: ApiParts): Middleware {
  const findStore = createStoreScopes(parts.orm.em);
  const newestRevision = createContentFreshness(parts.orm.em, parts.contentKeptMs ?? defaultStoredMs);
  const storedAnswers = createStoredAnswers();
  const handler = graphqlHandler();

  const answer = async (ctx: Context): Promise<GraphqlAnswer | StoredAnswer> => {
    const { req } = ctx;
    const { queryString } = ctx.state;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const body = isRead ? '' : await readText(ctx);
    const storeId = await findStoreOf(req);
    const revision = await reached(newestRevision());
    const request: GraphqlRequest = { incoming: req, queryString, body, storeId, em: parts.orm.em };
    const key = keyOf(request, isRead);
    const known = key === undefined ? undefined : storedAnswers.find(key, revision);
    if (known) return known;
    const uncached = await answerGraphql(handler, request);
    if (key !== undefined && uncached.kept) storedAnswers.keep(key, revision, uncached.kept);
    return uncached.kept ?? uncached;
  };

  /** As in paths; an unknown code gets an answer in GraphQL's form. */
  const findStoreOf = async ({ headers: { store } }: IncomingMessage): Promise<number> => {
    const code = typeof store === 'string' && store !== '' ? store : undefined;
    try {
      return (await reached(findStore(code))).storeId;
    } catch (error) {
      if (error instanceof PosError && error.status === 400) throw new PosError({ status: 400, message: noStore });
      throw error;
    }
  };

  return async (ctx) => {
    const { req } = ctx;
    const { requestId, headers } = ctx.state;
    try {
      const work = () => answer(ctx);
      const found = await inTime(work, parts.requestTimeoutMs ?? defaultTimeoutMs);
      const isUnchanged = 'tag' in found && req.method !== 'POST' && hasTag(req.headers['if-none-match'], found.tag);
      writeGraphql(ctx, found, { headers, isUnchanged });
    } catch (thrown) {
      const facts = { requestId, method: ctx.method, path: graphqlPath };
      writeErrors(ctx, refusalFor(thrown, parts.log, facts), headers);
    }
  };
}

const noStore = 'Requested store is not found';

async function readText(ctx: Context): Promise<string> {
  const bytes = await readBytes(ctx, maxBodyBytes);
  if (bytes === 'too_large') throw tooLarge(maxBodyBytes);
  return Buffer.from(bytes).toString('utf8');
}

/** Everything on which an answer depends: the store view, the format and the request. */
function keyOf(
  { incoming: { headers }, queryString, body, storeId }: GraphqlRequest,
  isRead: boolean,
): string | undefined {
  // A store view may change while no content does.
  if (queryString.includes('storeConfig') || body.includes('storeConfig')) return undefined;
  const request = isRead ? ['GET', queryString] : ['POST', headers['content-type'] ?? '', body];
  const key = JSON.stringify([storeId, headers.accept ?? '', ...request]);
  return key.length > longestKey ? undefined : key;
}
