import { expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  always,
  derived,
  fieldsOf,
  flag,
  integer,
  listOf,
  moment,
  named,
  nestedList,
  orAbsent,
  orNull,
  perhaps,
  text,
  within,
} from '../../../api/wire/fields.ts';
import { growing } from '../../../api/wire/schemas.ts';

const lamp = fieldsOf({
  lamp_id: z.int(),
  kind: always('lamp', z.string()),
  name: text(),
  note: orNull(text()),
  socket: orAbsent(text()),
  is_lit: named('isOn', flag()),
  worn: perhaps(z.int()),
  made_at: moment(),
  bulbs: listOf({ bulb_code: text(), watts: integer() }, 2),
  extension_attributes: within({ shade_colour: orAbsent(text()) }),
  label: derived(({ name }: { name: string }, language: string) => `${name} (${language})`, z.string()),
});

const stored = {
  ...{ lampId: 7, name: 'Arc', note: undefined, socket: null, isOn: true, worn: undefined, shadeColour: 'red' },
  ...{ madeAt: new Date('2026-11-21T09:30:00Z'), bulbs: [{ bulbCode: 'E27', watts: 40 }] },
};
const answered = {
  ...{ lamp_id: 7, kind: 'lamp', name: 'Arc', note: null, is_lit: true, made_at: '2026-11-21 09:30:00' },
  ...{ bulbs: [{ bulb_code: 'E27', watts: 40 }], extension_attributes: { shade_colour: 'red' }, label: 'Arc (de)' },
};

test('a record is answered by the table of its fields', () => {
  const answer = lamp.render(stored, 'de');
  expect(answer).toStrictEqual(answered);
  expect(lamp.answer.parse(answer)).toStrictEqual(answered);
});

test('an answer may be sent back: what the server sets is ignored, and what is absent is undefined', () => {
  const { label: _label, ...sent } = answered;
  expect(lamp.draft(lamp.sent.parse({ ...sent, label: 'x', isLit: 'no', socket: null }))).toStrictEqual({
    ...{ name: 'Arc', note: null, socket: null, isOn: false, shadeColour: 'red' },
    bulbs: [{ bulbCode: 'E27', watts: 40 }],
  });
  expect(lamp.draft(lamp.sent.parse({}))).toStrictEqual({
    ...{ name: undefined, note: undefined, socket: undefined, isOn: undefined, bulbs: undefined },
    shadeColour: undefined,
  });
});

test.each([
  ['an unknown key', { wattage: 3 }],
  ['an unknown key within an object', { extension_attributes: { height: 3 } }],
  ['a row of a list without one of its keys', { bulbs: [{ bulb_code: 'E27' }] }],
  ['more rows than a list may have', { bulbs: Array.from({ length: 3 }, () => ({ bulb_code: 'E27', watts: 1 })) }],
  ['text that is too long', { name: 'x'.repeat(256) }],
])('%s is refused', (_, sent) => {
  expect(lamp.sent.safeParse(sent).success).toBe(false);
});

test('a body that grows by version has its unknown keys ignored, and a row is read by its columns', () => {
  const shelf = fieldsOf({ shelf_id: z.int(), wide: flag(), rows: nestedList({ row_no: z.int() }) }, {}, growing);
  expect(shelf.draft(shelf.sent.parse({ shelf_id: 'any', wide: '1', colour: 'red' }))).toStrictEqual({ wide: true });
  expect(shelf.render({ shelf_id: 1, wide: false, rows: [{ row_no: 2 }] })).toStrictEqual({
    ...{ shelf_id: 1, wide: false, rows: [{ row_no: 2 }] },
  });
});
