import { describe, expect, test } from 'vitest';
import { emailKey, isEmail } from '../../../domain/staff/email-key.ts';
import { cooldownSeconds, lockoutLadder } from '../../../domain/staff/lockout.ts';
import { isHashable } from '../../../domain/staff/passcode.ts';
import { permissionKeys, permissionsFault } from '../../../domain/staff/permissions.ts';

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
