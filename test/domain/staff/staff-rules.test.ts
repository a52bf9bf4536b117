import { expect, test } from 'vitest';
import { nextWatermark, passcodeFault } from '../../../domain/staff/passcode.ts';
import { roleFault } from '../../../domain/staff/role-fault.ts';
import { staffFault } from '../../../domain/staff/staff-fault.ts';

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
