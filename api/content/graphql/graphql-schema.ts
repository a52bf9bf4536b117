import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';

/** The interface as it is written down; `schema.graphql` is the truth, and there is no other. */
export const schemaText = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');

export const contentSchema = buildSchema(schemaText);
