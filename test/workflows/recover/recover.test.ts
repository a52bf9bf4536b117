import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { verify } from '../../../books/verify/verify.ts';
import { checkBackup } from '../../../cli/backup-check.ts';
import { recordMove } from '../../../cli/program.ts';
import { readGatewayLedger } from '../../../cli/verify-books.ts';
import { concludeRestore } from '../../../db/installation/installation-home.ts';
import { migrate } from '../../../db/migrate.ts';
import { createOrm } from '../../../db/orm.ts';
import { markRestored } from '../../../db/verdicts/mark-restored.ts';
import { freePort } from '../../../local/free-port.ts';
import { startPostgres, type PostgresServer } from '../../../local/postgres.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../../local/simulators/app.ts';
import { findServer } from '../../../local/temporal/find-server.ts';
import { startTemporal, type TemporalServer } from '../../../local/temporal/start-server.ts';
import { commandContextOf } from '../../cli/support.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { aFlow, openShop, type Flow } from '../../support/flow.ts';
import { lookNow } from '../../support/housekeeping.ts';
import { aWorkerProcess, type OwnProcess } from '../../support/own-process.ts';
import { patiently } from '../../support/patiently.ts';
import { aRegister } from '../../support/register.ts';
import { waitUntil } from '../../support/wait-until.ts';

/**
 * The drills of `docs/deploy/recover.md`. The gateway keeps no keys and caps nothing: what is sent twice is given
 * twice.
 */
async function aForgetfulGateway(): Promise<GatewaySimulator> {
  const gateway = await startGatewaySimulator({ port: 0 });
  gateway.ledger.change({ keys: 'ignored', cap: false });
  return gateway;
}

async function temporalProgram(): Promise<string> {
  const found = await findServer({ environment: process.env, say: () => undefined });
  if (!('binary' in found)) throw new Error('The drills start a Temporal server of their own.');
  return found.binary;
}

/** What a register sends to give money back to the card in one call; sent again it is the same return. */
const byCard = () => ({ refundMethod: 'original_payment', posSaleId: randomUUID() });
type Sale = { orderId: number; itemId: number };
const giveBack = (flow: Flow, sale: Sale) => {
  const how = byCard();
  return patiently(() => aRegister(flow).returnOne(sale, how));
};
const park = async (flow: Flow) => {
  const sale = await aRegister(flow).sale('12.00');
  const posSaleId = randomUUID();
  const { body } = await patiently(() => aRegister(flow).returnOne(sale, { posSaleId }));
  return { rmaId: Number(body.id), orderId: sale.orderId };
};
/** The money is back, once: what a busy machine answers meanwhile is not looked at. */
const paidBack = async (flow: Flow, sale: Sale) => {
  await giveBack(flow, sale);
  await waitUntil('it is booked', async () => (await aRegister(flow).memosOf(sale.orderId)).length === 1);
};
const settled = (flow: Flow, rmaId: number) =>
  waitUntil('the return is settled', async () => {
    await settle(flow, rmaId);
    return (await aRegister(flow).returnOf(rmaId)).status === 'closed';
  });
const settle = (flow: Flow, rmaId: number, method = 'original_payment', more: object = {}) =>
  patiently(() => aRegister(flow).settle(rmaId, { method, ...more }));

/** The gateway acts, its answer is lost, and it cannot be asked. */
const answerLost = '12.73';

/** What every drill ends with: our books, and the gateway's beside them. */
const wrongBooks = async ({ api, gateway }: Flow) => {
  const found = await verify(api.orm.em.fork(), {
    readLedger: () => readGatewayLedger(gateway.url),
    lookAgainAfterMs: 100,
  });
  return found.map(({ id, rows }) => ({ id, rows }));
};

describe.each(['lost whole', 'put back to an earlier moment'] as const)('temporal, %s', (loss) => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-drill-'));
  let gateway: GatewaySimulator;
  let temporal: TemporalServer;
  let worker: OwnProcess;
  let flow: Flow;
  /** Parked before the moment; one is settled after it. */
  let waiting: { rmaId: number; orderId: number };
  let earlier: { rmaId: number; orderId: number };
  /** Of after the moment: one with an open question, one that is over. */
  let doubtful: { attemptId: number; rmaId: number };
  let paidOut: number;

  beforeAll(async () => {
    const place = { binary: await temporalProgram(), port: await freePort(), dataFile: join(folder, 'now', 'dev.db') };
    gateway = await aForgetfulGateway();
    temporal = await startTemporal(place);
    const orm = await createOrm(await testDatabaseUrl());
    const shop = await openShop({ orm });
    flow = await aFlow({
      existing: { orm, gateway, shop },
      temporalAddress: temporal.address,
      startsWorker: false,
    });
    const register = aRegister(flow);
    worker = await aWorkerProcess(flow, { env: { RECONCILE_AFTER_SECONDS: '0' } });
    [waiting, earlier] = [await park(flow), await park(flow)];

    await worker.kill();
    await temporal.stop();
    mkdirSync(join(folder, 'then'));
    cpSync(join(folder, 'now'), join(folder, 'then'), { recursive: true });
    temporal = await startTemporal(place);
    worker = await aWorkerProcess(flow, { env: { RECONCILE_AFTER_SECONDS: '0' } });

    await settled(flow, earlier.rmaId);
    await giveBack(flow, await register.sale(answerLost));
    await waitUntil('nobody knows of the last refund', async () => {
      const { attempt_id, return_id, state } = await booksOf(() => orm).latest('refund_attempt');
      doubtful = { attemptId: Number(attempt_id), rmaId: Number(return_id) };
      return state === 'uncertain';
    });
    await paidBack(flow, await register.sale('12.00'));
    paidOut = Number((await booksOf(() => orm).latest('sale_return', 'return_id')).return_id);

    await worker.kill();
    await temporal.stop();
    const dataFile = join(folder, loss === 'lost whole' ? 'anew' : 'then', 'dev.db');
    temporal = await startTemporal({ ...place, dataFile });
    await recordMove(commandContextOf(flow.api.orm));
    worker = await aWorkerProcess(flow, { env: { RECONCILE_AFTER_SECONDS: '1' } });
  });
  afterAll(async () => {
    await worker.kill();
    await flow.close();
    await temporal.stop();
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const given = () => gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
  const isOpen = (id: string) =>
    flow.client.workflow
      .getHandle(id)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      );

  test('the open return and the open question have workflows again, and the question is answered', async () => {
    expect(given()).toBe(3);
    await lookNow(flow, { everything: true });
    await waitUntil('the question is open again', () => isOpen(`refund-attempt-${doubtful.attemptId}`));
    const body = { resolution: 'refunded', note: 'seen in the portal', staffName: 'Olga' };
    const path = `/V1/pos/rma/refund-attempts/${doubtful.attemptId}/resolve`;
    await patiently(() => flow.api.call('POST', path, { token: flow.api.tokens.admin, body }));
    await waitUntil('the doubt is decided', async () => {
      const { state } = await booksOf(() => flow.api.orm).theAttempt(doubtful.attemptId, 'state');
      return state === 'booked';
    });
    await waitUntil('the waiting return is followed', () => isOpen(`return-${waiting.rmaId}`));
    expect(given()).toBe(3);
  });

  test('what was over is over, also for a workflow that remembers it as open', async () => {
    const register = aRegister(flow);
    for (const rmaId of [earlier.rmaId, paidOut, doubtful.rmaId]) {
      await settle(flow, rmaId);
      expect(await register.returnOf(rmaId)).toMatchObject({ status: 'closed', refund_attempt_state: 'booked' });
    }
    await waitUntil('its workflow has ended', async () => {
      await lookNow(flow, { everything: true });
      return !(await isOpen(`return-${earlier.rmaId}`));
    });
    expect(given()).toBe(3);
  });

  test('the shop goes on, the books are right, and nothing went out twice', async () => {
    const register = aRegister(flow);
    await settled(flow, waiting.rmaId);
    expect(await register.memosOf(waiting.orderId)).toHaveLength(1);
    expect(await register.memosOf(earlier.orderId)).toHaveLength(1);
    expect(given()).toBe(4);
    expect(gateway.ledger.calls).toHaveLength(4);
    expect(await wrongBooks(flow)).toEqual([]);
  });
});

describe('postgresql, put back to an earlier moment by its archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-archive-'));
  const archive = join(folder, 'wal');
  const [live, again] = [join(folder, 'live'), join(folder, 'again')];
  let gateway: GatewaySimulator;
  let server: PostgresServer;
  let temporal: TemporalServer | undefined;
  let flow: Flow;
  let kept: Sale;
  let waiting: { rmaId: number; orderId: number };
  let lost: Sale;
  let linesBefore: string;
  const name = 'pos';

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    mkdirSync(archive);
    chmodSync(archive, 0o777);
    gateway = await aForgetfulGateway();
    const first = await startPostgres({ root: live, durable: true });
    await first.stop();
    appendFileSync(
      join(first.dataDir, 'postgresql.conf'),
      `archive_mode = on\nwal_level = replica\narchive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'\n`,
    );
    server = await startPostgres({ root: live, durable: true });
    await ask(server, 'postgres', `create database ${name}`);
    await migrate(server.url(name));
    const orm = await createOrm(server.url(name));
    const shop = await openShop({ orm });
    flow = await aFlow({ existing: { orm, gateway, shop } });
    const register = aRegister(flow);
    waiting = await park(flow);

    await baseBackup();
    kept = await register.sale('12.00');
    await paidBack(flow, kept);
    lost = await register.sale('13.00');
    const [{ moment } = { moment: '' }] = await ask<{ moment: string }>(server, name, 'select now()::text as moment');
    // The time that is lost: the waiting return and another one are paid out.
    await settled(flow, waiting.rmaId);
    await paidBack(flow, lost);
    await everythingIsArchived();
    linesBefore = (await look(orm, server)).text;
    await flow.close();
    await server.stop();

    await comeBackAt(moment);
    temporal = await startTemporal({ binary: await temporalProgram() });
    const restored = await createOrm(server.url(name));
    await markRestored(restored.em);
    flow = await aFlow({ existing: { orm: restored, gateway, shop }, temporalAddress: temporal.address });
  });
  afterAll(async () => {
    await flow.close();
    await Promise.all([server.stop(), temporal?.stop(), gateway.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask<Row extends object>(at: PostgresServer, database: string, ...texts: string[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: at.url(database) });
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const text of texts) ({ rows } = await client.query<Row>(text));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** What pg_basebackup does, which npm's PostgreSQL has not. */
  async function baseBackup() {
    const client = new pg.Client({ connectionString: server.url(name) });
    await client.connect();
    await client.query(`select pg_backup_start('the night', true)`);
    mkdirSync(again);
    const copy = join(again, 'data');
    // A file that goes away meanwhile is no fault: the WAL knows of it.
    await promisify(execFile)('cp', ['-a', server.dataDir, copy]).catch(() => undefined);
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()');
    await client.end();
    writeFileSync(join(copy, 'backup_label'), rows[0]?.label ?? '');
    await promisify(execFile)('sh', ['-c', `rm -rf ${copy}/postmaster.* ${copy}/pg_wal/*`]);
  }

  async function everythingIsArchived() {
    const [{ wal } = { wal: '' }] = await ask<{ wal: string }>(
      server,
      name,
      'select pg_walfile_name(pg_switch_wal()) as wal',
    );
    await waitUntil('the last segment is archived', async () => {
      const [state] = await ask<{ last: string | null }>(
        server,
        name,
        'select last_archived_wal as last from pg_stat_archiver',
      );
      return (state?.last ?? '') >= wal;
    });
  }

  async function comeBackAt(moment: string) {
    const data = join(again, 'data');
    const lines = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
      `archive_mode = off`,
    ];
    appendFileSync(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
    writeFileSync(join(data, 'recovery.signal'), '');
    await promisify(execFile)('sh', [
      '-c',
      `chown --reference=${data}/PG_VERSION ${data}/recovery.signal ${data}/backup_label`,
    ]);
    server = await startPostgres({ root: again, durable: true });
  }

  const look = (orm: MikroORM, at: PostgresServer) =>
    checkBackup(commandContextOf(orm, { now: () => new Date() }), {
      database: at.url(name),
      folder: archive,
      within: '26',
      booksMinutes: '5',
    });

  test('before the loss backup check tells of the archive', () => {
    expect(linesBefore).toMatch(/^ok +archive +WAL is archived: \d+ segments, the last \d min ago, 0 failures$/m);
    expect(linesBefore).toMatch(/^ok +backup +the newest of .+ is [0-9A-F]{24}\S*, \d min old$/m);
    expect(linesBefore).toMatch(/^ok +books +all \d+ rules hold$/m);
  });

  test('the restored database is whole, and as it was at that moment', async () => {
    const register = aRegister(flow);
    const { text, isFine } = await look(flow.api.orm, server);
    expect(text).toMatch(/^ok +migrations +the database is up to date$/m);
    expect(text).toMatch(/^ok +books +all \d+ rules hold$/m);
    expect(text).toMatch(/^warning +archive +WAL is not archived/m);
    expect(isFine).toBe(true);
    expect(await register.memosOf(kept.orderId)).toHaveLength(1);
    expect(await register.memosOf(lost.orderId)).toEqual([]);
    expect(await register.returnOf(waiting.rmaId)).toMatchObject({ status: 'items_received' });
  });

  test('what was paid out in the lost time is not paid again, and is booked by hand', async () => {
    expect(gateway.ledger.refunds).toHaveLength(3);
    const waited = await settle(flow, waiting.rmaId);
    const sent = await giveBack(flow, lost);
    for (const { status, body } of [waited, sent]) {
      expect(status).toBe(400);
      expect(body.message).toContain('Nothing was sent');
    }
    const { return_id: sentId } = await booksOf(() => flow.api.orm).latest('sale_return', 'return_id');
    for (const [rmaId, { body }] of [
      [waiting.rmaId, waited],
      [Number(sentId), sent],
    ] as const) {
      const [, reference] = /as "(re_\w+)"/.exec(body.message) ?? [];
      expect((await settle(flow, rmaId, 'manual_card', { reference })).status).toBe(200);
    }
    await concludeRestore(flow.api.orm.em.fork());

    expect(gateway.ledger.calls).toHaveLength(3);
    await booksOf(() => flow.api.orm).booksHold();
    // What only the processor has by its own names are those two refunds, and nothing else.
    expect(await wrongBooks(flow)).toMatchObject([
      { id: 'I-11', rows: [{ order_id: waiting.orderId, refunded_by_gateway: '12.00' }] },
      { id: 'I-11b', rows: [{ amount: '13.00' }] },
    ]);
  });
});
