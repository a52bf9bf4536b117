import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { createOrm } from '../../db/orm.ts';

/** The address of a new database with the whole schema and nothing in it but what migrations put there. */
export async function testDatabaseUrl(): Promise<string> {
  const server = process.env['TEST_POSTGRES'];
  if (!server) throw new Error('Run the tests with npm test: it starts the database.');
  const name = `t_${randomBytes(8).toString('hex')}`;
  const admin = new pg.Client({ connectionString: `${server}postgres` });
  await admin.connect();
  await admin.query(`create database ${name} template template_pos`);
  await admin.end();
  return `${server}${name}`;
}

/** A database of its own for one test file; close it in `afterAll`. */
export async function testDatabase(): Promise<MikroORM> {
  return createOrm(await testDatabaseUrl());
}
