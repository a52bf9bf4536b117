import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { aBesiegedShop, type BesiegedShop } from './a-besieged-shop.ts';
import { booksOf } from '../../support/books.ts';

const { rows } = booksOf(() => besieged.api.orm);

/** A list that can be searched by a secret tells it bit by bit: no list knows such a field, under any name. */
const lists = routes.filter(({ query }) => query instanceof z.ZodObject && 'searchCriteria' in query.shape);

let secrets: string[];
let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
  secrets = await secretColumns();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

/** Whatever the database itself has that sounds like a secret, so that a new one is looked for at once. */
async function secretColumns(): Promise<string[]> {
  const found = await rows<{
    column_name: string;
  }>(`select distinct column_name from information_schema.columns where table_schema = 'public'
     and column_name ~ '(hash|digest|secret|sealed|token|passcode|password|_key$|activation_code|payload|salt)'`);
  return found.map(({ column_name }) => column_name);
}

/** What a list shows to its readers, and lets them search by: no secret, in spite of its name. */
const harmless = new Set<string>([
  '/V1/vendor-store-credit/history/:customerId idempotency_key',
  '/V1/vendor-store-credit/history/:customerId idempotencyKey',
  '/V1/pos/staff passcode_updated_at',
]);

const spellings = (name: string) => [
  ...new Set([name, name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())]),
];

const others = ['passcode', 'password', 'api_key', 'code_hash', 'gift_card_code', 'token'];

const answerTo = async (path: string, token: string, criteria: string, field: string) => {
  const { status, body } = await besieged.api.call(
    'GET',
    `${path}?${criteria.replaceAll('FIELD', encodeURIComponent(field))}`,
    {
      token,
    },
  );
  return JSON.stringify({ status, body }).replaceAll(field, 'FIELD');
};

const filter = (condition: string, value: string) =>
  ['field]=FIELD', `value]=${value}`, `condition_type]=${condition}`]
    .map((part) => `searchCriteria[filter_groups][0][filters][0][${part}`)
    .join('&');
const waysToAsk = [
  filter('like', '%2524%25'),
  filter('gt', '0'),
  'searchCriteria[sortOrders][0][field]=FIELD&searchCriteria[sortOrders][0][direction]=ASC',
];

test.each(lists.map((route): [string, AnyRoute] => [route.path, route]))(
  '%s knows no secret field',
  async (path, route) => {
    const { path: asked, token } = await besieged.shop.sampleOf(route);
    const known: string[] = [];
    for (const criteria of waysToAsk) {
      const unknown = await answerTo(asked, token, criteria, 'nowhere_at_all');
      expect(unknown).toContain('"status":400');
      for (const field of [...secrets.flatMap(spellings), ...others])
        if (!harmless.has(`${path} ${field}`)) {
          const answer = await answerTo(asked, token, criteria, field);
          if (answer !== unknown) known.push(`${field}: ${answer.slice(0, 200)}`);
        }
    }
    expect(known).toEqual([]);
  },
);
