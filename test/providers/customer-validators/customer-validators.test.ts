import { describe, expect, test } from '@jest/globals';
import { settingDefaults } from '../../../domain/configuration/setting-defaults.ts';
import type { RegisterDraft } from '../../../domain/customers.ts';
import { severities } from '../../../domain/customers/validation-row.ts';
import {
  createCustomerValidators,
  type CustomerValidator,
  type ValidationContext,
} from '../../../providers/customer-validators.ts';
import { runValidators } from '../../../providers/customer-validators/run-validators.ts';
import { createLog } from '../../../providers/log.ts';
import { pageSample } from '../../support/page-sample.ts';

describe('contract', () => {
  /** What every validator has to keep to; a new one joins the pool and is held to it. */
  const { builtIn, optional } = createCustomerValidators();
  const every = [...builtIn, ...optional];

  const nothing: RegisterDraft = {
    email: '',
    firstname: '',
    lastname: '',
    company: '',
    taxvat: '',
    phone: '',
    street: '',
    city: '',
    postcode: '',
    countryCode: '',
    dob: '',
    websiteId: 0,
    customerId: 0,
    locationId: 0,
  };
  const fields = Object.keys(nothing);
  const texts = fields.filter((field) => !field.endsWith('Id'));

  const filledWith = (text: string): RegisterDraft => ({
    ...nothing,
    ...Object.fromEntries(texts.map((field) => [field, text])),
  });
  /** What people and machines put into forms. */
  const drafts: readonly [string, RegisterDraft][] = [
    ['an empty draft', nothing],
    ['a very long one', filledWith('x'.repeat(1_000))],
    ['one of digits', filledWith('9'.repeat(40))],
    ['one of signs', filledWith(`'"<>&%\\$()[]{}*+?^|\u0000\u202E\uD800`)],
    ['one of blanks between', filledWith('a b c d e f 1 2 3')],
    ['one in another script', filledWith('Ωμέγα 東京 مرحبا')],
    ['one of emoji', filledWith('👩‍👩‍👧‍👦'.repeat(20))],
    ['a good one', { ...nothing, email: 'a@example.com', firstname: 'Ada', lastname: 'Lee', countryCode: 'GB' }],
    [
      'one that can be written better',
      { ...nothing, countryCode: 'gb', phone: '020 7946 0018', postcode: 'sw1a1aa', taxvat: 'gb 980 7806 84' },
    ],
  ];

  const context = (draft: RegisterDraft, set: Record<string, string> = {}): ValidationContext => ({
    websiteId: 1,
    countryId: draft.countryCode === '' ? 'US' : draft.countryCode.toUpperCase(),
    isEmailTaken: false,
    today: '2026-11-23',
    deadline: new Date(Date.now() + 10_000),
    setting: (path) => set[path] ?? settingDefaults[path] ?? '',
  });
  const log = createLog('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });
  const rowsOf = (validator: CustomerValidator, draft: RegisterDraft, set?: Record<string, string>) =>
    runValidators([validator], { draft, context: context(draft, set), log });

  describe.each(every.map((validator) => [validator.key, validator] as const))('the validator "%s"', (_, validator) => {
    test('has a key that settings can name, a label, and a field of the draft', () => {
      expect(validator.key).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
      expect(validator.label).not.toBe('');
      expect(fields).toContain(validator.field);
    });

    test('reads only settings there are', () => {
      expect((validator.settings ?? []).filter((path) => !Object.hasOwn(settingDefaults, path))).toEqual([]);
    });

    test.each(drafts)('says of %s what a register can show, and the same again', async (_name, draft) => {
      const rows = await rowsOf(validator, draft);
      expect(rows.map(({ code }) => code)).not.toContain('validator_failed');
      for (const { field, severity, suggestedValue } of rows) {
        expect(fields).toContain(field);
        expect(severities).toContain(severity);
        expect(suggestedValue !== undefined).toBe(severity === 'normalize');
      }
      expect(await rowsOf(validator, draft)).toEqual(rows);
    });

    test('is content with the value it suggests', async () => {
      for (const [, draft] of drafts) {
        const suggested = (await rowsOf(validator, draft)).filter(({ severity }) => severity === 'normalize');
        const taken = Object.fromEntries(suggested.map(({ field, suggestedValue }) => [field, suggestedValue]));
        const again = await rowsOf(validator, { ...draft, ...taken });
        expect(again.filter(({ field }) => Object.hasOwn(taken, field))).toEqual([]);
      }
    });

    test('answers in time', async () => {
      const started = performance.now();
      for (const [, draft] of drafts) await rowsOf(validator, draft);
      expect(performance.now() - started).toBeLessThan(2_000);
    });
  });

  test('no two have one key', () => {
    const keys = every.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  const named = (key: string) => optional.find((validator) => validator.key === key)!;

  /** Numbers that the tax offices’ own documents show. */
  test.each(
    (
      'ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 ' +
      'ESB58378431 FI20774740 FR40303265045 HR33392005961 HU12892312 IE6433435F IT00743110157 LT119511515 LU15027442 ' +
      'LV40003521600 MT11679112 NL004495445B01 PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 ' +
      'SK2022749619 GB980780684 XI980780684'
    ).split(' '),
  )('the VAT number %s is good, and none with another digit', async (taxvat) => {
    const vat = named('vat_number');
    expect(await rowsOf(vat, { ...nothing, taxvat })).toEqual([]);
    // What follows the B of a Dutch number is not part of its checksum.
    const digit = taxvat.startsWith('NL') ? /\d(?=B)/ : /\d(?=\D*$)/;
    const wrong = taxvat.replace(digit, (last) => String((Number(last) + 1) % 10));
    expect((await rowsOf(vat, { ...nothing, taxvat: wrong })).map(({ severity }) => severity)).toEqual(['error']);
  });

  test.each([
    ['DE136695978', 'DE', 'error'],
    ['136695978', 'DE', 'warning'],
    ['94259217', 'GR', 'warning'],
    ['94259216', 'GR', 'normalize'],
    ['136695976', 'DE', 'normalize'],
    ['094259216', 'GR', 'normalize'],
    ['CHE-123.456.788', 'CH', undefined],
    ['12-3456789', 'US', undefined],
  ])('the tax number %s of %s is told as %s', async (taxvat, countryCode, severity) => {
    const [row] = await rowsOf(named('vat_number'), { ...nothing, taxvat, countryCode });
    expect(row?.severity).toBe(severity);
  });

  test.each([
    ['+1 518 555 0100', 'US', 'normalize'],
    ['+15185550100', 'US', undefined],
    ['518 555 0100 ext. 5', 'US', undefined],
    ['0171 1234567', 'DE', 'normalize'],
    ['+4915112345678', 'US', undefined],
    ['12', 'US', 'error'],
    ['call me', 'US', 'error'],
    ['(999) 555-0100', 'US', 'warning'],
  ])('the phone number %s in %s is told as %s', async (phone, countryCode, severity) => {
    const [row] = await rowsOf(named('phone_format'), { ...nothing, phone, countryCode });
    expect(row?.severity).toBe(severity);
  });

  test.each([
    ['2008-11-23', undefined],
    ['2008-11-24', 'error'],
    ['', 'warning'],
  ])('a shop for adults answers a customer born on %j: %s', async (dob, severity) => {
    const set = { 'vendor_pos_advanced/customers/minimum_age': '18' };
    const [row] = await rowsOf(named('minimum_age'), { ...nothing, dob }, set);
    expect(row?.severity).toBe(severity);
  });
});

describe('page sample', () => {
  interface Sample {
    clubMember: CustomerValidator;
  }

  const empty: RegisterDraft = {
    ...{ email: '', firstname: '', lastname: '', company: '', taxvat: '', phone: '', street: '', city: '' },
    ...{ postcode: '', countryCode: '', dob: '', websiteId: 0, customerId: 0, locationId: 0 },
  };
  const context = { websiteId: 1, countryId: 'US', isEmailTaken: false, today: '2026-11-23', deadline: new Date(0) };

  test.each([
    ['Rowers Ltd', 'Rowers', []],
    ['Rowers Ltd', '', []],
    ['rowers Ltd', 'Rowers', [{ severity: 'normalize', suggestedValue: 'Rowers Ltd' }]],
    ['Sailors', 'Rowers', [{ field: 'company', code: 'no_member', severity: 'error' }]],
  ])('the sample of docs/extend/customer-validator.md says of %j in the club %j: %j', async (company, club, rows) => {
    const { clubMember } = await pageSample<Sample>('docs/extend/customer-validator.md');
    const found = await clubMember.validate({ ...empty, company }, { ...context, setting: () => club });
    expect(found).toMatchObject(rows);
    expect(found).toHaveLength(rows.length);
  });
});
