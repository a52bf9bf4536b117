import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DriverException } from '@mikro-orm/core';
import { createConnectionSlots } from '../../../../db/support/connections/guard-pool.ts';
import { DatabaseTrouble, type Trouble, troubleOf } from '../../../../db/support/connections/database-trouble.ts';
import type { Lane } from '../../../../db/support/connections/lanes.ts';
import { createOrm } from '../../../../db/orm.ts';
import { startPostgres, type PostgresServer } from '../../../../local/postgres.ts';
import { outcomesAtOnce } from '../../../support/rivals.ts';

describe('connection slots', () => {
  const reserved = { health: 1, 'sign-in': 1, read: 2, write: 2 };
  const tenPlaces = () => createConnectionSlots({ size: 10, waitMs: 20, reserved });
  const take = (slots: ReturnType<typeof tenPlaces>, lane: Lane, count: number) =>
    outcomesAtOnce(count, () => slots.take(lane)).then(({ done }) => done);

  test.each<[Lane, number]>([
    ['write', 6],
    ['read', 6],
    ['sign-in', 5],
    ['health', 5],
  ])('a crowd of %s gets %i of ten places and leaves the others theirs', async (crowd, most) => {
    const slots = tenPlaces();

    expect(await take(slots, crowd, 30)).toHaveLength(most);

    for (const [lane, count] of Object.entries(reserved) as [Lane, number][])
      if (lane !== crowd) expect(await take(slots, lane, count)).toHaveLength(count);
  });

  test('two crowds together take no more than there is', async () => {
    const slots = tenPlaces();
    const [writes, reads] = [await take(slots, 'write', 30), await take(slots, 'read', 30)];
    expect([...writes, ...reads]).toHaveLength(8);
  });

  test('a caller who gets no place in time is told that the database is busy', async () => {
    const slots = createConnectionSlots({ size: 1, waitMs: 5, reserved: {} });
    await slots.take('write');
    await expect(slots.take('write')).rejects.toMatchObject({ code: '53300' });
  });

  test('a place that is given back goes to the first who waits, and only once', async () => {
    const slots = createConnectionSlots({ size: 1, waitMs: 1_000, reserved: {} });
    const leave = await slots.take('write');
    const order: string[] = [];
    const [first, second] = ['first', 'second'].map(async (name) => {
      const leaveAgain = await slots.take('write');
      order.push(name);
      return leaveAgain;
    });

    leave();
    leave();
    const leaveFirst = await first;
    expect(order).toEqual(['first']);
    leaveFirst?.();
    await second;
    expect(order).toEqual(['first', 'second']);
  });

  test('a kind that waits does not keep another one waiting', async () => {
    const slots = tenPlaces();
    await take(slots, 'write', 6);
    const late = slots.take('write');
    await expect(slots.take('read')).resolves.toBeInstanceOf(Function);
    await expect(late).rejects.toMatchObject({ code: '53300' });
  });
});

describe('database trouble', () => {
  const said = (code: string) => Object.assign(new Error('as the server says it'), { code });

  test.each<[string, Trouble | undefined]>([
    ['08000', 'away'],
    ['08001', 'away'],
    ['08006', 'away'],
    ['08007', 'unknown'],
    ['57P01', 'away'],
    ['57P03', 'away'],
    ['25P03', 'away'],
    ['55P03', 'busy'],
    ['57014', 'busy'],
    ['53300', 'busy'],
    ['23505', undefined],
    ['40P01', undefined],
    ['42P01', undefined],
    ['ECONNREFUSED', undefined],
  ])('%s is %s', (code, trouble) => {
    expect(troubleOf(said(code))).toBe(trouble);
  });

  test('it is known whatever it was wrapped in', () => {
    const lost = new DatabaseTrouble('08007', 'gone');
    expect(troubleOf(new DriverException(lost))).toBe('unknown');
    expect(troubleOf(new Error('the step failed', { cause: said('55P03') }))).toBe('busy');
    expect(troubleOf('no error at all')).toBeUndefined();
    expect(troubleOf(undefined)).toBeUndefined();
  });
});

describe('a connection over TLS', () => {
  /** A server that has no TLS, and notes what it was asked first: eight bytes ask for TLS. */
  const asksForTls = '0000000804d2162f';
  let asked: string[];
  let open: Socket[];
  const server = createServer((socket) => {
    open.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      asked.push(bytes.subarray(0, 8).toString('hex'));
      socket.end('N');
    });
  });
  beforeEach(async () => {
    [asked, open] = [[], []];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  async function connect(query: string): Promise<unknown> {
    const { port } = server.address() as { port: number };
    const orm = await createOrm(`postgresql://pos_app:secret@127.0.0.1:${port}/pos${query}`);
    const failed = await orm.em
      .fork()
      .execute('select 1')
      .catch((error: unknown) => String(error));
    await orm.close(true);
    return failed;
  }

  test.each(['?sslmode=verify-full', '?sslmode=require'])(
    'with %s in its address no password is sent to a server without TLS',
    async (query) => {
      expect(await connect(query)).toMatch(/the database cannot be reached/);
      expect(new Set(asked)).toEqual(new Set([asksForTls]));
    },
  );

  test('without a word about it in its address it asks for none', async () => {
    await connect('');
    expect(asked).not.toContain(asksForTls);
    expect(asked.length).toBeGreaterThan(0);
  });
});

describe('a database that lets in only who shows a certificate', () => {
  const certificate = (name: string) => join(import.meta.dirname, 'certificates', name);
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ durable: false });
    const { uid, gid } = statSync(server.dataDir);
    for (const name of ['server.crt', 'server.key', 'client.crt']) {
      const place = join(server.dataDir, name);
      copyFileSync(certificate(name), place);
      chownSync(place, uid, gid);
      chmodSync(place, 0o600);
    }
    const orm = await createOrm(server.url('postgres'));
    const settings = { ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', ssl_ca_file: 'client.crt', ssl: 'on' };
    for (const [name, value] of Object.entries(settings)) await orm.em.execute(`alter system set ${name} = '${value}'`);
    writeFileSync(join(server.dataDir, 'pg_hba.conf'), 'hostssl all all all cert\n');
    await orm.em.execute('select pg_reload_conf()');
    await orm.close();
  });
  afterAll(() => server.stop());

  const addressWith = (parameters: Record<string, string>) =>
    `postgresql://pos@localhost:${server.port}/postgres?${String(new URLSearchParams(parameters))}`;
  const ask = async (parameters: Record<string, string>) => {
    const orm = await createOrm(addressWith(parameters));
    try {
      return await orm.em.execute('select client_dn from pg_stat_ssl where pid = pg_backend_pid()');
    } finally {
      await orm.close();
    }
  };
  const trusted = { sslmode: 'verify-full', sslrootcert: certificate('server.crt') };
  const own = { sslcert: certificate('client.crt'), sslkey: certificate('client.key') };

  test('opens to the certificate and key that its address names, and to nobody without them', async () => {
    expect(await ask({ ...trusted, ...own })).toEqual([{ client_dn: '/CN=pos' }]);
    await expect(ask(trusted)).rejects.toThrow('connection requires a valid client certificate');
  });

  test('nobody who prints the settings of the connections sees the key', async () => {
    const orm = await createOrm(addressWith({ ...trusted, ...own }));
    const pool: unknown = await orm.em.getDriver().getConnection().getNativeClient();
    const words = readFileSync(own.sslkey, 'utf8').split('\n')[1] ?? '';
    await orm.close();
    expect(JSON.stringify(Object(pool).options)).toContain('BEGIN CERTIFICATE');
    expect(JSON.stringify(Object(pool).options)).not.toContain(words);
  });
});
