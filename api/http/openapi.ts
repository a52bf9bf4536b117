import { z } from 'zod';
import { keyParameter, replayed, takesKey } from './openapi-keys.ts';
import { refusedWith, shownExamples } from './openapi-meaning.ts';
import type { AnyRoute } from './route.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of these routes, made from the schemas they parse with.
 *
 * Request keys are shown in camelCase; snake_case is taken as well.
 */
export function openApiOf(routes: readonly AnyRoute[], info: { title: string; version: string }): Json {
  const schemas: Json = { Error: errorSchema };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/rest${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    paths,
    components: { schemas, responses, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    errors: { type: 'array', items: { type: 'object' } },
    parameters: { oneOf: [{ type: 'array' }, { type: 'object' }] },
  },
  required: ['message'],
};

const refused = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const responses: Json = {
  Invalid: refused('The request cannot be carried out as it stands.'),
  Unauthorized: refused('No token, an unknown one, or one without the resource.'),
  Conflict: refused('Not decided yet: send the same request again, or read the record. The outcome tells which.'),
  KeyReused: refused('The Idempotency-Key was sent with another request. Nothing was done.'),
  Error: refused('Refused; the message says why.'),
};

function operationOf(route: AnyRoute, schemas: Json): Json {
  const resources = typeof route.acl === 'string' ? [route.acl] : route.acl;
  const isOpen = resources.every((resource) => resource === 'anonymous');
  const answer: Json = route.isDoubleEncoded
    ? { type: 'string', contentMediaType: 'application/json' }
    : jsonSchemaOf(route.response, schemas, `${operationIdOf(route)}_answer`);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    description: [route.description, `Needs: ${resources.join(', ')}`].filter(Boolean).join('\n\n'),
    tags: [tagOf(route.path)],
    ...(isOpen ? { security: [] } : { security: [{ bearer: [] }], 'x-acl': resources }),
    parameters: [
      ...parametersOf(route, 'path', schemas),
      ...parametersOf(route, 'query', schemas),
      ...(takesKey(route) ? [keyParameter] : []),
    ],
    ...(route.body
      ? { requestBody: requestBodyOf(route.body, { schemas, name: `${operationIdOf(route)}_body`, route }) }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        ...(takesKey(route) ? { headers: replayed } : {}),
        content: { 'application/json': { schema: answer, ...shownExamples(route, 'response') } },
      },
      400: { $ref: '#/components/responses/Invalid' },
      ...(isOpen ? {} : { 401: { $ref: '#/components/responses/Unauthorized' } }),
      ...(takesKey(route)
        ? { 409: { $ref: '#/components/responses/Conflict' }, 422: { $ref: '#/components/responses/KeyReused' } }
        : {}),
      ...refusedWith(route.outcomes ?? []),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const requestBodyOf = (
  body: z.ZodType,
  { schemas, name, route }: { schemas: Json; name: string; route: AnyRoute },
): Json => ({
  required: true,
  content: { 'application/json': { schema: jsonSchemaOf(body, schemas, name), ...shownExamples(route, 'body') } },
});

const operationIdOf = ({ name, method, path }: AnyRoute) =>
  name ?? `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`;

const tagOf = (path: string) =>
  path
    .split('/')
    .slice(2, path.startsWith('/V1/pos/') ? 4 : 3)
    .join(' ');

function parametersOf(route: AnyRoute, where: 'path' | 'query', schemas: Json): Json[] {
  const schema = where === 'path' ? route.params : route.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = objectParts.parse(
    jsonSchemaOf(schema, schemas, `${operationIdOf(route)}_${where}`),
  );
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: inner,
    ...(where === 'query' && inner['type'] === 'object' ? { style: 'deepObject', explode: true } : {}),
  }));
}

const objectParts = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
});

/**
 * Named schemas move to the document's components; the others stay in place. A recursive schema has no name of its
 * own, so it gets the operation's.
 */
function jsonSchemaOf(schema: z.ZodType, schemas: Json, name: string): Json {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', cycles: 'ref' });
  const text = JSON.stringify(made)
    .replaceAll('"#/$defs/__schema', `"#/components/schemas/${name}`)
    .replaceAll('"#/$defs/', '"#/components/schemas/')
    .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`);
  const { $schema: _version, $defs = {}, ...own }: Json & { $defs?: Json } = JSON.parse(text);
  for (const [key, inner] of Object.entries($defs)) schemas[key.replace(/^__schema/, name)] = inner;
  if (!text.includes(`"$ref":"#/components/schemas/${name}"`)) return own;
  schemas[name] = own;
  return { $ref: `#/components/schemas/${name}` };
}
