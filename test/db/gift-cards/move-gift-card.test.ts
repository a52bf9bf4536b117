import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createGiftCard } from '../../../db/gift-cards/create-gift-card.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { moveGiftCard, type GiftCardMove } from '../../../db/gift-cards/move-gift-card.ts';
import { createOrm } from '../../../db/orm.ts';
import { transact } from '../../../db/support/transact.ts';
import { verify } from '../../../books/verify/verify.ts';
import { formatAmount, money, zero } from '../../../domain/money.ts';
import { aGiftCard, aMove } from '../../support/builders/gift-card.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aSecondWebsite } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce, rivalsOf, carriedOut } from '../../support/rivals.ts';
import { inSeconds } from '../../support/moments.ts';
import { firstId } from '../../support/first-id.ts';

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;

beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await twiceAtOnce(() => createOrm(url));
  await aShop(fork());
  await aSecondWebsite(fork());
});
afterAll(() => Promise.all([orm.close(), other.close()]));

const { find, fork, rows, cardEntriesOf, howMany, change } = booksOf(() => orm);
const move = (wanted: GiftCardMove, em = fork()) => transact(em, (tx) => moveGiftCard(tx, wanted));
const balanceOf = async (code: string) => formatAmount((await findGiftCard(fork(), code))?.balance ?? zero);
const entriesOf = (code: string) => cardEntriesOf(code, 'kind', 'delta', 'balance_after');

const rivals = rivalsOf(() => [orm, other]);
const atOnce = (count: number, wanted: (at: number) => GiftCardMove) =>
  rivals(count, (em, at) => move(wanted(at), em.fork()));
const booksHold = async () =>
  expect((await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => id.startsWith('K-'))).toEqual([]);

test('a card is issued with its first entry, in the currency of its website, and found whatever the case', async () => {
  const code = await aGiftCard(fork(), { code: ' Grüße-1 ', amount: '25', websiteId: 2 });

  for (const spelled of [code, 'grüße-1', 'GRÜSSE-1', ' grüße-1 '])
    expect(await findGiftCard(fork(), spelled)).toMatchObject({
      code: 'Grüße-1',
      balance: money('25'),
      baseCurrencyCode: 'EUR',
      state: 'active',
      isExpired: false,
    });
  expect(await entriesOf('Grüße-1')).toEqual([{ kind: 'issued', delta: '25.0000', balance_after: '25.0000' }]);
});

test.each([
  ['a code that is taken, whatever its case', { code: 'taken' }, 400],
  ['no code', { code: '  ' }, 400],
  ['a code of 65 characters', { code: 'x'.repeat(65) }, 400],
  ['nothing on it', { amount: money('0') }, 400],
  ['less than nothing', { amount: money('-1') }, 400],
  ['a website there is not', { websiteId: 99 }, 404],
  ['the admin scope', { websiteId: 0 }, 404],
])('no card is issued with %s', async (_case, wanted, status) => {
  if (!(await findGiftCard(fork(), 'TAKEN'))) await aGiftCard(fork(), { code: 'TAKEN' });
  const before = await howMany('gift_card');
  const card = { code: 'FREE', websiteId: 1, amount: money('5'), expiresAt: null, reason: 'bought', ...wanted };

  await expect(createGiftCard(fork(), card)).rejects.toMatchObject({ status });
  expect(await howMany('gift_card')).toBe(before);
});

test('the audit trail tells of a new card, and not its code', async () => {
  await aGiftCard(fork(), { code: 'SECRET-CODE-1' });
  const lines = await find('pos_audit_log', { entity_type: 'gift_card' });
  expect(lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain('SECRET-CODE');
});

test.each([
  ['an unknown card', { code: 'NOBODY' }, 404],
  ['more than is on it', { delta: '-50.0001' }, 400],
  ['on another website', { websiteId: 2 }, 400],
  ['in another currency', { currencyCode: 'EUR' }, 400],
])('%s: nothing is spent', async (_case, wanted, status) => {
  const code = await aGiftCard(fork());
  await expect(move(aMove(code, wanted))).rejects.toMatchObject({ status });
  expect(await balanceOf(code)).toBe('50.0000');
});

test('from a card that is expired nothing is spent, and what was spent goes back and can be spent again', async () => {
  const code = await aGiftCard(fork());
  await move(aMove(code));
  await change('gift_card', { code }, { expires_at: inSeconds(-1) });

  await expect(move(aMove(code))).rejects.toMatchObject({ status: 400 });
  await move(aMove(code, { kind: 'returned', delta: '10' }));
  expect(await balanceOf(code)).toBe('50.0000');
  await move(aMove(code, { delta: '-50' }));
});

test.each(['returned', 'refunded'] as const)('a disabled card takes no money that was %s', async (kind) => {
  const code = await aGiftCard(fork());
  await change('gift_card', { code }, { state: 'disabled' });
  await expect(move(aMove(code))).rejects.toMatchObject({ status: 400 });
  await expect(move(aMove(code, { kind, delta: '10' }))).rejects.toMatchObject({
    message: 'This gift card is disabled.',
  });
  expect(await balanceOf(code)).toBe('50.0000');
});

test('a key moves once, whatever became of the card since; and no other card', async () => {
  const [code, another] = [await aGiftCard(fork()), await aGiftCard(fork())];
  const first = await move(aMove(code, { key: 'once' }));
  await move(aMove(code, { delta: '-40' }));
  await change('gift_card', { code }, { state: 'disabled' });

  expect(await move(aMove(code, { key: 'once', delta: '-1' }))).toEqual(first);
  await expect(move(aMove(another, { key: 'once' }))).rejects.toMatchObject({ status: 400 });
  expect([await balanceOf(code), await balanceOf(another)]).toEqual(['0.0000', '50.0000']);
});

describe.each([2, 8, 50])('%i at once', (count) => {
  test('that spend the whole card: one does', async () => {
    const code = await aGiftCard(fork());
    expect(carriedOut(await atOnce(count, () => aMove(code, { delta: '-50' })))).toHaveLength(1);
    expect(await balanceOf(code)).toBe('0.0000');
    await booksHold();
  });

  test('with the same key: one movement, answered to all', async () => {
    const code = await aGiftCard(fork());
    const key = `same-${count}`;
    expect(
      new Set((await atOnce(count, () => aMove(code, { key }))).map((answer) => JSON.stringify(answer))).size,
    ).toBe(1);
    expect(await balanceOf(code)).toBe('40.0000');
    await booksHold();
  });

  test('that spend a dollar each and give one back: every one counts', async () => {
    const code = await aGiftCard(fork(), { amount: '100' });
    const answers = await atOnce(count, (at) =>
      at % 2 === 0 ? aMove(code, { delta: '-1' }) : aMove(code, { kind: 'returned', delta: '1' }),
    );
    expect(carriedOut(answers)).toHaveLength(count);
    expect(await balanceOf(code)).toBe('100.0000');
    await booksHold();
  });
});

test.each([
  ['an entry changed', `update gift_card_entry set reason = 'another'`, /only ever added to/],
  ['an entry deleted', 'delete from gift_card_entry', /only ever added to/],
  ['all entries gone', 'truncate gift_card_entry', /only ever added to/],
  ['a card deleted', 'delete from gift_card', /foreign key/],
  ['a balance without an entry', 'update gift_card set balance = balance + 1', /add up to/],
  ['a balance below zero', 'update gift_card set balance = -1', /not_negative/],
  ['a balance that is no number', `update gift_card set balance = 'NaN'`, /not_negative/],
  ['another currency', `update gift_card set base_currency_code = 'XXX'`, /stays what it was made as/],
  ['another code', `update gift_card set code = 'X' where card_id = ${firstId}`, /stays what it was made as/],
  [
    'an entry without its balance',
    `insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'returned', 1, balance + 1, 'why', 'sql-1' from gift_card limit 1`,
    /add up to/,
  ],
  [
    'an entry that does not add up',
    `with c as (update gift_card set balance = balance + 2 where card_id = ${firstId} returning *)
     insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'returned', 1, balance, 'why', 'sql-2' from c`,
    /does not add up/,
  ],
  [
    'a spending that gives',
    `insert into gift_card_entry (card_id, kind, delta, balance_after, reason, key)
     select card_id, 'spent', 1, balance + 1, 'why', 'sql-3' from gift_card limit 1`,
    /moves_its_way/,
  ],
])('the database refuses %s', async (_case, sql, why) => {
  await aGiftCard(fork());
  await expect(rows(sql)).rejects.toThrow(why);
  await booksHold();
});
