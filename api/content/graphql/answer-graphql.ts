import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { execute, type DocumentNode } from 'graphql';
import { createHandler, type Handler } from 'graphql-http';
import { invalid } from '../../../domain/errors.ts';
import { contentQueries } from './content-queries.ts';
import { platformQueries } from './platform-queries.ts';
import type { ContentRequest } from './content-request.ts';
import { contentSchema } from './graphql-schema.ts';
import type { KeptAnswer } from './kept-answers.ts';
import { createDocuments } from './read-document.ts';
import { maxAnswerLetters } from './render-published.ts';

/** The most errors reported about invalid variables. */
const maxCoercionErrors = 5;

export interface GraphqlRequest {
  incoming: IncomingMessage;
  queryString: string;
  /** Empty for a request without one. */
  body: string;
  storeId: number;
  em: EntityManager;
}

export interface GraphqlAnswer {
  status: number;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  /** Set for a complete answer without errors: it may be cached. */
  kept?: KeptAnswer;
}

export type GraphqlHandler = Handler<GraphqlRequest, undefined>;

/** The GraphQL handler behind our limits. One per process, because it keeps parsed documents. */
export function graphqlHandler(): GraphqlHandler {
  const documents = createDocuments();
  const texts = new WeakMap<DocumentNode, string>();
  return createHandler<GraphqlRequest, undefined, ContentRequest>({
    schema: contentSchema,
    rootValue: { ...contentQueries, ...platformQueries },
    context: ({ raw: { em, storeId } }): ContentRequest => ({ em, storeId, lettersLeft: maxAnswerLetters }),
    parse(text) {
      const source = typeof text === 'string' ? text : text.body;
      const document = documents.read(source);
      texts.set(document, source);
      return document;
    },
    validate: (_schema, document) => documents.validate(texts.get(document) ?? '', document),
    async execute(given) {
      const request = given.contextValue;
      const result = await execute({ ...given, hideSuggestions: true, options: { maxCoercionErrors } });
      if (isRequest(request) && request.fault !== undefined) throw request.fault;
      return result;
    },
  });
}

/** A HEAD is answered as a GET, because the handler knows no HEAD. */
const allowed = 'GET, HEAD, POST';
const askedOnce = ['query', 'variables', 'operationName', 'extensions'];

/**
 * Answers one request; when the database fails, it fails with that error.
 *
 * Refused with 400: two documents in an address, because a cache and a server might each use a different one.
 */
export async function answerGraphql(handler: GraphqlHandler, request: GraphqlRequest): Promise<GraphqlAnswer> {
  const { incoming, queryString, body } = request;
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET');
  if (method === 'GET') refuseTwice(queryString);
  const [text, { status, headers = {} }] = await handler({
    url: `/graphql?${queryString}`,
    method,
    headers: incoming.headers,
    body,
    raw: request,
    context: undefined,
  });
  const bytes = Buffer.from(text ?? '');
  const said = status === 405 ? { ...headers, allow: allowed } : headers;
  const answer = { status, headers: Object.entries(said), body: bytes };
  const type = headers['content-type'];
  const isWhole = status === 200 && type !== undefined && text?.startsWith('{"data":') === true && !hasErrors(text);
  return isWhole ? { ...answer, kept: { type, body: bytes, tag: tagOf(bytes) } } : answer;
}

function refuseTwice(queryString: string): void {
  const given = new URLSearchParams(queryString);
  const twice = askedOnce.find((name) => given.getAll(name).length > 1);
  if (twice !== undefined) throw invalid('"%1" must not be given twice.', [twice]);
}

const isRequest = (value: unknown): value is ContentRequest =>
  typeof value === 'object' && value !== null && 'lettersLeft' in value;

/** Errors are beside the data, before or after it. */
const hasErrors = (text: string) => Object.hasOwn(JSON.parse(text), 'errors');

const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
