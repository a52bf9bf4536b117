import type { MikroORM } from '@mikro-orm/postgresql';

interface Column {
  table: string;
  column: string;
  type: string;
}

/**
 * So much time goes by: every moment in the database is so much longer ago, whatever holds it. The clocks of the
 * machine and of the database stay, so what is compared with them is as old as it would be.
 */
export async function timeGoesBy({ orm }: { orm: MikroORM }, by: { days?: number; seconds?: number }): Promise<void> {
  const { days = 0, seconds = 0 } = by;
  await orm.em.fork().transactional(async (em) => {
    const columns = await em.execute<Column[]>(`
      select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join pg_class t on t.oid = format('%I.%I', c.table_schema,
        c.table_name)::regclass
      where c.table_schema = 'public' and c.is_generated = 'NEVER' and t.relkind in ('r', 'p') and not t.relispartition
        and c.table_name <> 'pos_list_count'
        and c.data_type in ('timestamp with time zone', 'timestamp without time zone', 'date')`);
    // What was frozen when it was written stays frozen; this is no write of the shop's. But lists are counted by day.
    const counting = await em.execute<{ table: string; name: string }[]>(
      `select tgrelid::regclass as table, tgname as name from pg_trigger where tgname like '%\\_recounted'`,
    );
    for (const { table, name } of counting) await em.execute(`alter table ${table} enable always trigger ${name}`);
    await em.execute('set local session_replication_role = replica');
    for (const [table, ofTable] of Map.groupBy(columns, ({ table: name }) => name)) {
      const changes = ofTable.map(
        ({ column, type }) =>
          `"${column}" = ("${column}" - make_interval(days => ${days}, secs => ${seconds}))::${type}`,
      );
      await em.execute(`update "${table}" set ${changes.join(', ')}`);
    }
    for (const { table, name } of counting) await em.execute(`alter table ${table} enable trigger ${name}`);
  });
}
