import { z } from 'zod';
import { idempotencyHeader } from '../../../domain/idempotency.ts';
import { isObject, toSnakeCase } from '../../wire/read-json.ts';
import type { AnyRoute, HeaderWord } from '../route.ts';
import { replayHeader } from '../within.ts';

/** JSON Schema as plain data, as the modules of the API document exchange it. */
export type Json = Record<string, unknown>;

export const isJson: (value: unknown) => value is Json = isObject;

/** The keys of a schema; empty when it has none. */
export const propertiesOf = (schema: Json): Record<string, Json> => {
  const { properties } = schema;
  if (!isJson(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, inner]) => (isJson(inner) ? [[key, inner]] : [])),
  );
};

export const requiredOf = ({ required }: Json): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

/** The keywords with one schema each; `properties` has one for each key. */
const single = ['items', 'additionalProperties', 'contentSchema'] as const;
const several = ['anyOf', 'oneOf', 'allOf'] as const;

/** Gets each part with its property's key; the key is empty for a keyword of JSON Schema. */
export type Visit = (inner: Json, key: string) => Json;

/** A copy of a schema in which `visit` replaces each immediate part. */
export function mapParts(schema: Json, visit: Visit): Json {
  const made: Json = { ...schema };
  for (const keyword of single) {
    const inner = schema[keyword];
    if (isJson(inner)) made[keyword] = visit(inner, '');
  }
  for (const keyword of several) {
    const inner: unknown = schema[keyword];
    if (Array.isArray(inner)) made[keyword] = inner.map((one: unknown) => (isJson(one) ? visit(one, '') : one));
  }
  if (isJson(schema['properties']))
    made['properties'] = Object.fromEntries(
      Object.entries(propertiesOf(schema)).map(([key, inner]) => [key, visit(inner, key)]),
    );
  return made;
}

/** A schema with the named schemas that it uses. */
export interface Written {
  schema: Json;
  named: Record<string, Json>;
}

/**
 * A schema for the document, without what generators of clients cannot read: bounds of unlimited numbers, tuples
 * without members, a lone type null, several spellings of one value.
 *
 * @param name the name of a schema that contains itself and has no name
 */
export function answerSchema(schema: z.ZodType, name: string): Written {
  return mapWritten(written(schema, name), (part) => withoutStrictness(plain(part)));
}

/**
 * As `answerSchema`, for requests. Of several spellings of a value it keeps the most detailed one; inner keys are in
 * snake_case. Only keys under `request` are spelled as the interface does (spec 2.9).
 */
export function requestSchema(schema: z.ZodType, name: string): Written {
  const { schema: whole, named } = mapWritten(written(schema, name), (part) => plain(withoutLenience(part)));
  const asSent = new Set<unknown>();
  const spelled = mapParts(whole, (inner, key) => {
    if (key !== 'request') return inSnakeCase(inner);
    asSent.add(inner['$ref']);
    return inner;
  });
  const parts = Object.entries(named).map(
    ([key, part]) => [key, asSent.has(`#/components/schemas/${key}`) ? part : inSnakeCase(part)] as const,
  );
  return { schema: spelled, named: Object.fromEntries(parts) };
}

const mapRecord = (record: Record<string, Json>, change: (part: Json) => Json) =>
  Object.fromEntries(Object.entries(record).map(([name, part]) => [name, change(part)]));

const mapWritten = ({ schema, named }: Written, change: (part: Json) => Json): Written => ({
  schema: change(schema),
  named: mapRecord(named, change),
});

function written(schema: z.ZodType, name: string): Written {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', cycles: 'ref' });
  const text = JSON.stringify(made)
    .replaceAll('"#/$defs/__schema', `"#/components/schemas/${name}`)
    .replaceAll('"#/$defs/', '"#/components/schemas/')
    .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`);
  const { $schema: _version, $defs = {}, ...own }: Json & { $defs?: Record<string, Json> } = JSON.parse(text);
  const named = Object.fromEntries(
    Object.entries({ ...$defs, ...namedInside({ own, ...$defs }) }).map(([key, { id: _id, ...inner }]) => [
      key.replace(/^__schema/, name),
      inner,
    ]),
  );
  const isNamed = '$ref' in own;
  if (isNamed || !text.includes(`"$ref":"#/components/schemas/${name}"`)) return { schema: own, named };
  return { schema: { $ref: `#/components/schemas/${name}` }, named: { ...named, [name]: own } };
}

/** The JSON inside a text brings its named shapes along; they become shapes of the document. */
function namedInside(schema: Json): Record<string, Json> {
  const found: Record<string, Json> = {};
  const take = (part: Json): Json => {
    if (isJson(part['$defs'])) Object.assign(found, part['$defs']);
    delete part['$defs'];
    for (const inner of Object.values(part)) for (const one of [inner].flat()) if (isJson(one)) take(one);
    return part;
  };
  take(schema);
  return found;
}

/** JavaScript's largest whole number says nothing about the limit of a field. */
const isEndOfNumbers = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

const isId = (key: string) => /^ids?$|_ids?$|[a-z]Ids?$/.test(key);

/** The key of a list's items, or of one of several forms, is the key of the whole. */
function plain(schema: Json, key = ''): Json {
  const { prefixItems, propertyNames, ...rest } = mapParts(schema, (inner, own) => plain(inner, own || key));
  // Generated clients read integers without a format as 32 bits.
  if (rest['type'] === 'integer' && isId(key) && !('enum' in rest)) rest['format'] = 'int64';
  if (Array.isArray(prefixItems)) return { ...rest, items: rest['items'] === false ? {} : rest['items'] };
  if (isEndOfNumbers(rest['minimum'])) delete rest['minimum'];
  if (isEndOfNumbers(rest['maximum'])) delete rest['maximum'];
  if (rest['type'] === 'null') return { ...rest, type: ['string', 'null'] };
  if (rest['type'] === 'array' && !isJson(rest['items'])) rest['items'] = {};
  if (isJson(propertyNames) && Array.isArray(propertyNames['enum'])) rest['propertyNames'] = propertyNames;
  if (rest['type'] === 'number' && Array.isArray(rest['enum']) && rest['enum'].every(Number.isInteger))
    rest['type'] = 'integer';
  return oneType(rest);
}

/** Writes `X or null` as one type when X is one type, and several constants as one enumeration. */
function oneType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const options = anyOf.filter(isJson).map((one) => (one['maxItems'] === 0 && anyOf.length > 1 ? nothing : one));
  if (options.length > 1 && options.every((one) => 'const' in one && one['type'] === options[0]?.['type']))
    return { ...rest, type: options[0]?.['type'], enum: options.map((one) => one['const']) };
  const isNull = ({ type, ...more }: Json) => Array.isArray(type) && type.includes('null') && isEmpty(more);
  const [only, ...others] = options.filter((one) => !isNull(one));
  const isNullable = options.some(isNull);
  if (!only || others.length > 0 || !isNullable) return { ...rest, anyOf: options };
  if (typeof only['type'] !== 'string')
    return '$ref' in only ? { ...rest, anyOf: [only, { type: 'null' }] } : { ...rest, ...only };
  const values: unknown = only['enum'];
  return {
    ...rest,
    ...only,
    type: [only['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

/**
 * The empty list where something may not be there. It has no type: of a list beside another type the generator for Java
 * makes a method without a valid name.
 */
const nothing: Json = {
  description: 'An empty list: there is none.',
  maxItems: 0,
  not: { type: ['object', 'string'] },
};

const isEmpty = (record: object) => Object.keys(record).length === 0;

/** Clients must accept unknown keys, because later versions add some. */
function withoutStrictness(schema: Json): Json {
  const { additionalProperties, ...rest } = mapParts(schema, withoutStrictness);
  return additionalProperties === undefined || additionalProperties === false
    ? rest
    : { ...rest, additionalProperties };
}

/** Leaves out the text form of an object or a list: it is accepted, but no client should send it. */
function withoutLenience(schema: Json): Json {
  const { anyOf, ...rest } = mapParts(schema, withoutLenience);
  // A schema that names its type itself has chosen.
  if (!Array.isArray(anyOf) || 'type' in rest) return rest;
  const options = anyOf.filter(isJson);
  const rich = options.find(({ type }) => type === 'array' || type === 'object');
  const isLenient = rich !== undefined && options.every((one) => one === rich || one['type'] !== 'null');
  return isLenient ? { ...rest, ...rich } : { ...rest, anyOf };
}

/** Keys as clients of the platform write them. */
function inSnakeCase(schema: Json): Json {
  const made = mapParts(schema, inSnakeCase);
  if (!isJson(made['properties'])) return made;
  const properties = Object.entries(propertiesOf(made)).map(([key, inner]) => [toSnakeCase(key), inner] as const);
  const required = requiredOf(made).map(toSnakeCase);
  return { ...made, properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) };
}

/** The address of a chapter: `Platform: orders` is `platform-orders`. */
export const slugOf = (chapter: string) =>
  chapter
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The document of one chapter: its operations and the shared parts that they use. Small enough for a phone. */
export function chapterDocument(document: Json, chapter: string): Json {
  const paths = Object.entries(recordOf(document['paths'])).flatMap(([path, methods]) => {
    const own = Object.entries(recordOf(methods)).filter(([, operation]) => isIn(operation, chapter));
    return own.length === 0 ? [] : [[path, Object.fromEntries(own)] as const];
  });
  const webhooks = Object.entries(recordOf(document['webhooks'])).filter(([, reported]) =>
    isIn(recordOf(reported)['post'], chapter),
  );
  const components = recordOf(document['components']);
  const names = reached(components, Object.fromEntries([...paths, ...webhooks]));
  const stored = Object.entries(components).map(([kind, parts]) => {
    const own = Object.entries(recordOf(parts)).filter(
      ([name]) => kind === 'securitySchemes' || names.has(`#/components/${kind}/${name}`),
    );
    return [kind, Object.fromEntries(own)] as const;
  });
  const tags = Array.isArray(document['tags']) ? document['tags'] : [];
  const { webhooks: _all, ...others } = document;
  return {
    ...others,
    ...(webhooks.length === 0 ? {} : { webhooks: Object.fromEntries(webhooks) }),
    tags: tags.filter((tag: unknown) => recordOf(tag)['name'] === chapter),
    paths: Object.fromEntries(paths),
    components: Object.fromEntries(stored),
  };
}

const recordOf = (value: unknown): Json => (isJson(value) ? value : {});

function isIn(operation: unknown, chapter: string): boolean {
  const { tags } = recordOf(operation);
  return Array.isArray(tags) && tags.includes(chapter);
}

/** Every reference from a schema, also through other references. */
function reached(components: Json, from: unknown, found = new Set<string>()): ReadonlySet<string> {
  for (const [, reference = ''] of JSON.stringify(from).matchAll(/"\$ref":"([^"]+)"/g)) {
    if (found.has(reference)) continue;
    found.add(reference);
    const [, , kind = '', name = ''] = reference.split('/');
    reached(components, recordOf(components[kind])[name] ?? {}, found);
  }
  return found;
}

/** Headers of requests and answers. */

export const isOpen = ({ acl }: AnyRoute): boolean => [acl].flat().every((resource) => resource === 'anonymous');

/** Every write takes an idempotency key, except those without a caller, because a key belongs to a caller. */
export const takesKey = (route: AnyRoute): boolean =>
  (route.method === 'POST' || route.method === 'PUT') && ![route.acl].flat().includes('anonymous');

export const headerParameters: Record<string, Json> = {
  IdempotencyKey: {
    name: idempotencyHeader,
    in: 'header',
    required: false,
    description: `Names the request: sent again with the same key, it is carried out once and answered as the first
      time. Kept for seven days.`,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};

const text = { type: 'string' };

export const headerComponents: Record<string, Json> = {
  RequestId: {
    description:
      'The id of the request: the one that was sent as `X-Request-Id`, else one of the server. It is in the log.',
    schema: text,
  },
  IdempotentReplayed: {
    description: 'There, and true, where an earlier request did this: nothing more was done.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: `Seconds after which the same request is worth sending again. Every 503 has it; of a 409 only
      \`idempotency_key_in_use\`.`,
    schema: { type: 'integer' },
  },
};

const headerReference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** Headers of the route's answer. */
export const answeredHeaders = (route: AnyRoute): Json => ({
  'X-Request-Id': headerReference('RequestId'),
  ...(takesKey(route) ? { [replayHeader]: headerReference('IdempotentReplayed') } : {}),
  ...Object.fromEntries(
    (route.headers?.answered ?? []).map(({ name, description }) => [name, { description, schema: text }]),
  ),
});

/** Headers that the route reads. */
export const readHeaders = (route: AnyRoute): readonly Json[] => [
  ...(takesKey(route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(route.headers?.read ?? []).map(headerParameter),
];

const headerParameter = ({ name, description, example }: HeaderWord): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: text,
  ...(example === undefined ? {} : { example }),
});
