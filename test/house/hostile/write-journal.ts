import type { MikroORM } from '@mikro-orm/postgresql';

export interface WriteJournal {
  /** The tables rows were written to since the last call. What was rolled back is not in it. */
  take(): Promise<string[]>;
}

/**
 * Notes each row that is inserted, changed or deleted, whatever the table. For a test's own database. That an event
 * gets its place in the feed, when somebody reads it, changes nothing of the shop.
 */
export async function writeJournal(orm: MikroORM): Promise<WriteJournal> {
  const { em } = orm;
  await em.fork().execute(`create unlogged table noted_write (name text not null)`);
  await em.fork().execute(
    `create function note_write() returns trigger language plpgsql as $$
     begin
       if tg_table_name = 'pos_event' and tg_op = 'UPDATE' then return null; end if;
       insert into noted_write values (tg_table_name); return null;
     end $$`,
  );
  await em.fork().execute(
    `do $$ declare name text; begin
       for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and relname <> 'noted_write' loop
         execute format('create trigger zz_note_write after insert or update or delete on %I
           for each row execute function note_write()', name);
       end loop;
     end $$`,
  );
  return {
    async take() {
      const rows = await em.fork().execute<{ name: string }[]>('delete from noted_write returning name');
      return [...new Set(rows.map(({ name }) => name))].toSorted();
    },
  };
}
