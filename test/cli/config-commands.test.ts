import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { getConfig } from '../../cli/get-config.ts';
import { listConfig } from '../../cli/list-config.ts';
import { setConfig } from '../../cli/set-config.ts';
import { knownSettings, meaningOfSetting } from '../../domain/configuration/meaning-of-setting.ts';
import { aDayOfSales } from '../support/builders/day-of-sales.ts';
import { booksOf } from '../support/books.ts';
import { testDatabase } from '../support/database.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aDayOfSales(fork());
});
afterAll(() => orm.close());

const { fork, find } = booksOf(() => orm);

const shop = () => commandContextOf(orm);

test('a setting holds in its scope, the narrowest first', async () => {
  const path = 'vendor_pos_terminal/stock/low_stock_threshold';
  await setConfig(shop(), path, '7', {});
  await setConfig(shop(), path, '3', { website: 'base' });
  await setConfig(shop(), path, '1', { store: 'ca' });

  expect((await getConfig(shop(), path, {})).json).toEqual({ path, value: '7', source: 'default' });
  expect((await getConfig(shop(), path, { website: 'base' })).json).toEqual({
    path,
    value: '3',
    source: 'website base',
  });
  expect((await getConfig(shop(), path, { store: 'ca' })).text).toBe(
    ['→  store view ca  1', '   website base   3', '   default        7', '   built in       5'].join('\n'),
  );

  await setConfig(shop(), path, null, { store: 'ca' });
  expect((await getConfig(shop(), path, { store: 'ca' })).json).toMatchObject({ value: '3' });
});

test('the settings of web carts are shown as well, with their defaults', async () => {
  const path = 'carriers/flatrate/price';

  expect(await getConfig(shop(), path, {})).toMatchObject({ json: { value: '5.00', source: 'built in' } });
  expect((await setConfig(shop(), path, '7.50', {})).text).toBe(`${path} is set to "7.50".`);
  expect((await getConfig(shop(), path, {})).text).toMatch(/^→ {2}default +7\.50\n {3}built in +5\.00$/);
  await setConfig(shop(), path, null, {});
});

test('settings are listed by the beginning of their path, with meaning and default', async () => {
  const path = 'vendor_pos_terminal/layaway/expiry_days';
  await setConfig(shop(), path, '45', {});
  const { text, json } = await listConfig(shop(), 'vendor_pos_terminal/layaway');
  await setConfig(shop(), path, null, {});

  expect((json as { path: string }[]).map((one) => one.path)).toEqual([
    'vendor_pos_terminal/layaway/cancellation_fee_percent',
    'vendor_pos_terminal/layaway/deposit_min_percent',
    path,
  ]);
  expect(text).toContain(
    `${path}\n    After how many days a layaway is overdue; 0: never.\n    default "30", set to "45"`,
  );
  await expect(listConfig(shop(), 'vendor_pos/nothing')).rejects.toMatchObject({ status: 400 });
});

test('every setting that something reads has its meaning in words', () => {
  expect(knownSettings.filter((path) => !meaningOfSetting(path)?.endsWith('.'))).toEqual([]);
});

test('a provider key is sealed and never shown', async () => {
  const path = 'vendor_pos_terminal/provider_a/api_key';
  const { text } = await setConfig(shop(), path, 'live-key-1', {});
  const shown = await getConfig(shop(), path, {});
  const stored = await find('config_value', { path }, 'value');

  expect((await listConfig(shop(), path)).text).toContain('set to "(set, not shown)"');
  expect(text).toBe(`${path} is set and sealed.`);
  expect(JSON.stringify([shown, stored])).not.toContain('live-key-1');
  expect(shown.json).toMatchObject({ value: '(set, not shown)' });
});

test('an unknown setting, website or store view is refused', async () => {
  await expect(setConfig(shop(), 'enabled', '1', {})).rejects.toMatchObject({ status: 400 });
  const known = 'vendor_pos/general/enabled';
  await expect(setConfig(shop(), known, '1', { website: 'mars' })).rejects.toMatchObject({ status: 404 });
  await expect(setConfig(shop(), known, '1', { website: 'base', store: 'ca' })).rejects.toMatchObject({
    status: 400,
  });
  await expect(getConfig(shop(), 'no/such/path', {})).rejects.toMatchObject({ status: 400 });
  await expect(setConfig(shop(), 'vendor_pos_terminal/layaway/expire_days', '9', {})).rejects.toMatchObject({
    status: 400,
    parameters: [expect.anything(), expect.stringContaining('vendor_pos_terminal/layaway/expiry_days')],
  });
  await expect(setConfig(shop(), 'sales/some/path', '1', {})).rejects.toMatchObject({ status: 400 });
  expect((await setConfig(shop(), 'sales/some/path', '1', { unread: true })).isFine).toBe(true);
  // What an earlier release let in can be taken away.
  expect((await setConfig(shop(), 'sales/some/path', null, {})).isFine).toBe(true);
});

test('a setting takes what it can be read as, and a refusal says what that is', async () => {
  const days = 'vendor_pos_terminal/layaway/expiry_days';
  await expect(setConfig(shop(), days, 'abc', {})).rejects.toMatchObject({
    status: 400,
    refusal: { message: '%1 takes %2, not "%3".', parameters: [days, 'a whole number of 0 or more', 'abc'] },
  });
  await expect(setConfig(shop(), days, 'true', {})).rejects.toMatchObject({ status: 400 });
  await expect(setConfig(shop(), 'vendor_pos_lock/enforcement/auto_print', 'maybe', {})).rejects.toMatchObject({
    status: 400,
  });
  for (const value of ['45', '0', '']) expect((await setConfig(shop(), days, value, {})).isFine).toBe(true);
  expect((await setConfig(shop(), 'vendor_pos/general/enabled', 'true', {})).isFine).toBe(true);
  await setConfig(shop(), days, null, {});
  await setConfig(shop(), 'vendor_pos/general/enabled', null, {});
});
