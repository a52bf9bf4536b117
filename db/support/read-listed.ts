import { snakeCase } from './entity-columns.ts';
import { readOne, type Kinds, type ValuesOf } from './kinds.ts';

/** Reads a row found by `search`, as a statement reads its own rows. */
export function readListed<const Gives extends Kinds>(gives: Gives, wire: object): ValuesOf<Gives> {
  const row: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(gives)) {
    const name = snakeCase(key);
    row[key] = readOne(name, kind, Reflect.get(wire, name));
  }
  return row as ValuesOf<Gives>;
}
