import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { formatAmount, money } from '../../../domain/money/amount.ts';
import { coinOf, toCoins } from '../../../domain/money/coins.ts';
import { currencyExponents } from '../../../domain/money/currency-exponents.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

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
