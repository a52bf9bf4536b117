type Rows = (sql: string) => Promise<unknown[]>;

/** The writes of a table that go wrong. */
export interface Writes {
  to: string;
  on?: 'insert' | 'change';
  /** Only of such rows, as a trigger says it: `old.pos_order_id = 'sale-1'`. */
  when?: string;
}

let made = 0;
const asleep = `from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;

/** What a database may do to a write. A fault stays until the function that is answered takes it away. */
export function faultsBy(rows: Rows) {
  const beforeEach = async (body: string, { to, on = 'insert', when = 'true' }: Writes) => {
    const name = `fault_${++made}`;
    const verb = on === 'change' ? 'update' : 'insert';
    await rows(`
      create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$;
      create trigger ${name} before ${verb} on ${to} for each row when (${when}) execute function ${name}()`);
    return async () => void (await rows(`drop function ${name} cascade`));
  };
  return {
    /** The database refuses these writes, with these words or this code of PostgreSQL. */
    refuseWrites: (writes: Writes & { says?: string; code?: string }) =>
      beforeEach(
        `raise exception '${writes.says ?? 'no'}' using errcode = '${writes.code ?? 'P0001'}'; return new;`,
        writes,
      ),
    /** These writes fall asleep in their transaction. The end of the fault ends their connections, too. */
    stallWrites: async (writes: Writes) => {
      const end = await beforeEach('perform pg_sleep(60); return new;', writes);
      return async () => {
        await rows(`select pg_terminate_backend(pid) ${asleep}`);
        await end();
      };
    },
    /** How many transactions are open while nothing is asked of the database. */
    idleTransactions: async () =>
      (
        await rows(
          `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        )
      ).length,
    /** How many writes are asleep. */
    stalledWrites: async () => (await rows(`select pid ${asleep}`)).length,
  };
}
