import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { daysAgo } from '../../support/moments.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';

const { fork, change } = booksOf(() => api.orm);

const pageSize = 7;

let api: TestApi;
const ids: number[] = [];
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  for (let n = 0; n < 30; n++) ids.push(await aCustomer(fork()));
});
afterAll(() => api.close());

const filter = (group: number, field: string, value: string | number, condition: string) =>
  Object.entries({ field, value, conditionType: condition })
    .map(([key, text]) => `searchCriteria[filterGroups][${group}][filters][0][${key}]=${encodeURIComponent(text)}`)
    .join('&');
const pageAfter = async (lastId: number, since?: string) => {
  const criteria = [
    filter(0, 'entity_id', lastId, 'gt'),
    ...(since === undefined ? [] : [filter(1, 'updated_at', since, 'gteq')]),
    'searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[sortOrders][0][direction]=ASC',
    `searchCriteria[pageSize]=${pageSize}`,
  ].join('&');
  const { status, body } = await api.call('GET', `/V1/customers/search?${criteria}`, { token: api.tokens.register });
  expect(status).toBe(200);
  return body.items as { id: number; firstname: string; updated_at: string; addresses: { city: string }[] }[];
};
/** As a register keeps its copy; `between` happens after every page. */
async function run(since?: string, between: () => Promise<unknown> = async () => undefined) {
  const copy = new Map<number, string>();
  for (let lastId = 0; ;) {
    const page = await pageAfter(lastId, since);
    for (const { id, firstname } of page) {
      expect(copy.has(id)).toBe(false);
      copy.set(id, firstname);
    }
    if (page.length < pageSize) return copy;
    lastId = page.at(-1)?.id ?? 0;
    await between();
  }
}
const save = (id: number, customer: object) =>
  api.call('PUT', `/V1/customers/${id}`, { token: api.tokens.register, body: { customer } });
/** A customer saved before this moment belongs to another day. */
const aDayLater = () => change('customer', {}, { updated_at: daysAgo(1) });
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test('a first run has every customer once, also those who are added while it goes on', async () => {
  const added: number[] = [];
  const copy = await run(undefined, async () => added.push(await aCustomer(fork())));
  ids.push(...added);
  expect([...copy.keys()]).toEqual(ids);
});

test('a later run has the customers saved since; one saved meanwhile is in it or in the next', async () => {
  await aDayLater();
  const since = anHourAgo();
  const [early, late] = [ids[1]!, ids.at(-1)!];
  for (const id of ids.slice(2, 20)) await save(id, { firstname: 'Changed' });
  let isSaved = false;
  const copy = await run(since, async () => {
    if (isSaved) return;
    isSaved = true;
    await save(early, { firstname: 'Before' });
    await save(late, { firstname: 'Behind' });
  });

  expect(copy.get(late)).toBe('Behind');
  expect(copy.size).toBe(19);
  const next = await run(since);
  expect([next.get(early), next.get(late), next.size]).toEqual(['Before', 'Behind', 20]);
});

test('a customer whose address alone was changed is one who changed', async () => {
  const id = ids[0]!;
  const home = {
    ...{ firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], postcode: '1010', country_id: 'AT' },
    telephone: '1',
  };
  const { body } = await save(id, { addresses: [{ ...home, city: 'Wien' }] });
  await aDayLater();
  expect((await run(anHourAgo())).size).toBe(0);
  await save(id, { addresses: [{ ...body.addresses[0], city: 'Graz' }] });
  const [changed, ...others] = await pageAfter(0, anHourAgo());
  expect([changed?.id, changed?.addresses[0]?.city, others]).toEqual([id, 'Graz', []]);
});
