import { z } from 'zod';
import { toSnakeCase } from '../../wire/spelling.ts';
import { isJson, mapParts, propertiesOf, requiredOf, type Json } from './json.ts';

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
    Object.entries($defs).map(([key, { id: _id, ...inner }]) => [key.replace(/^__schema/, name), inner]),
  );
  if (!text.includes(`"$ref":"#/components/schemas/${name}"`)) return { schema: own, named };
  return { schema: { $ref: `#/components/schemas/${name}` }, named: { ...named, [name]: own } };
}

/** JavaScript's largest whole number says nothing about the limit of a field. */
const isEndOfNumbers = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) === Number.MAX_SAFE_INTEGER;

function plain(schema: Json): Json {
  const { prefixItems, propertyNames, ...rest } = mapParts(schema, plain);
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
 * The empty list where something may not be there. It has no type: of a list beside another type the generator for Java makes
 * a method without a valid name.
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
  if (!Array.isArray(anyOf)) return rest;
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
