import { describe, expect, test } from '@jest/globals';
import {
  emailKey,
  isEmail,
  cooldownSeconds,
  lockoutLadder,
  isHashable,
  nextWatermark,
  passcodeFault,
  permissionKeys,
  permissionsFault,
  roleFault,
  staffFault,
} from '../../../domain/staff.ts';

describe('lockout', () => {
  describe('the ladder of spec 8', () => {
    test.each([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 15],
      [4, 15],
      [5, 60],
      [7, 60],
      [8, 300],
      [11, 300],
      [12, 1_800],
      [500, 1_800],
    ])('%i failures cost %i seconds', (failures, seconds) => {
      expect(cooldownSeconds(failures)).toBe(seconds);
    });

    test('is the four rungs of the interface and no more', () => {
      expect(lockoutLadder.map((rung) => [rung.failures, rung.cooldownSeconds])).toEqual([
        [3, 15],
        [5, 60],
        [8, 300],
        [12, 1_800],
      ]);
    });
  });

  describe('an e-mail address at sign-in', () => {
    test.each([
      ['Ada@Shop.Test', 'ada@shop.test'],
      ['  ada@shop.test ', 'ada@shop.test'],
      ['zoe\u0308@shop.test', 'zo\u00eb@shop.test'],
    ])('%j counts as %j', (given, key) => {
      expect(emailKey(given)).toBe(key);
    });

    test.each(['ada+till@shop.test', '\u0130da@shop.test'])('%j is a person of their own', (given) => {
      expect([emailKey('ada@shop.test'), emailKey('ida@shop.test')]).not.toContain(emailKey(given));
    });

    test.each(['ada', 'ada@', '@shop.test', 'a b@shop.test', 'a@b\r\nBcc: c@d', 'a@b@c'])(
      '%j is refused as an address',
      (given) => {
        expect(isEmail(given)).toBe(false);
      },
    );
  });

  describe('a passcode', () => {
    test.each([
      ['1', true],
      ['a'.repeat(72), true],
      ['a'.repeat(73), false],
      ['😀'.repeat(18), true],
      [`${'😀'.repeat(18)}a`, false],
      ['', false],
      ['12\u000034', false],
      ['a'.repeat(1_000_000), false],
    ])('of %# can be hashed whole or is refused', (passcode, fits) => {
      expect(isHashable(passcode)).toBe(fits);
    });
  });

  describe('the permissions of a role', () => {
    test('are every key of spec 2.6, once', () => {
      expect(permissionKeys).toHaveLength(50);
      expect(new Set(permissionKeys).size).toBe(50);
    });

    test.each(['{}', '{"place_orders":true,"issue_refunds":false}', '{"configure_hardware":true}'])(
      '%s are fine',
      (text) => {
        expect(permissionsFault(text)).toBeUndefined();
      },
    );

    test.each([
      ['not JSON', /JSON object/],
      ['[]', /JSON object/],
      ['null', /JSON object/],
      ['"{}"', /JSON object/],
      ['{"fly":true}', /"fly" is not a permission/],
      ['{"place_orders":"true"}', /"place_orders" must be true or false/],
      ['{"__proto__":true}', /is not a permission/],
    ])('%s are refused', (text, why) => {
      expect(permissionsFault(text)).toMatch(why);
    });
  });
});

describe('staff rules', () => {
  test.each([
    ['1234', undefined],
    ['x'.repeat(72), undefined],
    ['', 'the passcode is empty'],
    ['x'.repeat(73), 'the passcode is longer than 72 bytes'],
    ['😀'.repeat(18), undefined],
    [`${'😀'.repeat(18)}1`, 'the passcode is longer than 72 bytes'],
    ['12\0', 'the passcode has a zero byte'],
  ])('the passcode %j: %s', (passcode, fault) => {
    expect(passcodeFault(passcode)).toBe(fault);
  });

  const at = (text: string) => new Date(`2026-11-21T10:00:${text}Z`);
  test.each([
    ['the first', undefined, at('05.700'), at('05.700')],
    ['a later one', at('05.700'), at('09.100'), at('09.100')],
    ['two in one second', at('05.700'), at('05.900'), at('06.000')],
    ['a clock that went back', at('05.700'), at('02.000'), at('06.000')],
  ])('a passcode’s watermark, %s', (_case, previous, now, expected) => {
    expect(nextWatermark(previous, now)).toEqual(expected);
  });

  test.each([
    [{}, undefined],
    [{ firstName: 'Ada', lastName: 'Lovelace', email: ' ada@shop.test ' }, undefined],
    [{ firstName: ' ' }, 'a first name is needed'],
    [{ lastName: '' }, 'a last name is needed'],
    [{ email: 'a@b\r\nBcc:' }, 'the e-mail is not an address'],
    [{ email: 'nobody' }, 'the e-mail is not an address'],
  ])('the member %j: %s', (fields, fault) => {
    expect(staffFault(fields)).toBe(fault);
  });

  test.each([
    [{}, undefined],
    [{ name: 'Cashier', permissions: '{}' }, undefined],
    [{ permissions: '{"place_orders":true,"configure_hardware":false}' }, undefined],
    [{ name: ' ' }, 'a role needs a name'],
    [{ permissions: '' }, 'Permissions must be a JSON object of boolean keys, as a string.'],
    [{ permissions: '[]' }, 'Permissions must be a JSON object of boolean keys, as a string.'],
    [{ permissions: 'null' }, 'Permissions must be a JSON object of boolean keys, as a string.'],
    [{ permissions: '{"place_orders":"true"}' }, 'The permission "place_orders" must be true or false.'],
    [{ permissions: '{"fly":true}' }, '"fly" is not a permission.'],
    [{ permissions: '{"__proto__":true}' }, '"__proto__" is not a permission.'],
    [{ permissions: ' '.repeat(20_001) }, 'The permissions are too long.'],
  ])('the role %j: %s', (fields, fault) => {
    expect(roleFault(fields)).toBe(fault);
  });
});
