import pg from 'pg';

/** The database role of the API and the worker, where they are not the owner of the database. */
export interface AppRole {
  name: string;
  /** Absent: the role keeps its password, or has none. */
  password: string | undefined;
}

/** Functions that create and set sequences, and make partitions for days; only these run with the owner's rights. */
const ownersWork = [
  'next_increment_id(text, bigint)',
  'pos_leave_event_numbers()',
  'pos_telemetry_open_day(date)',
  'pos_telemetry_drop_day(date)',
];

/**
 * Gives a role the rights that the API and the worker need, and no more: it reads and writes rows. It owns no table
 * and no trigger, so it cannot disable the guards. A missing role is created.
 *
 * The owner runs it after each migration; safe to repeat. Throws where the role is the owner, or could become the
 * owner.
 */
export async function grantAppRole(url: string, role: AppRole): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    // One at a time: PostgreSQL refuses concurrent grants on the same object.
    await client.query('select pg_advisory_xact_lock(727275)');
    await makeRole(client, role);
    for (const grant of grantsTo(pg.escapeIdentifier(role.name), await databaseOf(client))) await client.query(grant);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function makeRole(client: pg.Client, { name, password }: AppRole): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { rows } = await client.query<{ reads: boolean }>(
    `select pg_has_role(oid, 'pg_read_all_stats', 'member') as reads from pg_roles where rolname = $1`,
    [name],
  );
  if (rows.length === 0)
    await asAdministrator(client, role, `create role ${role} login nosuperuser nocreatedb nocreaterole`);
  // Roles belong to the server, so another database may have created it with other rights.
  const { rows: found } = await client.query<{ rules: boolean }>(
    `select rolsuper or rolcreaterole or pg_has_role(oid, current_user, 'member') as rules from pg_roles
      where rolname = $1`,
    [name],
  );
  if (found[0]?.rules)
    throw new Error(
      `the role ${name} rules over this database: it owns its tables, or may become their owner. DATABASE_URL of migrate names the owner; DATABASE_APP_ROLE names another role, which owns nothing, for API and worker`,
    );
  if (password !== undefined)
    await asAdministrator(client, role, `alter role ${role} password ${pg.escapeLiteral(password)}`);
  // Needed for counting, which waits for open transactions of any role.
  if (!rows[0]?.reads) await asAdministrator(client, role, `grant pg_read_all_stats to ${role}`);
}

/** An owner who is an ordinary user may not do this; an administrator then does it once. */
async function asAdministrator(client: pg.Client, role: string, sql: string): Promise<void> {
  await client.query(sql).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === insufficientPrivilege)) throw error;
    throw new Error(
      `the owner may make no roles: let an administrator run once: create role ${role} login password '…'; grant pg_read_all_stats to ${role}; and leave DATABASE_APP_PASSWORD out`,
    );
  });
}

const insufficientPrivilege = '42501';

async function databaseOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return pg.escapeIdentifier(rows[0]?.name ?? '');
}

const grantsTo = (role: string, database: string): readonly string[] => [
  `grant connect on database ${database} to ${role}`,
  `revoke create on schema public from public`,
  `revoke create on schema public from ${role}`,
  `grant usage on schema public to ${role}`,
  `revoke all on all tables in schema public from ${role}`,
  `grant select, insert, update, delete on all tables in schema public to ${role}`,
  `grant usage, select on all sequences in schema public to ${role}`,
  // Only the owner may change the list of migrations.
  `revoke insert, update, delete on schema_migration from ${role}`,
  // For partitions and sequences that the owner creates later.
  `alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`,
  `alter default privileges in schema public grant usage, select on sequences to ${role}`,
  ...ownersWork.map((work) => `alter function ${work} security definer set search_path = public, pg_temp`),
];
