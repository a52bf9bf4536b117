import { expect, test } from 'vitest';
import { money } from '../../../../domain/money/amount.ts';
import {
  savedOption,
  savedOptions,
  type OptionDraft,
} from '../../../../domain/platform/catalog/save-custom-options.ts';

const drawing = () => {
  let last = 100;
  return () => ++last;
};
const text: OptionDraft = { title: 'Text', type: 'field', priceType: 'fixed', sku: 'TXT', maxCharacters: 5 };
const choice: OptionDraft = { title: 'Paper', type: 'radio', values: [{ title: 'Thin' }, { title: 'Thick' }] };

test('options without ids keep those of their title and type, each once', () => {
  const draw = drawing();
  const known = savedOptions([], [text, text, choice], draw);
  expect(known.map(({ title }) => title)).toEqual(['Paper', 'Text', 'Text']);
  expect(savedOptions(known, [text, text, choice], draw)).toEqual(known);
  const named = known[1]?.optionId;
  const [paper, one, other] = savedOptions(known, [{ optionId: named, title: 'Words' }, text, choice], draw);
  expect([paper?.optionId, one?.optionId, other?.optionId]).toEqual([known[0]?.optionId, known[2]?.optionId, named]);
  expect(savedOptions(known, [], draw)).toEqual([]);
});

test('an option of another kind keeps its id and its place, and nothing of its kind', () => {
  const draw = drawing();
  const known = savedOption(undefined, { ...text, sortOrder: 3, isRequire: true, price: money('2') }, draw);
  const chosen = savedOption(known, { type: 'checkbox', values: [{ title: 'A' }] }, draw);
  expect(chosen).toMatchObject({
    optionId: known.optionId,
    sortOrder: 3,
    isRequire: true,
    sku: null,
    maxCharacters: 0,
  });
  expect(savedOption(chosen, { type: 'date', priceType: 'percent' }, draw)).toMatchObject({ values: [], price: 0 });
  expect(savedOption(known, { type: 'area' }, draw)).toEqual({ ...known, type: 'area' });
});

test('a SKU is taken away by nothing', () => {
  const known = savedOption(undefined, text, drawing());
  for (const sku of [null, '']) expect(savedOption(known, { sku }, drawing())).toEqual({ ...known, sku: null });
});

test('each fault is a line of the message', () => {
  const refused = (draft: OptionDraft) => () => savedOption(undefined, draft, drawing());
  expect(refused({})).toThrow('Missed values for option required fields\nInvalid option type');
  expect(refused({ title: 'x', type: 'several' })).toThrow(/^Invalid option type$/);
  expect(refused({ ...choice, values: [{ title: 'A', price: money('1') }] })).toThrow(/^Invalid option value$/);
});
