import { noSuchRoute, tooManyOperations } from '../../../domain/refusals/platform.ts';
import type { AnyRoute, Outcome } from '../route.ts';
import { withFieldWords } from './field-words.ts';
import { answerSchema, headerComponents, headerParameters, isJson, type Json } from './json.ts';
import { chapterOf, tags } from './meaning.ts';
import { errorSchema, outcomesOf, refusalSchemas, responsesOf } from './refusals.ts';
import {
  answerName,
  bodyName,
  criteriaComponents,
  fieldsParameter,
  operationOf,
  queryName,
  schemasOf,
  type NamedSchemas,
} from './operation.ts';
import { nameRepeated, Shapes, type Places } from './shapes.ts';

/**
 * Every route that writes can be sent ahead: accepted now, carried out later (platform facts 4.1). The document has the
 * two ways once, with the route's own path as a variable, in place of a second and third copy of each write.
 */

const refusals: readonly Outcome[] = [
  tooManyOperations,
  {
    status: 401,
    message: "The consumer isn't authorized to access %resources.",
    when: 'The token lacks the resource of the route, or is a customer’s.',
  },
  noSuchRoute,
];

const route: Json = {
  name: 'route',
  in: 'path',
  required: true,
  description:
    'The path of the route after `/V1/`, slashes included. A bulk has `byId` in place of a variable, such as ' +
    '`products/bySku`; the value is in each body.',
  schema: { type: 'string' },
  example: 'products',
};

const own: Json = { type: 'object', additionalProperties: {}, description: 'The body of the route.' };
const exampleBody = { product: { sku: 'MUG-BLUE', price: 12.5 } };
const exampleAnswer = {
  bulk_uuid: '7c1b2f0a-6f1e-4b0e-9d36-3f6f2f3f5b11',
  request_items: [{ id: 0, data_hash: '0b5f0a1c', status: 'accepted' }],
  errors: false,
};

interface Way {
  operationId: string;
  summary: string;
  description: string;
  schema: Json;
  example: unknown;
}

const laterPathsOperationOf = ({ operationId, summary, description, schema, example }: Way): Json => ({
  operationId,
  summary,
  description: `${description} PUT and DELETE go the same way, for routes with these methods. The token needs the
resource of the
    route, and has to be an administrator’s or an integration’s. How far it is:
\`GET /rest/V1/bulk/{bulkUuid}/status\`.`,
  tags: ['Platform: bulks'],
  security: [{ bearer: [] }],
  parameters: [route, { $ref: '#/components/parameters/IdempotencyKey' }],
  requestBody: { required: true, content: { 'application/json': { schema, examples: { one: { value: example } } } } },
  responses: {
    202: {
      description: 'Accepted. It is carried out as soon as a worker is free.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/AcceptedBulk' },
          examples: { accepted: { value: exampleAnswer } },
        },
      },
    },
    ...responsesOf(refusals),
    default: { $ref: '#/components/responses/Error' },
  },
});

const laterPaths: Record<string, Json> = {
  '/rest/async/V1/{route}': {
    post: laterPathsOperationOf({
      operationId: 'sendLater',
      summary: 'Have one request carried out later',
      description: 'What is wrong with the arguments is refused at once; all else is told by the bulk’s status.',
      schema: own,
      example: exampleBody,
    }),
  },
  '/rest/async/bulk/V1/{route}': {
    post: laterPathsOperationOf({
      operationId: 'sendManyLater',
      summary: 'Have many requests carried out later',
      description: 'A list of bodies, 50,000 at most. One with wrong arguments is `rejected`; the others go on.',
      schema: { type: 'array', minItems: 1, maxItems: 50_000, items: own },
      example: [exampleBody],
    }),
  },
};

const laterSchemas: Record<string, Json> = {
  AcceptedBulk: {
    type: 'object',
    description: 'What was accepted of a bulk.',
    properties: {
      bulk_uuid: { type: 'string', description: 'The UUID that its status is asked for by.' },
      request_items: {
        type: 'array',
        description: 'An entry for each operation, in the order of the request.',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer', description: 'The number of the operation, from 0.' },
            data_hash: { type: 'string', description: 'The SHA-256 of the body, in hexadecimal digits.' },
            status: { type: 'string', enum: ['accepted', 'rejected'], description: 'Whether it will be carried out.' },
            error_message: { type: 'string', description: 'Why it was rejected. Absent: it was not.' },
            error_code: { type: 'integer', description: 'The status of its refusal. Absent: it was not rejected.' },
          },
          required: ['id', 'data_hash', 'status'],
        },
      },
      errors: { type: 'boolean', description: 'Whether any operation was rejected.' },
    },
    required: ['bulk_uuid', 'request_items', 'errors'],
  },
};

/** The OpenAPI 3.1 document of these routes, made from their schemas and their texts. */
export function openApiOf(routes: readonly AnyRoute[], info: { title: string; version: string }): Json {
  const known = new Shapes();
  const written = routes.map((route) => ({ route, schemas: schemasOf(route) }));
  for (const { schemas } of written) {
    known.addAnswer(schemas.answer);
    for (const sent of [schemas.body, schemas.path, schemas.query]) if (sent) known.addRequest(sent);
  }
  const reported = routes
    .flatMap(({ tells = [] }) => tells)
    .map((event) => ({ ...event, written: answerSchema(event.schema, event.name) }));
  for (const event of reported) known.addAnswer(event.written);
  const { shapes, asSent } = known.all();
  const places: Places = Object.fromEntries(reported.map(({ type, written: { schema } }) => [type, schema]));
  for (const { route, schemas } of written) {
    const { answer, body, path, query } = schemas;
    places[answerName(route)] = answer.schema;
    if (body) places[bodyName(route)] = asSent(body.schema);
    if (query) places[queryName(route)] = withFieldWords(queryName(route), query.schema);
    if (path) places[pathKey(route)] = withFieldWords(pathKey(route), path.schema);
  }
  const named = nameRepeated(shapes, places);
  const ofCodes = refusalSchemas(routes.map((one) => outcomesOf(one)));
  const schemas: Record<string, Json> = { Error: errorSchema, ...ofCodes, ...named.shapes };
  const placed = (name: string) => placeOrName(schemas, name, named.places[name] ?? {});

  const paths: Record<string, Json> = {};
  for (const { route } of written) {
    const made: NamedSchemas = {
      answer: placed(answerName(route)),
      ...(route.body ? { body: placed(bodyName(route)) } : {}),
      path: named.places[pathKey(route)] ?? {},
      query: named.places[queryName(route)] ?? {},
    };
    const { path, operation } = atOnePath(routes, route, operationOf(route, made));
    (paths[path] ??= {})[route.method.toLowerCase()] = operation;
  }
  const used = new Set(routes.map(({ path }) => chapterOf(path)));
  // Where bulks are followed, they are accepted.
  const hasBulks = routes.some(({ path }) => path.startsWith('/V1/bulk/'));
  return {
    openapi: '3.1.0',
    info: { ...info, ...infoWords },
    servers: [{ url: '/' }],
    tags: tags.filter(({ name }) => used.has(String(name))),
    ...(reported.length === 0
      ? {}
      : { webhooks: Object.fromEntries(reported.map((one) => [one.type, sent(one, placed(one.type))])) }),
    paths: hasBulks ? { ...paths, ...laterPaths } : paths,
    components: {
      schemas: wordedSchemas(hasBulks ? { ...schemas, ...laterSchemas } : schemas),
      responses,
      parameters: { ...headerParameters, ...criteriaComponents, Fields: fieldsParameter },
      headers: headerComponents,
      securitySchemes: { bearer },
    },
  };
}

/** An event, as an endpoint gets it. */
const sent = ({ type, summary }: { type: string; summary: string }, schema: Json): Json => ({
  post: {
    operationId: `tell${type.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description: 'Sent to the endpoints that want it, signed after Standard Webhooks.',
    tags: [chapterOf('/V1/pos/events')],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It is taken. Anything else: it is sent again.' } },
  },
});

/**
 * The document has a path once, though two routes of it may name its variables differently: then with the names of the
 * route that reads, or of the first.
 */
function atOnePath(routes: readonly AnyRoute[], route: AnyRoute, operation: Json): { path: string; operation: Json } {
  const plain = (one: AnyRoute) => one.path.replaceAll(/:\w+/g, ':');
  const alike = routes.filter((one) => plain(one) === plain(route));
  const shown = (alike.find(({ method }) => method === 'GET') ?? alike[0] ?? route).path;
  const names = new Map(variablesOf(route.path).map((own, at) => [own, variablesOf(shown)[at]]));
  const parameters: unknown = operation['parameters'];
  const renamed = (Array.isArray(parameters) ? parameters.filter(isJson) : []).map((parameter) =>
    parameter['in'] === 'path' ? { ...parameter, name: names.get(String(parameter['name'])) } : parameter,
  );
  const path = `/rest${shown.replaceAll(/:(\w+)/g, '{$1}')}`;
  return { path, operation: { ...operation, parameters: renamed } };
}

const variablesOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

const pathKey = (route: AnyRoute) => `${route.method} ${route.path}`;

const infoWords = {
  description: `The server side of a retail register: JSON over HTTP under \`/rest\`, or \`/rest/<store code>\` for one store view.

**Tokens.** Every route says which resource its token needs. A register has the access token of an integration, and sends it as
\`Authorization: Bearer …\`. A missing, unknown or revoked token, and one without the resource, get the same 401.

**Repeats.** Send every POST and PUT with an \`Idempotency-Key\` and repeat it with the same key until there is an answer. No answer
is no "no".

**Keys** may be written in snake_case or camelCase; answers are in snake_case. **Moments** are in UTC. **Amounts** are decimal numbers;
those with \`base_\` are in the website's base currency, all others in the order's.

**Errors** have a \`message\` with placeholders and their values in \`parameters\`. A 409 has a word in \`parameters.outcome\` to branch on.`,
  license: { name: 'Unlicensed: for the registers of this shop only', identifier: 'LicenseRef-UNLICENSED' },
  contact: { name: 'The shop that runs this server' },
};

const bearer: Json = {
  type: 'http',
  scheme: 'bearer',
  description: `An integration’s access token (registers), an administrator’s (four hours,
\`POST /rest/V1/integration/admin/token\`) or a customer’s (one hour, \`POST /rest/V1/integration/customer/token\`).`,
};

const responses: Record<string, Json> = {
  Error: {
    description: `Anything else: 500 is our mistake, 503 and 504 mean that the outcome is not known. Send the same
request
      again, with the same \`Idempotency-Key\`.`,
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
};

/** A request or an answer with keys gets a name. A number, a text or a list of named items stays in place. */
function placeOrName(schemas: Record<string, Json>, name: string, schema: Json): Json {
  if (!('properties' in schema)) return withFieldWords(name, schema);
  schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

const wordedSchemas = (schemas: Record<string, Json>) =>
  Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => [name, withFieldWords(name, schema)]),
  );
