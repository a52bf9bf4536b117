import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { grantAppRole } from '../../db/grant-app-role.ts';
import { migrate, type MigrateOptions } from '../../db/migrate.ts';
import { ContractingStep, shippedSteps, StepByStatement, type Step } from '../../db/migrate/steps.ts';
import { createOrm } from '../../db/orm.ts';
import { readReleases } from '../../local/release.ts';
import { startGatewaySimulator, type GatewaySimulator } from '../../local/simulators/app.ts';
import { readSchemaState, refuseOtherTables } from '../../db/pending-migrations.ts';
import { transact } from '../../db/support/transact.ts';
import { spoken } from '../../providers/doctor/check.ts';
import { checkDatabase } from '../../providers/doctor/check-database.ts';
import { parseSettings } from '../../providers/settings.ts';
import { commandContextOf } from '../cli/support.ts';
import { booksOf } from '../support/books.ts';
import { secretKey } from '../support/builders/counter.ts';
import { aPostedSale } from '../support/builders/posted-sale.ts';
import { whileHeld } from '../support/books/held.ts';
import { emptyDatabaseUrl, testDatabaseUrl } from '../support/database.ts';
import { aFlow, type Flow } from '../support/flow.ts';
import { keptShopFile, putShop, sourcesOfRelease, type KeptFacts } from '../support/kept-shop.ts';
import {
  anApiProcess,
  aWorkerProcess,
  type OwnProcess,
  type OwnProcessOptions,
  type Place,
} from '../support/own-process.ts';
import { patiently } from '../support/patiently.ts';
import { aRegister } from '../support/register.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * What a release after this one might do: a column that may be empty, and an index that is made while everybody sells.
 */
class AddShelfMark extends Migration {
  override up(): void {
    this.addSql('alter table sales_order add column shelf_mark text');
    this.addSql('alter table sale_return add column shelf_mark text');
  }
}
class FindShelfMark extends StepByStatement {
  override up(): void {
    this.addIndex('sales_order_shelf_mark', 'sales_order (shelf_mark)');
  }
}
/** And what the release after that one does. */
class TakeShelfMark extends ContractingStep {
  readonly needs = 'Migration20300101000001_find_shelf_mark';
  override up(): void {
    this.addSql('alter table sale_return drop column shelf_mark');
  }
}

const expanding: Step[] = [
  { name: 'Migration20300101000000_add_shelf_mark', class: AddShelfMark },
  { name: 'Migration20300101000001_find_shelf_mark', class: FindShelfMark },
];
const contracting: Step = { name: 'Migration20300202000000_take_shelf_mark', class: TakeShelfMark };
const names = expanding.map(({ name }) => name);

/** Runs `migrate` of that release, and hears what it says. */
async function migrateTo(url: string, steps: readonly Step[], options: MigrateOptions = {}) {
  const said: string[] = [];
  const all = [...(await shippedSteps()), ...steps];
  const applied = await migrate(url, { steps: all, say: (line) => said.push(line), ...options });
  return { applied, said: said.join('\n') };
}

const urlOf = (flow: Flow) => String(flow.api.orm.config.get('clientUrl'));

describe('an upgrade while the shop sells', () => {
  let flow: Flow;
  let api: OwnProcess & { url: string };
  let worker: OwnProcess;
  const { rows, booksHold } = booksOf(() => flow.api.orm);

  beforeAll(async () => {
    flow = await aFlow({ startsWorker: false });
    [api, worker] = [await anApiProcess(flow), await aWorkerProcess(flow)];
    // Every statement of a return is prepared on connections of the release before.
    for (let time = 0; time < 3; time++) expect(await giveBack()).toEqual(closed);
  });
  afterAll(async () => {
    await Promise.all([api.kill(), worker.kill()]);
    await flow.close();
  });

  const closed = { status: 200, state: 'closed', message: undefined };

  /** A sale, and its return in one call by the API process of the release before; cash and card in turn. */
  let times = 0;
  async function giveBack() {
    const sold = await aRegister(flow).sale('12.00');
    const request = {
      orderId: sold.orderId,
      items: JSON.stringify([{ order_item_id: sold.itemId, qty_requested: 1, resolution: 'Refund' }]),
      autoApprove: true,
      locationId: flow.shop.locationId,
      refundMethod: times++ % 2 === 0 ? 'cash' : 'original_payment',
      posSaleId: randomUUID(),
    };
    const { status, body } = await patiently(() => callOld('POST', '/V1/pos/rma', request));
    if (body.status === 'closed' || status !== 200) return { status, state: body.status, message: await why(body) };
    const settled = await patiently(() => callOld('POST', `/V1/pos/rma/${body.id}/settle`, { method: 'cash' }));
    return { status: settled.status, state: settled.body.status, message: await why(settled.body) };
  }

  /** Of a fault what the log of the API says. */
  const why = async ({ message }: { message?: string }) => {
    const [, report] = /Report ID: webapi-(\w+)/.exec(message ?? '') ?? [];
    if (report === undefined) return message;
    await waitUntil('the fault is in the log', async () => api.log().includes(report));
    return api
      .log()
      .split('\n')
      .find((line) => line.includes(report));
  };

  async function callOld(method: string, path: string, body: unknown) {
    const response = await fetch(`${api.url}/rest${path}`, {
      method,
      headers: { authorization: `Bearer ${flow.api.tokens.register}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      body: (await response.json()) as { id?: number; status?: string; message?: string },
    };
  }

  test('a dry run says what would run and changes nothing', async () => {
    const { applied, said } = await migrateTo(urlOf(flow), expanding, { isDry: true });
    expect(applied).toEqual([]);
    expect(said).toContain(`${names[0]}: 2 statements in one transaction\n  alter table sales_order add column`);
    expect(said).toContain(`${names[1]}: 2 statements statement by statement, outside a transaction`);
    expect(said).toContain('  create index concurrently "sales_order_shelf_mark" on sales_order (shelf_mark)');
    expect(await refuseOtherTables(flow.api.orm.em.fork())).toBeUndefined();
  });

  test('the release before goes on selling through the migration, and on the new tables', async () => {
    let isOver = false;
    const during = [1, 2].map(async () => {
      const seen: unknown[] = [];
      while (!isOver || seen.length < 2) seen.push(await giveBack());
      return seen;
    });
    const { applied, said } = await migrateTo(urlOf(flow), expanding);
    isOver = true;
    const answers = (await Promise.all(during)).flat();

    expect(applied).toEqual(names);
    expect(answers).toEqual(answers.map(() => closed));
    expect(said).toMatch(/sales_order: nobody read or wrote \(AccessExclusiveLock\) for at most \d+ ms/);
    expect(said).toMatch(/sale_return: nobody read or wrote \(AccessExclusiveLock\) for at most \d+ ms/);
    for (let time = 0; time < 3; time++) expect(await giveBack()).toEqual(closed);
    const [index] = await rows(`select indisvalid from pg_index where indexrelid = 'sales_order_shelf_mark'::regclass`);
    expect(index).toEqual({ indisvalid: true });
    await booksHold();
  });

  test('a second run does nothing', async () => {
    expect(await migrateTo(urlOf(flow), expanding)).toEqual({ applied: [], said: '' });
    expect(await migrateTo(urlOf(flow), expanding, { isDry: true })).toEqual({ applied: [], said: '' });
  });

  test('rolled back to the release before, API and worker start, say so, and go on', async () => {
    const notice = `This database was migrated by a newer release (${names.join(', ')})`;
    await Promise.all([api.kill(), worker.kill()]);
    [api, worker] = [await anApiProcess(flow), await aWorkerProcess(flow)];

    expect(await giveBack()).toEqual(closed);
    expect(api.log()).toContain(notice);
    expect(worker.log()).toContain(notice);
    expect((await migrateTo(urlOf(flow), [])).said).toContain(notice);
    expect(await migrationsLine()).toMatchObject({
      state: 'warning',
      says: `a newer release migrated the database (${names.join(', ')}); this one works with it`,
    });
    await booksHold();
  });

  /** What doctor of the release before says. */
  async function migrationsLine() {
    const context = commandContextOf(flow.api.orm, {
      settings: parseSettings({ DATABASE_URL: urlOf(flow) }),
      now: () => new Date(),
    });
    return (await checkDatabase(context)).map((check) => spoken(check)).find(({ name }) => name === 'migrations');
  }

  test('once something is taken away, the release that stopped using it goes on; the one before does not start, and says which does', async () => {
    expect((await migrateTo(urlOf(flow), [...expanding, contracting])).applied).toEqual([contracting.name]);
    const { newer } = await readSchemaState(flow.api.orm.em.fork(), [
      ...(await shippedSteps()).map(({ name }) => name),
      ...names,
    ]);
    expect(newer).toEqual([contracting.name]);
    await Promise.all([api.kill(), worker.kill()]);
    const sentence = `which took away what this one needs (${contracting.name}); start the newer release.`;

    await expect(migrate(urlOf(flow))).rejects.toThrow(sentence);
    await expect(anApiProcess(flow)).rejects.toThrow(/the api ended before it was ready/);
    await expect(aWorkerProcess(flow)).rejects.toThrow(/the worker ended before it was ready/);
    expect(await migrationsLine()).toMatchObject({ state: 'broken', fix: 'start the newer release' });
  });
});

const [last] = readReleases().slice(-1);
if (last)
  describe(`the shop of release ${last.version}`, () => {
    const place: Partial<Place> = { temporalAddress: process.env['TEST_TEMPORAL'] ?? '' };
    let gateway: GatewaySimulator;
    let facts: KeptFacts;
    let added: string[];
    let running: [OwnProcess & { url: string }, OwnProcess] | undefined;

    beforeAll(async () => {
      const databaseUrl = await emptyDatabaseUrl();
      gateway = await startGatewaySimulator({ port: 0 });
      const taskQueue = `test-${randomBytes(6).toString('hex')}`;
      Object.assign(place, { databaseUrl, taskQueue, gatewayUrl: gateway.url } satisfies Partial<Place>);
      const shipped = await shippedSteps();
      added = shipped.filter(({ name }) => !(name in last.steps)).map(({ name }) => name);
      await migrate(databaseUrl, { steps: shipped.filter(({ name }) => name in last.steps) });
      facts = await putShop(databaseUrl, keptShopFile(last.version));
    });
    afterAll(async () => {
      await end();
      await gateway.stop();
    });

    const end = async () => void (await Promise.all((running ?? []).map((one) => one.kill())));

    /** API and worker of these sources take the place of those that run. */
    async function serveFrom(sources: string) {
      await end();
      const own = { POS_SECRET_KEY: secretKey, RECONCILE_AFTER_SECONDS: '3600', POS_DATA_DIR: `${sources}/.data` };
      const env = sources === '.' ? own : { ...own, WORKFLOW_BUNDLE: undefined };
      const options: OwnProcessOptions = { sources, env };
      running = [await anApiProcess(place as Place, options), await aWorkerProcess(place as Place, options)];
    }

    async function call(method: string, path: string, body?: unknown) {
      const response = await fetch(`${running?.[0].url}/rest${path}`, {
        method,
        headers: { authorization: `Bearer ${facts.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    }

    /** A sale, and the money of a return that waited since the release. */
    async function trade(method: string) {
      const sold = await patiently(() =>
        call('POST', '/V1/orders', { entity: aPostedSale({ extension_attributes: { pos_sale_id: randomUUID() } }) }),
      );
      const settle = `/V1/pos/rma/${facts.parked.shift()}/settle`;
      const settled = await patiently(() => call('POST', settle, { method }));
      return [sold.status, settled.status, settled.body['status'] ?? settled.body['message']];
    }

    async function booksHold() {
      const orm = await createOrm(place.databaseUrl ?? '');
      await booksOf(() => orm).booksHold();
      await orm.close();
    }

    test('is brought up to date while its own API and worker serve it, by the code of today, and by its own again', async () => {
      const fine = [200, 200, 'closed'];
      // A clone without the tag has the code of the release only as long as nothing was added to the tables.
      const old = sourcesOfRelease(last.version) ?? (added.length === 0 ? '.' : undefined);
      const trades: unknown[] = [];
      if (old !== undefined) {
        await serveFrom(old);
        trades.push(await trade('cash'));
      }
      const migration = migrate(place.databaseUrl ?? '');
      if (old !== undefined) trades.push(await trade('original_payment'));
      expect(await migration).toEqual(added);
      if (old !== undefined) trades.push(await trade('cash'));
      await booksHold();

      await serveFrom('.');
      trades.push(await trade('original_payment'), await trade('cash'));
      const answer = { resolution: 'refunded', staffName: 'Olga', note: 'seen in the portal' };
      const resolve = `/V1/pos/rma/refund-attempts/${facts.doubt}/resolve`;
      const answered = await patiently(() => call('POST', resolve, answer));
      expect([answered.status, answered.body['state']]).toEqual([200, 'booked']);
      if (old !== undefined) {
        await serveFrom(old);
        trades.push(await trade('cash'));
      }
      expect(trades).toEqual(trades.map(() => fine));
      expect(gateway.ledger.refunds.filter(({ state }) => state === 'refunded')).toHaveLength(
        old === undefined ? 1 : 2,
      );
      await booksHold();
    });
  });

describe('a migration', () => {
  const quick = { lockMs: 50, tries: 3, betweenMs: 20 };

  test('gives way to who uses its tables, and comes again', async () => {
    const url = await testDatabaseUrl();
    const orm = await createOrm(url);
    const books = booksOf(() => orm);
    const outcome = await whileHeld(books, 'sales_order', {}, async () => {
      const refused = await migrateTo(url, expanding, { limits: quick }).catch(String);
      let said = '';
      const later = migrateTo(url, expanding, {
        limits: { ...quick, tries: 1_000 },
        say: (line) => (said += `${line}\n`),
      });
      await waitUntil('it gave way once', async () => said.includes('it lets the others go first (try 1 of 1000)'));
      expect(await books.howMany('sales_order')).toBe(0);
      return { refused, later };
    });

    expect(outcome.refused).toContain(
      `${names[0]} did not get its tables in 3 tries of 0.05 s; nothing of it was applied.`,
    );
    expect((await outcome.later).applied).toEqual(names);
    await orm.close();
  });

  test('waits for another one, says so, and does not wait for ever', async () => {
    const url = await testDatabaseUrl();
    const orm = await createOrm(url);
    const outcome = await transact(orm.em.fork(), async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(727274)');
      const refused = await migrateTo(url, expanding, { waitMs: 100 }).catch(String);
      let said = '';
      const later = migrateTo(url, expanding, { say: (line) => (said += line) });
      await waitUntil('it says that it waits', async () => said.startsWith('Another migration of this database runs'));
      return { refused, later };
    });

    expect(outcome.refused).toContain('Another migration of this database still runs after 0.1 s');
    expect((await outcome.later).applied).toEqual(names);
    await orm.close();
  });

  test('of an index that was left half made makes it anew', async () => {
    const url = await testDatabaseUrl();
    const orm = await createOrm(url);
    const { write, rows } = booksOf(() => orm);
    await migrateTo(url, expanding.slice(0, 1));
    await write('create index sales_order_shelf_mark on sales_order (entity_id)');
    await migrateTo(url, expanding);

    const [index] = await rows(`select pg_get_indexdef('sales_order_shelf_mark'::regclass) as text`);
    expect(String(index?.['text'])).toContain('(shelf_mark)');
    await orm.close();
  });

  test('by the role of API and worker is refused, with the name of the owner', async () => {
    const url = await emptyDatabaseUrl();
    await migrateTo(url, []);
    const role = `stranger_${randomUUID().slice(0, 8)}`;
    await grantAppRole(url, { name: role, password: 'letters' });
    const asRole = new URL(url);
    const owner = asRole.username;
    [asRole.username, asRole.password] = [role, 'letters'];
    const refused = await migrateTo(asRole.href, expanding).catch(String);

    expect(refused).toContain(
      `the role ${role} of DATABASE_URL owns none: give migrate the address of the owner, ${owner}`,
    );
    const orm = await createOrm(url);
    const { write } = booksOf(() => orm);
    await write(`drop owned by ${role}`);
    await write(`drop role ${role}`);
    await orm.close();
  });
});
