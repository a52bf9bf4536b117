import { describe, expect, test } from '@jest/globals';
import { codeLabels } from '../../../domain/code-labels.ts';
import {
  cardPaymentSecrets,
  enforcementFlags,
  enforcementPath,
  secretPaths,
  settingDefaults,
  shopSettings,
} from '../../../domain/configuration/setting-defaults.ts';
import { resolvables, resolveConfig, allowedInstead } from '../../../domain/configuration/resolvables.ts';
import { cartSettingDefaults } from '../../../domain/platform/carts/shop-choices.ts';
import { stockSettingDefaults } from '../../../domain/platform/stock-rules.ts';

describe('resolve config', () => {
  const settingsOf = (values: Record<string, string | null> = {}) => shopSettings(new Map(Object.entries(values)));
  const resolved = (given: Partial<Parameters<typeof resolveConfig>[0]>) =>
    resolveConfig({ settings: settingsOf(), location: {}, terminal: {}, hasMsi: true, ...given });

  const header = 'vendor_pos_terminal/receipt/header';
  const headerLock = enforcementPath('receipt_header');

  describe('the config that holds at a register (spec 2.2)', () => {
    const shop = { [header]: 'shop' };
    const location = { receipt_header: 'location' };
    const terminal = { receipt_header: 'terminal' };

    test.each([
      ['the shop alone', { settings: settingsOf(shop) }, 'shop'],
      ['nobody: the default', {}, ''],
      ['the location over the shop', { settings: settingsOf(shop), location }, 'location'],
      ['the terminal over all', { settings: settingsOf(shop), location, terminal }, 'terminal'],
      ['null inherits', { settings: settingsOf(shop), location: { receipt_header: null } }, 'shop'],
      ['empty is a value', { settings: settingsOf(shop), location: { receipt_header: '' } }, ''],
      ['locked: the shop', { settings: settingsOf({ ...shop, [headerLock]: '1' }), location, terminal }, 'shop'],
    ])('%s', (_case, given, expected) => {
      expect(resolved(given)['receipt_header']).toBe(expected);
    });

    test('keeps the kind of each value, whatever a register sent', () => {
      const odd = {
        low_stock_threshold: '7',
        use_msi: 0,
        layaway_deposit_min_percent: '12.5000',
        cash_rounding_increment: 0.05,
      };
      expect(resolved({ terminal: odd })).toMatchObject({
        ...odd,
        low_stock_threshold: 7,
        use_msi: false,
        layaway_deposit_min_percent: 12.5,
        cash_rounding_increment: '0.05',
      });
    });

    test.each([
      ['low_stock_threshold', ''],
      ['low_stock_threshold', 'few'],
      ['low_stock_threshold', true],
      ['low_stock_threshold', [7]],
      ['use_msi', ''],
      ['use_msi', 'maybe'],
      ['use_msi', {}],
      ['receipt_header', true],
      ['receipt_header', ['Hello']],
    ])('%s of %j is of no use and inherits', (key, value) => {
      expect(resolved({ terminal: { [key]: value }, location: { [key]: value } })[key]).toBe(resolved({})[key]);
    });

    describe.each(Object.entries(resolvables))('%s', (key, { kind, path, lock }) => {
      const values = {
        text: ['till', 'place', 'shop'],
        flag: [false, true, false],
        integer: [1, 2, 3],
        number: [1.5, 2.5, 3.5],
      }[kind];
      const [ofTerminal, ofLocation, ofShop] = values;
      const stored = { [path]: kind === 'flag' ? '0' : String(ofShop) };
      const given = { terminal: { [key]: ofTerminal }, location: { [key]: ofLocation } };
      const elsewhere = { terminal: { [key]: ofLocation }, location: { [key]: ofLocation } };
      const locked = (flag: (typeof enforcementFlags)[number]) =>
        resolved({ ...elsewhere, settings: settingsOf({ ...stored, [enforcementPath(flag)]: '1' }) })[key];

      test('is the terminal’s over the location’s over the shop’s', () => {
        const settings = settingsOf(stored);
        expect(resolved({ settings, ...given })[key]).toBe(ofTerminal);
        expect(resolved({ settings, location: given.location, terminal: { [key]: null } })[key]).toBe(ofLocation);
        expect(resolved({ settings, location: { [key]: null } })[key]).toBe(ofShop);
      });

      test('is the shop’s under its own lock, and under no other', () => {
        for (const flag of enforcementFlags)
          expect([flag, locked(flag)]).toEqual([flag, flag === lock ? ofShop : ofLocation]);
      });
    });

    test('knows what each lock locks', () => {
      const locks = new Set(Object.values(resolvables).map(({ lock }) => lock));
      expect(enforcementFlags.filter((flag) => !locks.has(flag))).toEqual([]);
    });

    test('a lock of several settings locks each of them', () => {
      const own = { receipt_qr_text: 'Tell us', receipt_qr_url: 'https://elsewhere.example', walk_in_city: 'Ghent' };
      const settings = settingsOf({
        'vendor_pos_terminal/receipt/qr_url': 'https://shop.example',
        [enforcementPath('receipt_qr')]: '1',
      });
      expect(resolved({ settings, location: own })).toMatchObject({
        receipt_qr_text: '',
        receipt_qr_url: 'https://shop.example',
        walk_in_city: 'Ghent',
      });
    });

    test('gives no key of a card provider away', () => {
      const paths = Object.values(resolvables).map(({ path }) => path);
      expect(paths.filter((path) => secretPaths.has(path))).toEqual([]);
    });

    test('never uses several sources where the shop has no such inventory', () => {
      expect(resolved({ location: { use_msi: true }, hasMsi: false })['use_msi']).toBe(false);
    });

    test('reads only settings that have a default', () => {
      for (const { path } of Object.values(resolvables)) expect(settingDefaults).toHaveProperty([path]);
    });
  });

  describe('settings', () => {
    test('are the stored value, else the default; a stored null is empty', () => {
      const settings = settingsOf({ 'tax/display/type': '3', 'vendor_pos_terminal/receipt/footer': null });
      expect(settings.integer('tax/display/type')).toBe(3);
      expect(settings.text('vendor_pos_terminal/receipt/footer')).toBe('');
      expect(settings.text('tax/calculation/algorithm')).toBe('TOTAL_BASE_CALCULATION');
    });

    test.each([
      ['1', true],
      ['2', true],
      ['0', false],
      ['', false],
      [null, false],
    ])('%j as a flag is %s', (value, on) => {
      expect(settingsOf({ 'vendor_pos/general/enabled': value }).flag('vendor_pos/general/enabled')).toBe(on);
    });

    test('that are no number count as none', () => {
      expect(settingsOf({ 'tax/display/type': 'abc' }).integer('tax/display/type')).toBe(0);
    });

    test('that are secret are among the settings', () => {
      for (const path of secretPaths) expect(settingDefaults).toHaveProperty([path]);
    });

    test('have a lock, off at first, for every name of spec 3.6', () => {
      expect(enforcementFlags).toHaveLength(31);
      for (const flag of enforcementFlags) expect(settingDefaults[enforcementPath(flag)]).toBe('0');
    });

    test('that list codes may label them', () => {
      expect(codeLabels('eco_fee: Eco fee , battery,')).toEqual([
        { code: 'eco_fee', label: 'Eco fee' },
        { code: 'battery', label: 'battery' },
      ]);
      expect(codeLabels('a:Check: paper')).toEqual([{ code: 'a', label: 'Check: paper' }]);
      expect(codeLabels('')).toEqual([]);
    });
  });
});

describe('setting rules', () => {
  const defaults = Object.entries({ ...cartSettingDefaults, ...stockSettingDefaults, ...settingDefaults });

  test('every setting may be set to what it is anyway', () => {
    expect(defaults.filter(([path, value]) => allowedInstead(path, value) !== undefined)).toEqual([]);
  });

  test('no setting that begins as a number takes a word for one', () => {
    const numbers = defaults.filter(([, value]) => /^\d+(\.\d+)?$/.test(value));

    expect(numbers.filter(([path]) => allowedInstead(path, 'abc') === undefined)).toEqual([]);
  });

  test.each([
    ['vendor_pos_terminal/layaway/expiry_days', ['0', '45', ' 7 ', ''], ['abc', '0.5', '-1', 'true', '1e3', '30 days']],
    ['vendor_pos_terminal/layaway/deposit_min_percent', ['0', '12.5', '100'], ['100.1', '-1', '20%', '20,5']],
    ['vendor_pos_terminal/payments/cash_rounding_increment', ['', '0.05'], ['five cents', '-0.05']],
    ['vendor_pos_advanced/ops/two_people_above', ['', '0', '500', '99.50'], ['abc', '-1', '500 USD', '1,000']],
    [
      'vendor_pos_advanced/ops/portal_provider_a',
      ['', 'https://portal.example/payments/%1', 'http://localhost:8080/%1?x=1'],
      [
        'portal.example/%1',
        'https://',
        'https://[',
        'javascript:alert(1)',
        'https://a b/',
        'http://x:99999/',
        'ftp://a/',
      ],
    ],
    ['vendor_pos_terminal/provider_b/base_url', ['', 'https://processor.example/v1'], ['processor', 'http://:80']],
    ['vendor_pos_advanced/telemetry/upload_hour', ['0', '23'], ['24', '3:00']],
    ['vendor_pos_advanced/telemetry/retention_days', ['1', '3650'], ['', '0', '3651']],
    ['vendor_cms/versions/kept', ['1', '10000'], ['', '0', '10001', '1.5']],
    ['vendor_reward_points/spending/granularity', ['1', '100'], ['', '0']],
    ['vendor_reward_points/spending/applies_as', ['tender', 'discount'], ['', 'Tender', 'gift']],
    ['vendor_pos_lock/enforcement/store_details', ['1', '0', 'true', 'false', ''], ['maybe', '2', 'yes']],
    ['vendor_pos_terminal/provider_a/test_mode', ['1', '0'], ['on', '10']],
    [
      'vendor_pos_advanced/returns/resolution_periods',
      ['', 'Refund:14', 'Refund: 14, Store Credit:0,'],
      ['14', 'Refund', 'Refund:14d', 'Refund:', ':14', 'Refund:-1', 'Refund:14;Exchange:60'],
    ],
    ['vendor_pos_advanced/returns/resolutions', ['', 'Refund', 'Refund,Store Credit'], ['Refund:14']],
    ['tax/calculation/algorithm', ['ROW_BASE_CALCULATION'], ['row', '']],
    ['tax/display/type', ['1', '3'], ['0', '4', '']],
    ['general/store_information/country_id', ['', 'DE'], ['de', 'Germany', 'ZZ']],
    ['carriers/flatrate/price', ['5', '4.90', ''], ['free', '-1']],
    ['cataloginventory/item_options/backorders', ['0', '2'], ['3', 'yes', '']],
    ['cataloginventory/item_options/min_sale_qty', ['0', '0.5', '6', ''], ['-1', 'six']],
    ['payment/checkmo/active', ['1', '0'], ['maybe']],
  ])('%s takes what it can be read as, and nothing else', (path, good, bad) => {
    expect(good.filter((value) => allowedInstead(path, value) !== undefined)).toEqual([]);
    expect(bad.filter((value) => allowedInstead(path, value) === undefined)).toEqual([]);
  });

  test('says what is allowed, so that it can be said', () => {
    const said = (path: string) => allowedInstead(path, 'abc');

    expect(said('vendor_pos_terminal/layaway/expiry_days')).toBe('a whole number of 0 or more');
    expect(said('vendor_pos_terminal/layaway/deposit_min_percent')).toBe('a number from 0 to 100');
    expect(said('vendor_pos/general/share_held_carts')).toBe('1 for yes or 0 for no');
    expect(said('vendor_reward_points/spending/applies_as')).toBe('tender or discount');
    expect(said('tax/calculation/algorithm')).toBe(
      'UNIT_BASE_CALCULATION, ROW_BASE_CALCULATION or TOTAL_BASE_CALCULATION',
    );
  });

  test('any text will do where it is only shown, or is not read by the server', () => {
    const free = ['vendor_pos_terminal/receipt/header', 'vendor_pos_terminal/pickup/queue_filter', 'sales/some/path'];

    expect([...free, ...cardPaymentSecrets].filter((path) => allowedInstead(path, 'anything') !== undefined)).toEqual(
      [],
    );
  });
});
