import { expect, test } from 'vitest';
import { DriverException } from '@mikro-orm/core';
import { DatabaseTrouble, troubleOf, type Trouble } from '../../../../db/support/connections/database-trouble.ts';

const said = (code: string) => Object.assign(new Error('as the server says it'), { code });

test.each<[string, Trouble | undefined]>([
  ['08000', 'away'],
  ['08001', 'away'],
  ['08006', 'away'],
  ['08007', 'unknown'],
  ['57P01', 'away'],
  ['57P03', 'away'],
  ['25P03', 'away'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['53300', 'busy'],
  ['23505', undefined],
  ['40P01', undefined],
  ['42P01', undefined],
  ['ECONNREFUSED', undefined],
])('%s is %s', (code, trouble) => {
  expect(troubleOf(said(code))).toBe(trouble);
});

test('it is known whatever it was wrapped in', () => {
  const lost = new DatabaseTrouble('08007', 'gone');
  expect(troubleOf(new DriverException(lost))).toBe('unknown');
  expect(troubleOf(new Error('the step failed', { cause: said('55P03') }))).toBe('busy');
  expect(troubleOf('no error at all')).toBeUndefined();
  expect(troubleOf(undefined)).toBeUndefined();
});
