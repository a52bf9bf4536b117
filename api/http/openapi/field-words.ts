import { mapParts, propertiesOf, type Json } from './json.ts';

const words: Readonly<Record<string, string>> = {};

/** Adds to each key what it means, unless its schema says it. */
export function withFieldWords(shape: string, schema: Json): Json {
  const made = mapParts(schema, (inner) => withFieldWords(shape, inner));
  if (!('properties' in made)) return made;
  const properties = Object.entries(propertiesOf(made)).map(([key, inner]) => {
    const description = inner['description'] ?? words[`${shape}.${key}`] ?? words[key];
    return [key, description === undefined ? inner : { ...inner, description }] as const;
  });
  return { ...made, properties: Object.fromEntries(properties) };
}
