import { writeFileSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readSearchCriteria } from '../api/wire/criteria.ts';
import { columns } from '../cli/support.ts';
import { migrate } from '../db/migrate.ts';
import { createOrm } from '../db/orm.ts';
import { startPostgres } from '../local/postgres.ts';
import { toolOptions } from '../local/tool-options.ts';
import { growOrders } from './grow-orders.ts';
import { growShop } from './grow-shop.ts';
import type { ListRequested } from './lists.ts';
import { orderListPages } from './measure-order-lists.ts';
import { shopListPages } from './measure-shop-lists.ts';
import { makeShop } from './shop.ts';
import { countBlocks } from './support.ts';

/**
 * Counts the blocks that each page of each list looks at while the shop grows, and says how many pages grow with it. It
 * needs neither API nor Temporal, and its figures are the same on every machine: blocks, never times.
 */
const options = toolOptions({
  command: 'npm run tools -- count-lists',
  about: 'Counts the blocks that each page of each list looks at, at each size of the shop.',
  options: {
    sizes: { type: 'string', default: '1000,100000', says: 'rows of each list, one size after another' },
    lists: { type: 'string', default: 'shop', oneOf: ['shop', 'orders'], says: 'which lists: shop or orders' },
    only: { type: 'string', default: '', says: 'pages whose name contains this' },
    databases: { type: 'string', default: '', says: 'databases grown already, one for each size: nothing is written' },
    json: { type: 'string', default: '', says: 'a file for the figures' },
    all: { type: 'boolean', default: false, says: 'print every page, not those alone that grow' },
  },
});

/** A page that looks at more than so many times the blocks of the size before, and at so many more, grows with the shop. */
const mostTimes = 1.5;
const mostMore = 100;

interface Counted {
  name: string;
  /** By size. */
  blocks: number[];
  matches: number[];
}

type Page = { name: string; asked: ListRequested };

const sizes = options.sizes.split(',').map(Number);
const { grow, pages }: { grow: typeof growShop; pages: (size: number) => readonly Page[] } =
  options.lists === 'orders'
    ? { grow: growOrders, pages: orderListPages }
    : { grow: growShop, pages: (size) => shopListPages(size, false) };
const say = (line: string) => process.stderr.write(`${line}\n`);

async function countPages(em: EntityManager, pages: readonly Page[], counted: Map<string, Counted>): Promise<void> {
  for (const { name, asked } of pages.filter((page) => page.name.includes(options.only))) {
    const criteria = readSearchCriteria(asked.searchCriteria);
    const { blocks, result } = await countBlocks(em, (counting) => asked.find(counting, criteria));
    const one = counted.get(name) ?? { name, blocks: [], matches: [] };
    counted.set(name, one);
    one.blocks.push(blocks);
    one.matches.push(result.totalCount);
  }
}

/** Between the last two sizes: a small shop is read in other ways, as whole tables are shorter than any index. */
const isGrown = ({ blocks }: Pick<Counted, 'blocks'>): boolean => {
  const [before = 0, last = before] = blocks.slice(-2);
  return last > before * mostTimes && last > before + mostMore;
};

function report(counted: readonly Counted[]): string {
  const shown = options.all ? counted : counted.filter(isGrown);
  const head = ['PAGE', 'BLOCKS', 'MATCHES', ''];
  const rows = shown.map(({ name, blocks, matches }) => [
    name,
    blocks.join(' → '),
    matches.join(' → '),
    isGrown({ blocks }) ? 'GROWS' : '',
  ]);
  const grown = counted.filter(isGrown).length;
  return `${columns([head, ...rows])}\n${counted.length} pages of ${options.sizes} rows, ${grown} grow`;
}

const known = options.databases.split(',').filter((url) => url !== '');
const counted = new Map<string, Counted>();

async function countIn(url: string, size: number): Promise<void> {
  const orm = await createOrm(url);
  say(`Counting at ${size} rows …`);
  await countPages(orm.em.fork(), pages(size), counted);
  await orm.close();
}

/** In a database of its own, which grows from size to size. */
async function growAndCount(url: string): Promise<void> {
  await migrate(url);
  for (const [at, size] of sizes.entries()) {
    const orm = await createOrm(url);
    if (at === 0) await makeShop(orm.em.fork());
    await grow({ em: orm.em.fork(), say }, sizes[at - 1] ?? 0, size);
    await orm.close();
    await countIn(url, size);
  }
}

const postgres = known.length === 0 ? await startPostgres({ durable: false }) : undefined;
try {
  if (postgres) await growAndCount(postgres.url('postgres'));
  else for (const [at, url] of known.entries()) await countIn(url, sizes[at] ?? 0);
  console.log(report([...counted.values()]));
  if (options.json !== '') writeFileSync(options.json, JSON.stringify([...counted.values()], undefined, 1));
} finally {
  await postgres?.stop();
}
