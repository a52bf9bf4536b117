import type { Outcome } from '../route.ts';
import type { Json } from './json.ts';
import { responsesOf } from './meaning.ts';

/**
 * Every route that writes can be sent ahead: accepted now, carried out later (platform facts 4.1). The document has the
 * two ways once, with the route's own path as a variable, in place of a second and third copy of each write.
 */

const refusals: readonly Outcome[] = [
  {
    status: 400,
    message: 'A bulk has at most %1 operations; send the others in another.',
    when: 'An argument is wrong, or a bulk has no operation or more than 50,000.',
  },
  {
    status: 401,
    message: "The consumer isn't authorized to access %resources.",
    when: 'The token lacks the resource of the route, or is a customer’s.',
  },
  {
    status: 404,
    message: 'Request does not match any route.',
    when: 'No route that writes has this path.',
  },
];

const route: Json = {
  name: 'route',
  in: 'path',
  required: true,
  description:
    'The path of the route after `/V1/`, slashes included. A bulk has `byId` in place of a variable, such as `products/bySku`; the value is in each body.',
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

const operationOf = ({ operationId, summary, description, schema, example }: Way): Json => ({
  operationId,
  summary,
  description: `${description} PUT and DELETE go the same way, for routes with these methods. The token needs the resource of the
    route, and has to be an administrator’s or an integration’s. How far it is: \`GET /rest/V1/bulk/{bulkUuid}/status\`.`,
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

export const laterPaths: Record<string, Json> = {
  '/rest/async/V1/{route}': {
    post: operationOf({
      operationId: 'sendLater',
      summary: 'Have one request carried out later',
      description: 'What is wrong with the arguments is refused at once; all else is told by the bulk’s status.',
      schema: own,
      example: exampleBody,
    }),
  },
  '/rest/async/bulk/V1/{route}': {
    post: operationOf({
      operationId: 'sendManyLater',
      summary: 'Have many requests carried out later',
      description: 'A list of bodies, 50,000 at most. One with wrong arguments is `rejected`; the others go on.',
      schema: { type: 'array', minItems: 1, maxItems: 50_000, items: own },
      example: [exampleBody],
    }),
  },
};

export const laterSchemas: Record<string, Json> = {
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
