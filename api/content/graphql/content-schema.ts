import { readFileSync } from 'node:fs';
import {
  buildSchema,
  GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type GraphQLInputType,
} from 'graphql';

/** The interface's schema; `schema.graphql` is its only source. */
export const schemaText = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');

/**
 * `Int` for ids. The platform declares ids as `Int`, and queries of its clients declare their variables so. GraphQL
 * ends `Int` at 2^31 - 1; ids go up to 2^53 - 1, so arguments take whole numbers up to there. No answer has an `Int`.
 *
 * Fails with a `GraphQLError`: fractions, text, numbers above 2^53 - 1.
 */
const idInt = new GraphQLScalarType({
  ...GraphQLInt.toConfig(),
  coerceInputValue: (input) => wholeNumber(input),
  coerceInputLiteral: (literal) => wholeNumber(literal.kind === Kind.INT ? Number(literal.value) : undefined),
});

function wholeNumber(input: unknown): number {
  if (typeof input === 'number' && Number.isSafeInteger(input)) return input;
  throw new GraphQLError('An id is a whole number up to 2^53 - 1.');
}

const ofId = (type: GraphQLInputType): GraphQLInputType =>
  type === GraphQLInt
    ? idInt
    : type instanceof GraphQLNonNull && type.ofType === GraphQLInt
      ? new GraphQLNonNull(idInt)
      : type;

function withIds(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  const query = config.query?.toConfig();
  if (!query) return schema;
  const fields = Object.entries(query.fields).map(([name, field]) => {
    const args = Object.entries(field.args ?? {}).map(([arg, given]) => [arg, { ...given, type: ofId(given.type) }]);
    return [name, { ...field, args: Object.fromEntries(args) }];
  });
  const changed = new GraphQLObjectType({ ...query, fields: Object.fromEntries(fields) });
  const types = config.types.flatMap((type) =>
    type.name === GraphQLInt.name ? [] : type.name === query.name ? [changed] : [type],
  );
  return new GraphQLSchema({ ...config, query: changed, types });
}

export const contentSchema = withIds(buildSchema(schemaText));
