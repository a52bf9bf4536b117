import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ormOptions } from '../../db/orm.ts';
import { testDatabaseUrl } from '../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await MikroORM.init({ ...ormOptions(await testDatabaseUrl()), extensions: [Migrator] });
});
afterAll(() => orm.close());

const execute = <Row>(sql: string) => orm.em.getConnection().execute<Row[]>(sql);

/** What a person would find in the schema, besides the list of migrations itself. */
const schema = async () => ({
  columns: await execute(`
    select table_name, column_name, data_type, is_nullable, column_default, is_generated
    from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migration' order by 1, 2`),
  constraints: await execute(`
    select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid::regclass::text <> 'schema_migration' order by 1, 2`),
  indexes: await execute(`
    select tablename, indexname, indexdef from pg_indexes
    where schemaname = 'public' and tablename <> 'schema_migration' order by 1, 2`),
  triggers: await execute(`
    select tgrelid::regclass::text as "table", tgname, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal order by 1, 2`),
  functions: await execute(`
    select proname, md5(prosrc) as source from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`),
  sequences: await execute(
    `select sequence_name from information_schema.sequences where sequence_schema = 'public' and sequence_name <> 'schema_migration_id_seq' order by 1`,
  ),
});

/** What is another each time. */
const byChance: Record<string, string> = { installation: ` - 'installation_key' - 'created_at'` };

/** What migrations themselves put into the tables. */
async function reference(): Promise<Record<string, unknown[]>> {
  const tables = await execute<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' order by 1`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables)
    rows[name] = await execute(`select to_jsonb(t)${byChance[name] ?? ''} as row from "${name}" t order by 1`);
  return rows;
}

test('all migrations go up, down and up again, and leave the same', async () => {
  const before = { schema: await schema(), reference: await reference() };

  await orm.migrator.down({ to: 0 });
  const empty = await schema();
  expect(empty).toEqual({ columns: [], constraints: [], indexes: [], triggers: [], functions: [], sequences: [] });

  await orm.migrator.up();
  expect({ schema: await schema(), reference: await reference() }).toEqual(before);
});
