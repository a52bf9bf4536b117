import { expect, test } from '@jest/globals';
import { changedFields } from '../../../domain/audit.ts';

test.each([
  ['nothing changed', { name: 'A', is_active: true }, { name: 'A', is_active: true }, []],
  ['a changed text', { name: 'A' }, { name: 'B' }, [['name', 'A', 'B']]],
  ['a flag', { is_active: true }, { is_active: false }, [['is_active', 'true', 'false']]],
  ['an override that inherits again', { phone: '5' }, { phone: null }, [['phone', '5', null]]],
  ['an empty text is a value', { phone: null }, { phone: '' }, [['phone', null, '']]],
  ['what is nested', { o: { a: 1 } }, { o: { a: 2 } }, [['o', '{"a":1}', '{"a":2}']]],
  [
    'a new record',
    {},
    { name: 'A', phone: null, low: 0 },
    [
      ['name', null, 'A'],
      ['low', null, '0'],
    ],
  ],
  ['a record that is gone', { name: 'A', phone: null }, {}, [['name', 'A', null]]],
  ['a secret', { passcode: 'one' }, { passcode: 'two' }, [['passcode', '******', '******']]],
  ['a first secret', {}, { passcode: 'one' }, [['passcode', null, '******']]],
  ['the same secret', { passcode: 'one' }, { passcode: 'one' }, []],
])('%s', (_case, before, after, expected) => {
  const changes = changedFields({ before, after, secrets: new Set(['passcode']) });
  expect(changes.map(({ fieldName, oldValue, newValue }) => [fieldName, oldValue, newValue])).toEqual(expected);
});
