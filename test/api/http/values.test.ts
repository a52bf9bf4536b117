import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusalOf } from '../../../api/wire/refusal-of.ts';
import {
  flag,
  integer,
  isoDate,
  money,
  payload,
  percent,
  quantity,
  rate,
  stockDate,
  storedMoney,
  text,
} from '../../../api/wire/schemas.ts';

const line = payload({ orderItemId: integer, qty: quantity.optional(), note: text(20).nullish() });
const remark = payload({ note: text(20).optional() });
const values = z.object({
  remark: remark.optional(),
  remarks: z.array(remark).optional(),
  money: money.optional(),
  storedMoney: storedMoney.optional(),
  quantity: quantity.optional(),
  percent: percent.optional(),
  rate: rate.optional(),
  flag: flag.optional(),
  integer: integer.optional(),
  text: text(5).optional(),
  stockDate: stockDate.optional(),
  isoDate: isoDate.optional(),
  method: z.enum(['cash', 'terminal']).optional(),
  count: z.number().min(1).max(9).optional(),
  line: line.optional(),
  lines: z.array(line).max(3).optional(),
});

const read = (given: object) => values.parse(given);
const refusal = (given: object) => {
  const parsed = values.safeParse(given, { reportInput: true });
  return refusalOf(parsed.error!.issues, given).refusal;
};

describe('a value is read as the platform reads it', () => {
  test.each([
    ['money', 12.34, 123_400],
    ['money', '12.3400', 123_400],
    ['money', '-0.0001', -1],
    ['money', -0, 0],
    ['money', '5.00000', 50_000],
    ['money', 0.1 + 0.2, 3_000],
    ['money', '59.970000000000006', 599_700],
    ['quantity', 3 * 1.1, 33_000],
    ['storedMoney', 1.23456, 12_346],
    ['storedMoney', '-1.99995', -20_000],
    ['storedMoney', 1e-9, 0],
    ['quantity', '2.50', 25_000],
    ['percent', 8.25, '8.2500'],
    ['percent', '8.33335', '8.3334'],
    ['rate', 1.36, '1.360000000000'],
    ['integer', '10', 10],
    ['integer', 10, 10],
    ['integer', '10.000', 10],
    ['integer', -0, 0],
    ['flag', true, true],
    ['flag', 'yes', true],
    ['flag', 'ON', true],
    ['flag', '1', true],
    ['flag', 1, true],
    ['flag', 'foo', false],
    ['flag', 2, false],
    ['flag', '', false],
    ['text', 12.5, '12.5'],
    ['text', true, '1'],
    ['text', false, ''],
    ['text', 'é🙂', 'é🙂'],
    ['stockDate', '2026-02-28 10:00:00', new Date('2026-02-28T10:00:00Z')],
    ['stockDate', '2026-02-28', new Date('2026-02-28T00:00:00Z')],
    ['isoDate', '2026-02-28T10:00:00+02:00', new Date('2026-02-28T08:00:00Z')],
    ['remark', { note: 'b' }, { note: 'b' }],
  ])('%s %j is %j', (name, given, understood) => {
    expect(read({ [name]: given })).toEqual({ [name]: understood });
  });
});

describe('a value of the wrong kind is refused in the platform’s words', () => {
  test.each([
    ['money', 'x', 'float'],
    ['money', '1e5', 'float'],
    ['money', '12.34567', 'float'],
    ['money', 33.33333, 'float'],
    ['money', 1e-7, 'float'],
    ['money', 'NaN', 'float'],
    ['money', '', 'float'],
    ['money', ' 1', 'float'],
    ['money', '1\n', 'float'],
    ['money', '١٢', 'float'],
    ['money', true, 'float', '1'],
    ['money', '99999999999999999', 'float'],
    ['storedMoney', '1e5', 'float'],
    ['quantity', '99999999999', 'float'],
    ['integer', '2.5', 'int'],
    ['integer', 2_147_483_648, 'int'],
    ['integer', 2 ** 53, 'int'],
    ['money', Infinity, 'float'],
    ['integer', {}, 'int', 'array'],
    ['flag', {}, 'bool', 'array'],
    ['flag', [1], 'bool', 'array'],
    ['flag', { toString: 1 }, 'bool', 'array'],
    ['text', ['a'], 'string', 'array'],
    ['remark', 'abc', 'object'],
    ['remark', '', 'object'],
    ['remark', 5, 'object'],
    ['remark', false, 'object', ''],
    ['remarks', ['a', { note: 'b' }], 'object', 'a'],
  ])('%s cannot be %j', (name, given, type, shown = String(given as string)) => {
    expect(refusal({ [name]: given })).toEqual({
      status: 400,
      message: `The "${shown}" value's type is invalid. The "${type}" type was expected. Verify and try again.`,
    });
  });

  test.each([
    ['stockDate', '2026-02-30'],
    ['stockDate', 'tomorrow'],
    ['isoDate', '0000-01-01T00:00:00Z'],
    ['isoDate', '2026-01-01T25:00:00Z'],
    ['method', 'Cash'],
  ])('%s cannot be %j', (fieldName, value) => {
    expect(refusal({ [fieldName]: value })).toEqual({
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      parameters: { fieldName, value },
    });
  });

  test('a value that is too long, too small or too large gets the bound', () => {
    expect([
      refusal({ text: 'abcdef' }),
      refusal({ count: 0 }),
      refusal({ count: 10 }),
      refusal({ lines: Array.from({ length: 4 }, () => ({ order_item_id: 1 })) }),
    ]).toMatchInlineSnapshot(`
[
  {
    "message": "The %fieldName value must not be longer than %maxLength characters.",
    "parameters": {
      "fieldName": "text",
      "maxLength": 5,
    },
    "status": 400,
  },
  {
    "message": "The %fieldName value of "%value" must be greater than or equal to %minValue.",
    "parameters": {
      "fieldName": "count",
      "minValue": 1,
      "value": 0,
    },
    "status": 400,
  },
  {
    "message": "The %fieldName value of "%value" must be less than or equal to %maxValue.",
    "parameters": {
      "fieldName": "count",
      "maxValue": 9,
      "value": 10,
    },
    "status": 400,
  },
  {
    "message": "Maximum items of type "%type" is %max",
    "parameters": {
      "max": 3,
      "type": "lines",
    },
    "status": 400,
  },
]
`);
  });

  test('within objects the path is named, in the caller’s spelling', () => {
    expect([
      refusal({ line: { order_item_id: 'x' } }),
      refusal({ lines: [{ orderItemId: 1 }, { orderItemId: 2, qty: 'much' }] }),
      refusal({ line: ['x'] }),
      refusal({ lines: 'x' }),
      refusal({ line: 'x' }),
      refusal({ lines: ['x', 5] }),
    ]).toMatchInlineSnapshot(`
[
  {
    "message": "Error occurred during "order_item_id" processing. The "x" value's type is invalid. The "int" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "Error occurred during "qty" processing. The "much" value's type is invalid. The "float" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "array" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "array" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
  {
    "message": "The "x" value's type is invalid. The "object" type was expected. Verify and try again.",
    "status": 400,
  },
]
`);
  });
});
