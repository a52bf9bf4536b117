import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../api/routes.ts';
import { sqlSent } from '../../db/support/send.ts';
import { aBesiegedShop, type BesiegedShop } from './hostile/a-besieged-shop.ts';

/**
 * How each GET route reads, seen from what it sends: by SQL texts of ours, by MikroORM, or without the database. The
 * file lists them all; `UPDATE_READS=1` writes what is found.
 */
const file = 'test/house/reads.txt';

/** Every request reads whose token it is; the total of a list is a stored count. */
const isOfEveryRequest = (text: string) =>
  /^\s*select t\.digest\b/.test(text) ||
  /^\s*select [^]* as list_total$/.test(text) ||
  /\bselect coalesce\(\(select up_to from pos_growing_count\b/.test(text);

let besieged: BesiegedShop;
const texts: string[] = [];
/** What MikroORM sent: our texts take another way. */
let queries = 0;
/** Set while a request is answered: what the API sends on its clocks is not the route's. */
const answering = new AsyncLocalStorage<true>();
const enter = () => answering.enterWith(true);
const note = (message: unknown) => {
  if (answering.getStore() !== undefined) texts.push(String((message as { text: string }).text));
};

beforeAll(async () => {
  besieged = await aBesiegedShop();
  subscribe('http.server.request.start', enter);
  subscribe(sqlSent.name, note);
  const connection = besieged.api.orm.em.getConnection();
  const execute = connection.execute.bind(connection);
  connection.execute = ((...given: Parameters<typeof execute>) => {
    if (answering.getStore() !== undefined) queries += 1;
    return execute(...given);
  }) as typeof connection.execute;
});
afterAll(async () => {
  unsubscribe('http.server.request.start', enter);
  unsubscribe(sqlSent.name, note);
  await besieged.api.close();
});

type Way = 'sql' | 'orm' | 'none';

/** Of requests after the first two: those fill what the API keeps in memory. */
async function wayOf(route: (typeof routes)[number]): Promise<Way> {
  const { path: plain, token } = await besieged.shop.sampleOf(route);
  const { status } = await besieged.api.call('GET', plain, { token });
  const path = status === 400 ? `${plain}?searchCriteria[pageSize]=2` : plain;
  await besieged.api.call('GET', path, { token });
  // What a request sends beside its answer now and then, such as when its token was used, is not in every one.
  for (let asked = 0; asked < 3; asked++) {
    texts.length = 0;
    queries = 0;
    await besieged.api.call('GET', path, { token });
    if (texts.every(isOfEveryRequest)) return queries > 0 ? 'orm' : 'none';
  }
  return 'sql';
}

test('each GET route reads by the way that is written down', async () => {
  const reads = routes
    .filter(({ method }) => method === 'GET')
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const lines: string[] = [];
  for (const route of reads) lines.push(`${await wayOf(route)} ${route.path}`);
  const now = `${lines.join('\n')}\n`;
  if (process.env['UPDATE_READS'] === '1') writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
});
