/** The same schema under several names, for documents with dozens of similar fields. */
export const eachOf = <const Name extends string, Schema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> =>
  // The names come from the argument, which the compiler cannot derive through `fromEntries`.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
