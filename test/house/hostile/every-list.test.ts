import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { expectRefusal } from './expect-refusal.ts';
import { aBesiegedShop, type BesiegedShop } from './a-besieged-shop.ts';
import { shareOf } from './share-of.ts';

let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

const namesOf = ({ query }: AnyRoute): string[] => (query instanceof z.ZodObject ? Object.keys(query.shape) : []);
const withQuery = routes
  .filter((route) => namesOf(route).length > 0)
  .map((route, at): [string, AnyRoute, number] => [route.path, route, at]);

const hostileTexts = [
  '0',
  '-1',
  '1e9',
  '9007199254740993',
  '-0',
  '%00',
  '%ff',
  '',
  '1%0a',
  'x'.repeat(5_000),
  "'%20or%201=1--",
  '2026-02-30',
  '294277-01-10',
  'infinity',
  '%25'.repeat(500),
  '١',
];
const filterOf = (parts: string) =>
  parts
    .split('&')
    .map((part) => `searchCriteria[filter_groups][0][filters][0]${part}`)
    .join('&');

/** FIELD is one the list has. */
const hostileCriteria = [
  ...hostileTexts.flatMap((text) => [
    `searchCriteria[pageSize]=${text}`,
    `searchCriteria[currentPage]=${text}&searchCriteria[pageSize]=1`,
    ...['eq', 'in', 'like', 'from'].map((type) => filterOf(`[field]=FIELD&[value]=${text}&[condition_type]=${type}`)),
    filterOf(`[field]=FIELD&[value]=1&[condition_type]=${text}`),
    filterOf(`[field]=${text}&[value]=1`),
    `searchCriteria[sortOrders][0][field]=${text}`,
    `searchCriteria[sortOrders][0][field]=FIELD&searchCriteria[sortOrders][0][direction]=${text}`,
  ]),
  'searchCriteria[pageSize]=1000000000&searchCriteria[currentPage]=1000000000',
  'searchCriteria[__proto__][x]=1',
  'searchCriteria[constructor][prototype][x]=1',
  '__proto__[searchCriteria]=1',
  'searchCriteria[filter_groups][__proto__][filters][0][field]=FIELD',
  'searchCriteria[filter_groups][0][filters][toString][field]=FIELD',
  filterOf('[field]=FIELD&[value][$ne]=1'),
  filterOf('[field][$ne]=FIELD&[value]=1'),
  filterOf('[field]=__proto__&[value]=1'),
  filterOf('[field]=constructor&[value]=1'),
  filterOf('[field]=hasOwnProperty&[value]=1'),
  filterOf('[field]=1%3Bselect%20pg_sleep(9)--&[value]=1'),
  filterOf(`[field]=FIELD&[value]=${'x,'.repeat(3_000)}&[condition_type]=in`),
  Array.from({ length: 10_000 }, (_, at) => `a[${at}]=1`)
    .join('&')
    .slice(0, 15_000),
  Array.from(
    { length: 90 },
    (_, at) =>
      `searchCriteria[filter_groups][${at}][filters][0][field]=FIELD&searchCriteria[filter_groups][${at}][filters][0][value]=1`,
  ).join('&'),
  'searchCriteria[]=1&searchCriteria[]=2',
  'searchCriteria=1&searchCriteria[pageSize]=1',
  'searchCriteria[filter_groups][]=x',
  'searchCriteria[filter_groups][0][filters]=x',
  'searchCriteria[sortOrders]=x',
  `fields=${'items['.repeat(1_000)}`,
  'fields[]=items',
  'fields=__proto__,constructor,items[__proto__]',
  '%',
  '&&&===',
  '[',
];

test.each(withQuery)('GET %s bears every query', async (_path, route, at) => {
  const { path, token } = await besieged.shop.sampleOf(route);
  const [field = 'entity_id'] = await fieldsOf(path, token);
  const queries = namesOf(route).flatMap((name) =>
    name === 'searchCriteria'
      ? shareOf(hostileCriteria, { route: at, oneIn: 3 }).map((criteria) => criteria.replaceAll('FIELD', field))
      : [...hostileTexts, '__proto__', 'x&NAME=y'].flatMap((text) => [
          `${name}=${text.replace('NAME', name)}`,
          `${name}[]=${text}`,
          `${name}[a]=${text}`,
          `${name}[__proto__]=${text}`,
        ]),
  );
  for (const query of queries) {
    const answer = await besieged.api.call('GET', `${path}?${query}`, { token });
    if (answer.status !== 200) expectRefusal(`${path}?${query.slice(0, 200)}`, answer);
  }
  expect(await besieged.journal.take()).toEqual([]);
});

/** What the rows show, as far as they can be searched by it. */
async function fieldsOf(path: string, token: string): Promise<string[]> {
  const { body } = await besieged.api.call('GET', `${path}?searchCriteria[pageSize]=1`, { token });
  const names = Object.keys(body.items?.[0] ?? {});
  const known: string[] = [];
  for (const name of names) {
    const { status } = await besieged.api.call('GET', `${path}?searchCriteria[sortOrders][0][field]=${name}`, {
      token,
    });
    if (status === 200) known.push(name);
  }
  return known;
}
