import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createOrm } from '../../db/orm.ts';
import { databasePrefix } from './what-is-left.ts';
import type { DatabaseLimits } from '../../db/support/connections/guard-pool.ts';

/** The API's own limits with much shorter times. */
export const impatient: DatabaseLimits = {
  connections: 10,
  connectSeconds: 1,
  lockSeconds: 0.5,
  statementSeconds: 1,
  idleSeconds: 2,
  reserved: { health: 1, 'sign-in': 1, read: 2, write: 2 },
};

/** The address of a new database with the whole schema and only the rows of migrations. */
export async function testDatabaseUrl(): Promise<string> {
  const server = process.env['TEST_POSTGRES'];
  if (!server) throw new Error('Run the tests with npm test: it starts the database.');
  return createFrom('template_pos', server);
}

/** The address of a new database without any table. */
export async function emptyDatabaseUrl(): Promise<string> {
  return createFrom('template0', process.env['TEST_POSTGRES'] ?? '');
}

/** A copy of a database as it is now, like a backup. No client may be connected to it. */
export async function copyOfDatabase(url: string): Promise<string> {
  const at = url.lastIndexOf('/') + 1;
  return createFrom(url.slice(at), url.slice(0, at));
}

async function createFrom(template: string, server: string): Promise<string> {
  const name = `${databasePrefix()}${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: `${server}postgres` });
  await admin.connect();
  // Copies files instead of logging each page: under load a fifth of the time, as nothing here waits for a disk.
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  return `${server}${name}`;
}

/** A database of its own for one test file; close it in `afterAll`. */
export async function testDatabase(): Promise<MikroORM> {
  return createOrm(await testDatabaseUrl());
}
