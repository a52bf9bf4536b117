import { expect, test } from 'vitest';
import { emptyRecord } from '../../domain/empty-record.ts';

test.each([[0], [16], [17], [80], [500]])(
  'a record for %i keys is a plain object with what is put into it',
  (count) => {
    const record = emptyRecord(count);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(Object.keys(record)).toEqual([]);

    const keys = Array.from({ length: count }, (_, at) => `column_${count - at}`);
    for (const [at, key] of keys.entries()) record[key] = at;

    expect(record).toStrictEqual(Object.fromEntries(keys.map((key, at) => [key, at])));
    expect(JSON.stringify(record)).toBe(`{${keys.map((key, at) => `"${key}":${at}`).join(',')}}`);
    expect(emptyRecord(count)).toStrictEqual({});
  },
);
