import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { grantAppRole } from '../../db/grant-app-role.ts';
import { migrate } from '../../db/migrate.ts';
import { booksOf } from '../support/books.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { aRegister, type Register } from '../support/register.ts';
import { outcomesAtOnce } from '../support/rivals.ts';
import { waitUntil } from '../support/wait-until.ts';

const role = `app_${randomBytes(6).toString('hex')}`;
const server = process.env['TEST_POSTGRES'] ?? '';
const owner = new pg.Client({ connectionString: `${server}postgres` });

let flow: Flow;
let register: Register;
let database: string;

/** Everything the API and the worker do from here on, they do as that role. */
beforeAll(async () => {
  await owner.connect();
  flow = await aFlow();
  register = aRegister(flow);
  const [at] = await rows<{ name: string }>('select current_database() as name');
  database = at!.name;
  for (let time = 0; time < 2; time++) await grantAppRole(server + database, { name: role, password: 'letters' });
  await owner.query(`alter database ${database} set role = '${role}'`);
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  // Connections that were ended are found out one by one.
  await waitUntil('every connection is a new one', async () => {
    const { done } = await outcomesAtOnce(20, () => rows('select 1'));
    return done.length === 20;
  });
});
afterAll(async () => {
  await flow.close();
  await owner.query(`drop database ${database} with (force)`);
  await owner.query(`drop role ${role}`);
  await owner.end();
});

const { rows, insert } = booksOf(() => flow.api.orm);

test('the role sells, takes goods back, and refunds by cash and through a gateway', async () => {
  expect(await rows('select current_user as who')).toEqual([{ who: role }]);

  const sold = await register.sale('12.00');
  const parked = await register.returnOne(sold);
  const settled = await register.settle(parked.body.id, { method: 'cash' });
  expect(settled.body).toMatchObject({ status: 'closed' });
  const paidByCard = await register.sale('15.00');
  const card = await register.returnOne(paidByCard, { refundMethod: 'original_payment', posSaleId: randomUUID() });
  expect(card.body).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });

  expect(await register.memosOf(sold.orderId)).toHaveLength(1);
  expect(await register.memosOf(paidByCard.orderId)).toHaveLength(1);
  expect(flow.gateway.ledger.refunds).toHaveLength(1);
  const { body } = await flow.api.call('GET', '/V1/pos/events?after=0&limit=200', { token: flow.api.tokens.admin });
  expect(body.events.filter(({ type }: { type: string }) => type === 'order.refunded')).toHaveLength(2);
  expect(flow.api.faults).toEqual([]);
});

test('the role opens and drops days of telemetry, and numbers documents of a new store', async () => {
  expect(await rows(`select pos_telemetry_open_day('2031-05-01') as opened`)).toEqual([{ opened: true }]);
  await insert('pos_growing_count', { counted_table: 'nothing', up_to: 0 });
  expect(await rows(`select next_increment_id('return', 77) as id`)).toEqual([{ id: expect.stringMatching(/^77/) }]);
});

test.each([
  'alter table sales_order disable trigger all',
  'alter table refund_attempt disable trigger user',
  'alter table pos_receipt disable trigger pos_receipt_frozen',
  'drop trigger pos_receipt_frozen on pos_receipt',
  'alter table store_credit_wallet drop constraint store_credit_wallet_pkey',
  'drop table refund_attempt',
  'truncate refund_attempt',
  'create table own (id int)',
  'create function own() returns void language sql as $$ $$',
  'drop function next_increment_id(text, bigint)',
  'set session_replication_role = replica',
  `insert into schema_migration (name) values ('own')`,
])('the role cannot %s', async (sql) => {
  await expect(rows(sql)).rejects.toThrow(/permission denied|must be owner/);
});

test('a role that rules over the database is refused', async () => {
  await expect(grantAppRole(server + database, { name: 'pos', password: undefined })).rejects.toThrow(
    'the role pos rules over this database',
  );
});

test('an owner who may make no roles hears what an administrator runs once, and then needs no more', async () => {
  const [ordinary, other] = [`owner_${role}`, `other_${role}`];
  const url = new URL(`${server}${ordinary}`);
  [url.username, url.password] = [ordinary, 'letters'];
  await owner.query(`create role ${ordinary} login password 'letters'`);
  await owner.query(`create database ${ordinary} owner ${ordinary}`);
  await migrate(url.href);

  const told = await grantAppRole(url.href, { name: other, password: 'secret' }).catch(String);

  const [, once = ''] = /let an administrator run once: (.*); and leave/.exec(told ?? '') ?? [];
  expect(once).toContain('grant pg_read_all_stats');
  expect(told).not.toContain('secret');
  await owner.query(once);
  await grantAppRole(url.href, { name: other, password: undefined });
  await owner.query(`drop database ${ordinary} with (force)`);
  await owner.query(`drop role ${other}, ${ordinary}`);
});
