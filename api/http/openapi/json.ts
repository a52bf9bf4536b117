import { isObject } from '../../wire/is-object.ts';

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
