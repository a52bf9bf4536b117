import type { Kind } from '../../../db/support/entity-columns.ts';
import type { Reply } from '../../../db/support/statement.ts';
import type { Described } from './describe-statement.ts';

/** What a statement says of itself and the database does not. */
export function faultsOf({ takes, gives }: Reply, { parameters, columns }: Described): string[] {
  const declared = gives.flatMap((part) =>
    part.columns.map((column) => ({ name: column.as, kind: column.kind, isLeftOut: part.whole?.isOptional === true })),
  );
  const names = new Set(declared.map(({ name }) => name));
  return [
    ...takes.flatMap(({ name, kind }, at) => [
      ...ofType(`$${name}`, [...kind.types, ...(kind.sentTo ?? [])], parameters[at]),
      ...ofId(`$${name}`, parameters[at]),
    ]),
    ...columns.flatMap(({ name, type }) => ofId(name, type)),
    ...columns
      .filter(({ name }) => declared.length > 0 && !names.has(name))
      .map(({ name }) => `${name} is not among what it gives`),
    ...declared.flatMap(({ name, kind, isLeftOut }) => {
      const column = columns.find((one) => one.name === name);
      if (!column) return [`${name} is not among its columns`];
      return [...ofType(name, kind.types, column.type), ...(isLeftOut ? [] : ofNullness(name, kind, column.nullness))];
    }),
  ];
}

/** A parameter compared with `0` before anything else has 32 bits, and a larger id is an error of the database. */
const ofId = (name: string, found = '') =>
  /(?:^|[_$])ids?$|[a-z]Ids?$/.test(name) && /^(?:integer|smallint)(?:\[\])?$/.test(found)
    ? [`${name} is ${found}, but an id has 64 bits`]
    : [];

const ofType = (name: string, types: readonly string[], found = 'not there') =>
  types.includes(found) ? [] : [`${name} is ${found}, not ${types.join(' or ')}`];

function ofNullness(
  name: string,
  { isNullable, isVouched }: Kind<unknown>,
  found: Described['columns'][number]['nullness'],
) {
  if (found === 'maybe' && !isNullable && isVouched !== true) return [`${name} can be null`];
  return found === 'never' && isNullable ? [`${name} is never null`] : [];
}
