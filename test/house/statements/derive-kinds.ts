import { pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { toCamelCase } from '../../../api/wire/read-json.ts';
import * as words from '../../../db/support/entity-columns.ts';
import type { Named } from '../../../db/support/sql.ts';
import { sourcesOf } from '../sources.ts';
import type { Described, Describe } from './describe-statement.ts';

/** The file of kinds, as the migrated database and the entities have them now. */
export async function deriveKinds(
  client: Client,
  { describe, named }: { describe: Describe; named: Iterable<Named> },
): Promise<string> {
  const origins = await originsOf(client);
  const used = new Used();
  const entries: string[] = [];
  for (const said of [...named].sort((one, other) => (one.name < other.name ? -1 : 1)))
    entries.push(
      `  '${said.name}': () => (${entryOf(said, { described: await describe(said.text), origins, used })}),`,
    );
  return [
    '// Derived from the texts of `sql` by `UPDATE_STATEMENTS=1 npm test -- test/house/statements`. Do not edit.',
    ...used.imports(),
    '',
    'export const kinds = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}

/** An entity's property, which a column of a result comes from. */
interface Origin {
  entity: string;
  path: string;
  key: string;
  isNullable: boolean;
}

/** By `<number of the table>.<number of the column>`. */
async function originsOf(client: Client): Promise<ReadonlyMap<string, Origin>> {
  const { rows } = await client.query<{ id: string; table: string; column: string }>(
    `select a.attrelid || '.' || a.attnum as id, c.relname as table, a.attname as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and a.attnum > 0`,
  );
  const byName = new Map<string, Origin>();
  for (const { path } of sourcesOf('db').filter(({ path: one }) => one.endsWith('.entity.ts')))
    for (const [entity, exported] of Object.entries<unknown>(await import(pathToFileURL(path).href)))
      if (isEntity(exported))
        for (const { key, name, kind } of words.columnsOf(exported))
          // `RowOf` leaves out the key of a row that is one with another.
          if (exported.meta.properties[key]?.kind !== '1:1')
            byName.set(`${exported.meta.tableName}.${name}`, { entity, path, key, isNullable: kind.isNullable });
  return new Map(
    rows.flatMap(({ id, table, column }) => {
      const origin = byName.get(`${table}.${column}`);
      return origin ? [[id, origin] as const] : [];
    }),
  );
}

const isEntity = (value: unknown): value is EntitySchemaWithMeta =>
  typeof value === 'object' && value !== null && 'meta' in value;

/** What the file imports. */
class Used {
  readonly #byPath = new Map<string, Set<string>>();

  of(path: string, name: string): string {
    const names = this.#byPath.get(path) ?? new Set();
    this.#byPath.set(path, names.add(name));
    return name;
  }

  imports(): string[] {
    const paths = [...this.#byPath].sort(([one], [other]) => (one < other ? -1 : 1));
    return paths.map(
      ([path, names]) => `import { ${[...names].sort().join(', ')} } from '${path.replace(/^db/, '.')}';`,
    );
  }
}

interface Found {
  described: Described;
  origins: ReadonlyMap<string, Origin>;
  used: Used;
}

function entryOf({ name, order, nullable, known }: Named, { described, origins, used }: Found): string {
  const word = (kind: string) => used.of('db/support/entity-columns.ts', kind);
  const takes = order.flatMap((parameter, at) => {
    if (parameter in known.takes) return [];
    const kind = word(wordOf(described.parameters[at], `$${parameter} of ${name}`));
    return [`${parameter}: ${nullable.has(parameter) ? `${word('orNull')}(${kind})` : kind}`];
  });
  const given = new Set(
    Object.entries(known.gives).flatMap(([key, part]) =>
      'parts' in part ? part.parts.map(({ as }) => as) : [words.snakeCase(key)],
    ),
  );
  const gives = described.columns
    .filter((column) => !given.has(column.name))
    .map((column) => {
      const key = toCamelCase(column.name);
      const isNullable = column.nullness === 'maybe';
      const origin = origins.get(`${column.table}.${column.column}`);
      if (!origin) {
        const kind = word(wordOf(column.type, `${column.name} of ${name}`));
        return { key, kind: isNullable ? `${word('orNull')}(${kind})` : kind };
      }
      const entity = used.of(origin.path, origin.entity);
      if (origin.key === key && origin.isNullable === isNullable) return { key, entity };
      const kind = `${used.of('db/support/rows.ts', 'of')}(${entity}, '${origin.key}').${origin.key}`;
      if (origin.isNullable === isNullable) return { key, kind };
      return { key, kind: `${word(isNullable ? 'orNull' : 'neverNull')}(${kind})` };
    });
  return `{ takes: ${objectOf(takes)}, gives: ${givenBy(gives, used)} }`;
}

/** Neighbours from one entity are one `of(…)`. */
function givenBy(gives: readonly { key: string; kind?: string; entity?: string }[], used: Used): string {
  const parts: { entity: string | undefined; text: string[] }[] = [];
  for (const { key, kind, entity } of gives) {
    const last = parts.at(-1);
    if (entity !== undefined && last?.entity === entity) last.text.push(`'${key}'`);
    else parts.push({ entity, text: [kind === undefined ? `'${key}'` : `${key}: ${kind}`] });
  }
  const rows = parts.map(({ entity, text }) =>
    entity === undefined ? text.join(', ') : `${used.of('db/support/rows.ts', 'of')}(${entity}, ${text.join(', ')})`,
  );
  if (rows.length === 1 && parts[0]?.entity !== undefined) return rows[0] ?? '';
  return objectOf(rows.map((row, at) => (parts[at]?.entity === undefined ? row : `...${row}`)));
}

const objectOf = (entries: readonly string[]) => (entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`);

const wordsOfTypes: readonly (readonly [string, readonly string[]])[] = [
  ['integer', ['integer', 'smallint', 'bigint']],
  ['float', ['double precision']],
  ['text', ['text', 'character varying', 'character', 'uuid', 'citext']],
  ['flag', ['boolean']],
  ['bytes', ['bytea']],
  ['day', ['date']],
  ['moment', ['timestamp with time zone']],
  ['integers', ['integer[]', 'bigint[]']],
  ['texts', ['text[]', 'character varying[]']],
  ['amount', ['numeric']],
];

function wordOf(type: string | undefined, what: string): string {
  const [word] = wordsOfTypes.find(([, types]) => types.includes(type ?? '')) ?? [];
  if (word === undefined) throw new Error(`${what} is ${type}: its text says what it is, as \`takes\` or \`gives\`.`);
  return word;
}
