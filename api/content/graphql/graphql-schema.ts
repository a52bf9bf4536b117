import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';

/** The interface's schema; `schema.graphql` is its only source. */
export const schemaText = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');

export const contentSchema = buildSchema(schemaText);
