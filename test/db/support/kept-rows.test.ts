import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { searchAuditLog } from '../../../db/audit/search-audit-log.ts';
import { readSearchCriteria } from '../../../api/wire/criteria.ts';
import { growTrail, type ListRequested } from '../../../bench/lists.ts';
import { placedAtOf } from '../../../bench/grow-orders.ts';
import { readDay, readDayJoin } from '../../../bench/measure-ops.ts';
import { growOpsShop } from '../../../bench/scenarios/ops-pages.ts';
import { growShop } from '../../../bench/grow-shop.ts';
import { orderListPages } from '../../../bench/measure-order-lists.ts';
import { shopListPages, type ShopPage } from '../../../bench/measure-shop-lists.ts';
import { pageCriteria } from '../../../bench/page-criteria.ts';
import { countBlocks } from '../../../bench/support.ts';
import { growingCountInvariants } from '../../../books/verify/invariants/counts.ts';
import { RefundAttempt } from '../../../db/refunds/refund-attempt.entity.ts';
import { lockRefundAttempt } from '../../../db/refunds/refund-attempt.repository.ts';
import { lockReturn, saveReturn } from '../../../db/returns/lock-return.ts';
import { Return } from '../../../db/returns/return.entity.ts';
import { beginBefore, refuseTooLate } from '../../../db/support/begin-before.ts';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { auditLog, receiptList } from '../../../db/support/counted-list.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { skuKeyOf } from '../../../db/support/columns.ts';
import { integer } from '../../../db/support/entity-columns.ts';
import { cached, saveRows } from '../../../db/support/save-rows.ts';
import { statement } from '../../../db/support/statement.ts';
import { joined, transact } from '../../../db/support/transact.ts';
import { formatAmount, money, coinOf, toCoins, currencyExponents } from '../../../domain/money.ts';
import { beginWithinSeconds, longestTransactionSeconds } from '../../../domain/patience.ts';
import { skuKey } from '../../../domain/platform/catalog/tier-rows.ts';
import { booksOf } from '../../support/books.ts';
import { waiting } from '../../support/books/held.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('begin before', () => {
  const orm = useDatabase();

  const { fork, rows } = booksOf(() => orm);
  const tooLate = { refusal: { status: 503, message: expect.stringContaining('nothing was done') } };

  test('work may begin for some seconds, by the clock of the database', async () => {
    const moment = await beginBefore(fork());
    const [read] = await rows<{ left: number }>(
      'select extract(epoch from ?::timestamptz - now())::float8 as left',
      moment,
    );

    expect(read?.left).toBeGreaterThan(0);
    expect(read?.left).toBeLessThanOrEqual(beginWithinSeconds);
    await expect(refuseTooLate(fork(), moment)).resolves.toBeUndefined();
    await expect(refuseTooLate(fork(), '2026-11-21 09:00:00+00')).rejects.toMatchObject(tooLate);
  });

  test('what has begun is ended by PostgreSQL before its caller reads the row', async () => {
    const longest = (em: EntityManager) => em.execute<{ transaction_timeout: string }[]>('show transaction_timeout');
    const seen = await transact(orm.em, async (tx) => {
      await refuseTooLate(tx, 'infinity');
      return longest(tx);
    });

    expect(seen).toEqual([{ transaction_timeout: `${longestTransactionSeconds}s` }]);
    expect(await longest(fork())).toEqual([{ transaction_timeout: '0' }]);
  });
});

describe('growing count', () => {
  const orm = useDatabase();

  const { fork } = booksOf(() => orm);

  const tables = [
    {
      list: auditLog,
      add: (rows: number, age: string) => `
      insert into pos_audit_log (entity_type, entity_id, field_name, staff_id, terminal_id, location_id, created_at)
      select 'Kind ' || n % 3, 'x', 'f', nullif(n % 4, 0), nullif(n % 3, 0), n % 2,
        now() - interval '${age}' - n * interval '7 minutes'
      from generate_series(1, ${rows}) n`,
    },
    {
      list: receiptList,
      add: (rows: number, age: string) => `
      insert into pos_receipt (pos_order_id, token_digest, sealed_token, terminal_id, location_id, sale_type,
        created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), '', nullif(n % 3, 0), n % 2, case n % 5 when 0 then 'refund' end,
        now() - interval '3 years' - n * interval '7 minutes', now() - interval '${age}'
      from generate_series(1, ${rows}) n`,
    },
  ];

  describe.each(tables)('what is counted of $list.table', ({ list, add }) => {
    const { table, key, counts } = list;
    const run = <Row extends object>(sql: string, em = fork()) => em.execute<Row[]>(sql);
    const count = () => countGrowing(fork(), list);
    /** How many rows are counted, where any are. */
    const known = async () =>
      (
        await run<{ n: number }>(`
        select sum(counted)::int as n from ${counts} where grain = 'shop' and size = 'month'
        having exists (select from pos_growing_count where counted_table = '${table}')`)
      ).map(({ n }) => n);
    const wrong = async () => {
      const rules = growingCountInvariants.filter(({ sql }) => new RegExp(`from ${counts}\\s`, 'v').test(sql));
      expect(rules).toHaveLength(1);
      return (await Promise.all(rules.map(({ sql }) => run(sql)))).flat();
    };

    test('is nothing while all of it is new, and only what lies before the first that is new', async () => {
      await run(`select setval(pg_get_serial_sequence('${table}', '${key}'), 1, false)`);
      await run(add(5, '1 minute').replaceAll("interval '7 minutes'", "interval '1 second'"));
      expect([await count(), await known()]).toEqual([false, []]);
      await run(`delete from ${table}`);
      await run(add(10, '2 hours'));
      await run(add(1, '1 minute').replaceAll("interval '7 minutes'", "interval '1 second'"));
      await run(add(10, '2 hours'));
      expect([await count(), await known(), await wrong()]).toEqual([true, [10], []]);
      expect([await count(), await known()]).toEqual([false, [10]]);
    });

    test('is counted once, run by run, however many count at once', async () => {
      await run(`delete from ${table}`);
      for (const found of [2_000, 500, 1]) {
        await run(add(found, '2 hours'));
        await eightAtOnce(count);
        expect(await wrong()).toEqual([]);
      }
      expect(await known()).toEqual([2_501]);
    });

    test('is forgotten when a person deletes rows, also while they are counted', async () => {
      await fork().transactional(async (em) => {
        await run(`delete from ${table} where ${key} % 2 = 0`, em);
        await run(add(100, '2 hours'), em);
        expect(await count()).toBe(false);
      });
      expect([await known(), await run(`select from ${counts}`)]).toEqual([[], []]);
      await count();
      const [real] = await run<{ n: number }>(`select count(*)::int as n from ${table}`);
      expect([await known(), await wrong()]).toEqual([[real?.n], []]);
    });

    test('is told by the rule of the books where it is wrong', async () => {
      await run(`update ${counts} set counted = counted + 1 where size = 'day' and grain = 'location'`);
      expect(await wrong()).not.toEqual([]);
      await run(`delete from ${counts}`);
      expect(await wrong()).not.toEqual([]);
    });
  });
});

describe('in coins', () => {
  const orm = useDatabase();

  const { rows } = booksOf(() => orm);

  const amounts = ['10.125', '-10.125', '0.5', '333.3349', '1.2345', '0'];

  test('the database counts in the same coins as the code, in every currency', async () => {
    for (const currency of [...Object.keys(currencyExponents), 'USD', 'EUR', 'HUF', 'jpy']) {
      const counted = await rows<{ coins: string }>(
        'select in_coins(value, ?)::numeric(20,4)::text as coins from unnest(?::numeric[]) as value',
        currency,
        `{${amounts.join(',')}}`,
      );
      expect([currency, counted.map(({ coins }) => coins)]).toEqual([
        currency,
        amounts.map((value) => formatAmount(toCoins(money(value), coinOf(currency)))),
      ]);
    }
  });
});

describe('kept rows', () => {
  const orm = useDatabase();
  let locationId: number;
  beforeAll(async () => {
    ({ locationId } = await aShop(fork()));
  });

  const { fork } = booksOf(() => orm);

  const attempt = () => aRefundAttempt(orm, { locationId });
  const entity = (attemptId: number) => fork().findOneOrFail(RefundAttempt, { attemptId });

  test('a row is read as the entity would be', async () => {
    const { attemptId } = await attempt();
    const row = await transact(orm.em, (em) => lockRefundAttempt(em, attemptId));
    expect(row).toEqual({ ...(await entity(attemptId)) });
  });

  test('order, lines, payment and return are read as their entities would be', async () => {
    const { returnId } = await attempt();
    const { order, rma } = await transact(orm.em, (em) => lockReturn(em, returnId));

    const known = await fork().findOneOrFail(Return, { returnId: rma.returnId }, { populate: ['items'] });
    expect(rma).toMatchObject({ status: known.status, createdAt: known.createdAt, isReady: known.isReady });
    expect(rma.items.map(({ entityId, qtyRequested }) => [entityId, qtyRequested])).toEqual(
      known.items.map(({ entityId, qtyRequested }) => [entityId, qtyRequested]),
    );
    expect(order).toMatchObject({ entityId: known.orderId, basePendingRefund: order.basePendingRefund });
    expect(order.payment.method).toBe((await entity((await attempt()).attemptId)).paymentMethod);
    expect(order.lines.length).toBeGreaterThan(0);
  });

  test('what was changed is written in one statement, money, moments and lists too, and nothing else', async () => {
    const { attemptId } = await attempt();
    const before = await entity(attemptId);
    const at = new Date('2026-03-04T05:06:07.089Z');
    const plan = { ...before.plan, notifyCustomer: true };

    await transact(orm.em, async (em) => {
      const row = await lockRefundAttempt(em, attemptId);
      Object.assign(row, { baseAmount: money('1.2345'), callDeadline: at, message: 'It’s "late".', plan });
      await saveRows(em, [cached(RefundAttempt, [row])]);
    });

    const { updatedAt, ...after } = { ...(await entity(attemptId)) };
    const { updatedAt: _before, ...rest } = { ...before };
    expect(after).toEqual({ ...rest, baseAmount: money('1.2345'), callDeadline: at, message: 'It’s "late".', plan });
    expect(updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  });

  test('what was not changed is not written, and what is written is not written again', async () => {
    const { returnId } = await attempt();
    await transact(orm.em, async (em) => {
      // Where a row lies changes each time it is written.
      const places = async () => {
        const [found] = await em.execute<{ rma: string; order: string; payment: string }[]>(
          `select r.ctid::text as rma, o.ctid::text as order, p.ctid::text as payment from sale_return r
         join sales_order o on o.entity_id = r.order_id join sales_order_payment p on p.order_id = o.entity_id
         where r.return_id = ?`,
          [returnId],
        );
        return found!;
      };
      const locked = await lockReturn(em, returnId);
      const before = await places();
      await saveReturn(em, locked);
      expect(await places()).toEqual(before);

      locked.rma.refundDifference = 'a cent';
      locked.order.customerNote = 'seen';
      await saveReturn(em, locked);
      const after = await places();
      expect([after.rma === before.rma, after.order === before.order]).toEqual([false, false]);
      expect(after.payment).toBe(before.payment);
      await saveReturn(em, locked);
      expect(await places()).toEqual(after);
    });
  });

  test('a moment or a list that says what is there already changes nothing', async () => {
    const { attemptId } = await attempt();
    const { updatedAt: before } = await entity(attemptId);
    await transact(orm.em, async (em) => {
      const row = await lockRefundAttempt(em, attemptId);
      row.createdAt = new Date(row.createdAt);
      row.plan = { ...row.plan, items: [...row.plan.items] };
      await saveRows(em, [cached(RefundAttempt, [row])]);
    });
    expect((await entity(attemptId)).updatedAt).toEqual(before);
  });
});

/** What collects up to 20,000 rows does so in both shops, or in the large one alone. */
const isEven = ({ growsWithShop, isCollected = false }: ShopPage) => !growsWithShop && !isCollected;

describe('order lists', () => {
  const { fork, insert } = booksOf(() => orm);

  // Orders are a minute apart: the first day is whole in both.
  const sizes = [1_500, 20_000] as const;
  /** Deeper indexes, and the rows of one customer or product that a bigger shop has more of. */
  const mostMoreBlocks = 400;

  const orm = useDatabase();
  const blocks = new Map<string, number[]>();
  const days: { result: object[][]; blocks: number }[] = [];
  const joins: { result: object[][]; blocks: number }[] = [];
  beforeAll(async () => {
    await insert('website', {
      website_id: 1,
      code: 'base',
      name: 'Main',
      base_currency_code: 'USD',
      is_default: true,
      default_group_id: 1,
    });
    await insert('store_group', { group_id: 1, website_id: 1, code: 'main', name: 'Main', default_store_id: 1 });
    await insert('store_view', {
      store_id: 1,
      website_id: 1,
      store_group_id: 1,
      code: 'default',
      name: 'Default',
      currency_code: 'USD',
    });
    for (const [at, size] of sizes.entries()) {
      await growOpsShop(
        (sql) => fork().execute(sql),
        size,
        () => undefined,
      );
      for (const { name, asked } of orderListPages(size).filter(isEven)) {
        const criteria = readSearchCriteria(asked.searchCriteria);
        const counted = await countBlocks(fork(), (em) => asked.find(em, criteria));
        blocks.set(name, [...(blocks.get(name) ?? []), counted.blocks]);
      }
      // Of the first orders: the same day both times.
      days[at] = await countBlocks(fork(), (em) => readDay(em, placedAtOf(0).toISOString().slice(0, 10)));
      joins[at] = await countBlocks(fork(), (em) => readDayJoin(em, placedAtOf(0).toISOString().slice(0, 10)));
    }
  });

  test('the page Today tells the same of a day, from as few blocks, in a shop of 20,000 orders as in one of 1,500', () => {
    const [few, many] = days;
    expect(many!.result).toEqual(few!.result);
    const [totals = [], credit = []] = few!.result as { timesOut?: number; count?: number }[][];
    expect(totals.reduce((sum, { timesOut = 0 }) => sum + timesOut, 0)).toBe(210);
    expect(credit.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(72);
    expect(many!.blocks).toBeLessThanOrEqual(few!.blocks + mostMoreBlocks);
    // Sales look up each order and receipt of the day: only their indexes are deeper.
    const [joinOfFew, joinOfMany] = joins;
    expect(joinOfMany!.result).toEqual(joinOfFew!.result);
    expect(joinOfMany!.blocks).toBeLessThanOrEqual(joinOfFew!.blocks * 1.2);
  });

  test('a page of a list looks at as few blocks in a shop of 20,000 orders as in one of 1,500', () => {
    const grown = [...blocks].filter(([, [few = 0, many = Infinity]]) => many > few + mostMoreBlocks);
    expect(blocks.size).toBeGreaterThan(80);
    expect(grown).toEqual([]);
  });
});

describe('secret box', () => {
  const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64');
  const box = createSecretBox(keyOf(1));

  test('what is sealed opens again, and looks different each time', () => {
    const sealed = [box.seal('a secret, ö 😀', 'place'), box.seal('a secret, ö 😀', 'place')];
    expect(sealed.map((text) => box.open(text, 'place'))).toEqual(['a secret, ö 😀', 'a secret, ö 😀']);
    expect(new Set(sealed).size).toBe(2);
    expect(sealed.join()).not.toContain('secret');
    expect(box.open(box.seal('', 'place'), 'place')).toBe('');
  });

  test('it opens only where it was sealed for, and only unchanged', () => {
    const sealed = box.seal('a secret', 'place');
    expect(() => box.open(sealed, 'another place')).toThrow();
    expect(() => box.open(`${sealed.slice(0, -4)}AAA=`, 'place')).toThrow();
    expect(() => box.open('no seal', 'place')).toThrow(/POS_SECRET_KEY/);
  });

  test('a former key still opens; an unknown key does not', () => {
    const sealed = box.seal('a secret', 'place');
    const rotated = createSecretBox(keyOf(2), [keyOf(1)]);

    expect(rotated.open(sealed, 'place')).toBe('a secret');
    expect(rotated.seal('a secret', 'place').split(':')[1]).not.toBe(sealed.split(':')[1]);
    expect(() => createSecretBox(keyOf(3)).open(sealed, 'place')).toThrow(/POS_SECRET_KEY/);
  });

  test('a key that is not 32 bytes is refused', () => {
    expect(() => createSecretBox('c2hvcnQ=').seal('x', 'place')).toThrow(/32 bytes/);
  });

  test('a digest is the same for the same text and place, and another under another key', () => {
    expect(box.digest('123456', 'place')).toBe(createSecretBox(keyOf(1)).digest('123456', 'place'));
    const others = [
      box.digest('123457', 'place'),
      box.digest('123456', 'elsewhere'),
      createSecretBox(keyOf(2)).digest('123456', 'place'),
    ];
    expect(new Set([box.digest('123456', 'place'), ...others]).size).toBe(4);
    expect(box.digest('', 'place')).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('shop lists', () => {
  const sizes = [500, 20_000] as const;
  /** Deeper indexes, the counts of a trail that is not long enough to be counted, and a city or name that more have. */
  const mostMoreBlocks = 400;

  const { fork, write } = booksOf(() => orm);

  const orm = useDatabase();
  const blocks = new Map<string, number[]>();
  beforeAll(async () => {
    await aShop(fork());
    for (const [at, size] of sizes.entries()) {
      const from = at === 0 ? 0 : sizes[0];
      await growShop({ em: fork(), say: () => undefined }, from, size);
      await growTrail({ execute: write, say: () => undefined }, from, size);
      while (await countGrowing(fork(), auditLog));
      for (const { name, asked } of [...shopListPages(size, false).filter(isEven), ...trail]) {
        const criteria = readSearchCriteria(asked.searchCriteria);
        const counted = await countBlocks(fork(), (em) => asked.find(em, criteria));
        blocks.set(name, [...(blocks.get(name) ?? []), counted.blocks]);
      }
    }
  });

  const trail = ['log_id', 'created_at'].flatMap((field) =>
    (['ASC', 'DESC'] as const).map((direction): { name: string; asked: ListRequested } => ({
      name: `lines of the audit trail by ${field} ${direction}`,
      asked: {
        path: '/V1/pos/audit-log',
        find: searchAuditLog,
        searchCriteria: pageCriteria({ sort: [field, direction] }),
      },
    })),
  );

  test('a page of a list looks at as few blocks in a shop with 20,000 of everything as in one with 500', () => {
    const grown = [...blocks].filter(([, [few = 0, many = Infinity]]) => many > few + mostMoreBlocks);
    expect(blocks.size).toBeGreaterThan(200);
    expect(grown).toEqual([]);
  });
});

describe('sku sql', () => {
  const orm = useDatabase();

  const { rows } = booksOf(() => orm);

  /** Before the letters that came with the newest Unicode, which not every database knows. */
  const last = 0xa700;

  test('the database and the shop know the same SKUs as one, letter by letter', async () => {
    const found = await rows<{ letter: string; key: string }>(
      `select chr(n) as letter, ${skuKeyOf('chr(n)')} as key from generate_series(32, ${last}) n`,
    );
    expect(found.filter(({ letter, key }) => skuKey(letter) !== key)).toEqual([]);
  });
});

describe('transact', () => {
  const orm = useDatabase();
  beforeAll(() => write('create table pot (name text primary key, level integer not null)'));
  beforeEach(async () => {
    await write('truncate pot');
    await write(`insert into pot values ('tea', 0), ('coffee', 0)`);
  });

  const { fork, rows, write } = booksOf(() => orm);
  const levels = () => rows('select name, level from pot order by name');

  /** Both hold one pot before they reach for the other: one of them is ended as a deadlock. */
  function meeting(): () => Promise<void> {
    let waiting = 0;
    let open: () => void;
    const both = new Promise<void>((resolve) => (open = resolve));
    return () => {
      if (++waiting === 2) open();
      return both;
    };
  }

  const fill = (pots: readonly string[], meet: () => Promise<void>) => {
    let runs = 0;
    return transact(fork(), async (em) => {
      const isFirst = ++runs === 1;
      // Run again, it takes them as the winner does: else it may be quicker than the winner, and both meet once more.
      const inOrder = isFirst ? pots : pots.toReversed();
      for (const [at, pot] of inOrder.entries()) {
        if (at === 1 && isFirst) await meet();
        await em.execute('update pot set level = level + 1 where name = ?', [pot]);
      }
      return runs;
    });
  };

  test('a transaction that PostgreSQL ended as a deadlock is run again, and the caller does not notice', async () => {
    const meet = meeting();

    const runs = await Promise.all([fill(['tea', 'coffee'], meet), fill(['coffee', 'tea'], meet)]);

    expect(runs.toSorted()).toEqual([1, 2]);
    expect(await levels()).toEqual([
      { name: 'coffee', level: 2 },
      { name: 'tea', level: 2 },
    ]);
  });

  test('what else goes wrong is thrown, and nothing is kept', async () => {
    const work = transact(fork(), async (em) => {
      await em.execute(`update pot set level = 7 where name = 'tea'`);
      throw new Error('spilt');
    });

    await expect(work).rejects.toThrow('spilt');
    expect(await levels()).toEqual([
      { name: 'coffee', level: 0 },
      { name: 'tea', level: 0 },
    ]);
  });

  test('a transaction within another one that it does not join is a fault, and nothing of either is kept', async () => {
    const raise = (em: EntityManager, name: string) => em.execute('update pot set level = 9 where name = ?', [name]);
    const apart = transact(fork(), async (em) => {
      await raise(em, 'tea');
      await transact(em, (inner) => raise(inner, 'coffee'));
    });
    await expect(apart).rejects.toThrow('needs `joined`');
    expect((await levels()).map(({ level }) => level)).toEqual([0, 0]);

    await transact(fork(), (em) => transact(joined(em), (inner) => raise(inner, 'coffee')));
    expect((await levels()).map(({ level }) => level)).toEqual([9, 0]);
  });
});

describe('a statement by itself', () => {
  const orm = useDatabase();
  const books = booksOf(() => orm);

  const readBoth = statement({
    takes: {},
    gives: { many: integer },
    text: 'select count(*)::int as many from pos_location l join pos_terminal t on t.location_id = l.location_id',
  });

  test('is sent again where PostgreSQL ended it, because a migration wanted its tables in the other order', async () => {
    const read = await books.fork().transactional(async (migration) => {
      await migration.execute('lock table pos_terminal in access exclusive mode');
      const reading = readBoth.first(books.fork());
      await waitUntil('the read waits', async () => (await waiting(books)) === 1);
      await migration.execute('lock table pos_location in access exclusive mode');
      return { reading };
    });
    expect(await read.reading).toEqual({ many: 0 });
  });
});
