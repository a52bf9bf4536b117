import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { execute, GraphQLError, parse, specifiedRules, validate, type DocumentNode } from 'graphql';
import { createHandler, type Handler } from 'graphql-http';
import {
  isSwitchedOff,
  readPublishedByIdentifiers,
  readPublishedByIds,
  readPublishedOfCategories,
  readPublishedOfProducts,
  readPublishedOfSkus,
  type PublishedContent,
} from '../../../db/content/read-published.ts';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { invalid } from '../../../domain/errors.ts';
import { idIn } from '../../../domain/ids.ts';
import { noSuchRecord } from '../../../domain/refusals/platform.ts';
import { contentSchema } from './content-schema.ts';
import {
  attributeOf,
  blockOf,
  maxAnswerLetters,
  measureDocument,
  noting,
  pageOf,
  type ContentRequest,
  type StoredAnswer,
  type Measures,
} from './measure-document.ts';

/** The most blocks of one query. A screen shows three. */
const maxIdentifiers = 50;

function refuseTooMany(identifiers: readonly unknown[]): void {
  if (identifiers.length > maxIdentifiers) throw wrong(`At most ${maxIdentifiers} identifiers can be asked for.`);
}

interface OneOf {
  identifier?: string | null;
  id?: number | null;
}

/**
 * The queries of `schema.graphql`, one statement each; content that is not public is null, or left out of the items.
 */
export const contentQueries = {
  vendorCmsPage: async (input: OneOf, request: ContentRequest) => {
    const row = await findOne('page', input, request);
    return row ? pageOf(row) : null;
  },

  vendorCmsBlock: async (posted: OneOf, request: ContentRequest) => {
    const row = await findOne('block', posted, request);
    return row ? blockOf(row) : null;
  },

  vendorCmsBlocks: async ({ identifiers }: { identifiers: readonly string[] }, request: ContentRequest) => {
    refuseTooMany(identifiers);
    const rows = await readByIdentifiers('block', identifiers, request);
    const items = new Set(identifiers);
    return { items: [...items].flatMap((one) => rows.filter(({ identifier }) => identifier === one).map(blockOf)) };
  },

  vendorProductAttribute: async (
    values: { productId?: number | null; sku?: string | null; attributeCode?: string | null },
    request: ContentRequest,
  ) => {
    const { productId, sku } = values;
    exactlyOne('productId', productId, 'sku', sku);
    const { em, storeId } = request;
    const read =
      typeof sku === 'string'
        ? () => readPublishedOfSkus(em, { skus: storable([sku]), storeId })
        : () => readPublishedOfProducts(em, { productIds: [Number(productId)], storeId });
    return attributesOf(await noting(request, read), values.attributeCode);
  },

  vendorCategoryAttribute: async (
    { categoryId, attributeCode }: { categoryId: number; attributeCode?: string | null },
    request: ContentRequest,
  ) => {
    const { em, storeId } = request;
    const rows = await noting(request, () => readPublishedOfCategories(em, { categoryIds: [categoryId], storeId }));
    return attributesOf(rows, attributeCode);
  },
};

async function findOne(kind: 'page' | 'block', { identifier, id }: OneOf, request: ContentRequest) {
  exactlyOne('identifier', identifier, 'id', id);
  if (typeof identifier === 'string') return (await readByIdentifiers(kind, [identifier], request))[0];
  const { em, storeId } = request;
  const rows = await noting(request, () => readPublishedByIds(em, { kind, ids: [Number(id)], storeId }));
  return rows[0];
}

const readByIdentifiers = (kind: 'page' | 'block', identifiers: readonly string[], request: ContentRequest) =>
  noting(request, () =>
    readPublishedByIdentifiers(request.em, { kind, identifiers: storable(identifiers), storeId: request.storeId }),
  );

/** A name that PostgreSQL cannot store cannot exist. */
const storable = (names: readonly string[]) => names.filter((name) => !name.includes('\0'));

const attributesOf = (rows: readonly PublishedContent[], code: string | null | undefined) => ({
  items: rows.filter(({ identifier }) => typeof code !== 'string' || identifier === code).map(attributeOf),
});

function exactlyOne(name: string, value: unknown, other: string, otherValue: unknown): void {
  if ((value ?? null) === null) {
    if ((otherValue ?? null) === null) throw wrong(`"${name}" or "${other}" must be given.`);
  } else if ((otherValue ?? null) !== null) throw wrong(`Either "${name}" or "${other}" must be given, not both.`);
}

const wrong = (message: string) => new GraphQLError(message, { extensions: { category: 'graphql-input' } });

/** What the platform's own clients ask for, with its errors (platform facts 11). */
export const platformQueries = {
  cmsPage: async ({ id, identifier }: { id?: number | null; identifier?: string | null }, request: ContentRequest) => {
    if (typeof id === 'number') return asPage(await pageById(id, request));
    if (typeof identifier !== 'string') throw wrong('Page id/identifier should be specified');
    const [row] = await readByIdentifiers('page', [identifier], request);
    if (!row) throw missing('page', identifier);
    return asPage(row);
  },

  cmsBlocks: async ({ identifiers }: { identifiers?: readonly (string | null)[] | null }, request: ContentRequest) => {
    const requested = (identifiers ?? []).map(String);
    if (requested.length === 0) throw wrong('"identifiers" of CMS blocks should be specified');
    refuseTooMany(requested);
    const find = await findBlocks(requested, request);
    // An error in a list is null there, and stands among the errors of the answer.
    return { items: [...new Set(requested)].map((one) => asBlock(find(one)) ?? missing('block', one)) };
  },

  storeConfig: async (_given: object, request: ContentRequest) => {
    const views = await noting(request, () => readStoreViews(request.em));
    const view = views.find(({ storeId }) => storeId === request.storeId);
    return view ? { code: view.code, store_code: view.code } : null;
  },
};

async function pageById(id: number, request: ContentRequest): Promise<PublishedContent> {
  const { em, storeId } = request;
  const [row] = await noting(request, () => readPublishedByIds(em, { kind: 'page', ids: [id], storeId }));
  if (row) return row;
  const isOff = await noting(request, () => isSwitchedOff(em, { kind: 'page', contentId: id }));
  throw isOff ? noSuchEntity(noSuchRecord.message) : missing('page', id);
}

/** A number is an id first. */
async function findBlocks(requested: readonly string[], request: ContentRequest) {
  const { em, storeId } = request;
  const ids = requested.flatMap((one) => idIn(one) ?? []);
  const byId =
    ids.length === 0 ? [] : await noting(request, () => readPublishedByIds(em, { kind: 'block', ids, storeId }));
  const byName = await readByIdentifiers('block', requested, request);
  return (one: string) =>
    byId.find(({ contentId }) => String(contentId) === one) ?? byName.find(({ identifier }) => identifier === one);
}

/** The platform shows what is rendered where ours shows what was written. */
const asPage = (row: PublishedContent) => {
  const { html, css: _css, ...page } = pageOf(row);
  return { ...page, content: html };
};

const asBlock = (row: PublishedContent | undefined) => {
  if (!row) return undefined;
  const { html, css: _css, ...block } = blockOf(row);
  return { ...block, content: html };
};

const missing = (kind: 'page' | 'block', id: string | number) =>
  noSuchEntity(`The CMS ${kind} with the "${id}" ID doesn't exist.`);

const noSuchEntity = (message: string) =>
  new GraphQLError(message, { extensions: { category: 'graphql-no-such-entity' } });

/** Twice what the largest tool needs to read the whole schema. */
const maxTokens = 2_000;
const limits: Omit<Measures, 'hasCircle'> = {
  definitions: 20,
  fields: 300,
  aliases: 30,
  directives: 20,
  depth: 8,
  introspectionDepth: 16,
  cost: 600,
};
/** How many errors of an invalid document are reported. */
const maxErrors = 5;

/** A shop's registers send the same few documents again and again. */
const mostStored = 200;
const longestStored = 8_192;

/**
 * Documents that were parsed and validated. Documents that ask for too much are refused before validation, because
 * some of its rules take quadratic time.
 *
 * Fails with a `GraphQLError`: too long, too deep, too many fields, aliases or directives, too expensive, or
 * circular.
 */
export function createDocuments() {
  const stored = new Map<string, DocumentNode>();
  const good = new WeakSet<DocumentNode>();
  return {
    read(text: string): DocumentNode {
      const known = stored.get(text);
      if (known) return known;
      const document = parse(text, { maxTokens, noLocation: false });
      checkLimits(measureDocument(document));
      return document;
    },
    validate(text: string, document: DocumentNode): readonly GraphQLError[] {
      if (good.has(document)) return [];
      const errors = validate(contentSchema, document, specifiedRules, { maxErrors, hideSuggestions: true });
      if (errors.length > 0) return errors;
      good.add(document);
      if (text.length <= longestStored) keep(text, document);
      return errors;
    },
  };

  function keep(text: string, document: DocumentNode): void {
    stored.set(text, document);
    if (stored.size <= mostStored) return;
    for (const oldest of stored.keys()) return void stored.delete(oldest);
  }
}

function checkLimits({ hasCircle, ...measures }: Measures): void {
  if (hasCircle) throw new GraphQLError('A fragment of the document leads back to itself.');
  for (const [what, most] of Object.entries(limits)) {
    const request: unknown = Reflect.get(measures, what);
    if (Number(request) > most)
      throw new GraphQLError(`The document asks for too much: ${words[what]} at most ${most}.`);
  }
}

const words: Readonly<Record<string, string>> = {
  definitions: 'operations and fragments',
  fields: 'fields',
  aliases: 'aliases',
  directives: 'directives',
  depth: 'depth',
  introspectionDepth: 'depth of introspection',
  cost: 'cost',
};

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
  kept?: StoredAnswer;
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
    async execute(input) {
      const request = input.contextValue;
      const result = await execute({ ...input, hideSuggestions: true, options: { maxCoercionErrors } });
      if (isRequest(request) && request.fault !== undefined) throw request.fault;
      return result;
    },
  });
}

/** A HEAD is answered as a GET, because the handler knows no HEAD. */
const allowed = 'GET, HEAD, POST';
const requestedOnce = ['query', 'variables', 'operationName', 'extensions'];

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
  const answerHeaders = status === 405 ? { ...headers, allow: allowed } : headers;
  const answer = { status, headers: Object.entries(answerHeaders), body: bytes };
  const type = headers['content-type'];
  const isWhole = status === 200 && type !== undefined && text?.startsWith('{"data":') === true && !hasErrors(text);
  return isWhole ? { ...answer, kept: { type, body: bytes, tag: tagOf(bytes) } } : answer;
}

function refuseTwice(queryString: string): void {
  const input = new URLSearchParams(queryString);
  const twice = requestedOnce.find((name) => input.getAll(name).length > 1);
  if (twice !== undefined) throw invalid('"%1" must not be given twice.', [twice]);
}

const isRequest = (value: unknown): value is ContentRequest =>
  typeof value === 'object' && value !== null && 'lettersLeft' in value;

/** Errors are beside the data, before or after it. */
const hasErrors = (text: string) => Object.hasOwn(JSON.parse(text), 'errors');

const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
