import { expect, test } from 'vitest';
import type { CustomOption, OptionType } from '../../../../domain/platform/catalog/custom-option.ts';
import { enteredOptions, requireEntered } from '../../../../domain/platform/catalog/entered-options.ts';
import { money, zero } from '../../../../domain/money/amount.ts';

const optionOf = (optionId: number, type: OptionType, more: Partial<CustomOption> = {}): CustomOption => ({
  ...{ optionId, type, title: type, sortOrder: 0, isRequire: false, price: zero, priceType: 'fixed', sku: null },
  ...{ maxCharacters: 0, fileExtension: null, imageSizeX: 0, imageSizeY: 0, values: [], ...more },
});
const valueOf = (optionTypeId: number) => ({
  ...({
    optionTypeId,
    title: `V${optionTypeId}`,
    sortOrder: 0,
    price: money('1'),
    priceType: 'fixed',
    sku: null,
  } as const),
});
const values = [valueOf(12), valueOf(11)];

const notEntered = "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
const notAvailable = 'Some of the selected item options are not currently available.';
const noDay = 'Please specify date required option(s).';
const noTime = 'Please specify time required option(s).';

test.each<[OptionType, string, string]>([
  ['field', ' For Ada\r\nand Bo ', 'For Ada\nand Bo'],
  ['field', '👩‍👩‍👧!', '👩‍👩‍👧!'],
  ['drop_down', '11', '11'],
  ['radio', ' 12 ', '12'],
  ['checkbox', '12, 11', '11,12'],
  ['multiple', '11', '11'],
  ['date', '2026-12-24', '2026-12-24 00:00:00'],
  ['date', '2024-02-29T18:00', '2024-02-29 00:00:00'],
  ['date', '12/24/2026,2026-12-24 00:00:00', '2026-12-24 00:00:00'],
  ['date_time', '2026-12-24 18:30', '2026-12-24 18:30:00'],
  ['time', '18:30', '18:30:00'],
  ['time', '2026-12-24 23:59:59', '23:59:59'],
])('%s: "%s" is kept as "%s", and again so', (type, sent, kept) => {
  const options = [optionOf(7, type, { values })];
  const entered = enteredOptions(options, [{ optionId: '7', optionValue: sent }]);
  expect(entered).toEqual([{ optionId: 7, optionValue: kept }]);
  expect(enteredOptions(options, [{ optionId: '7', optionValue: kept }])).toEqual(entered);
  expect(() => requireEntered(options, entered)).not.toThrow();
});

test.each<[OptionType, string, string]>([
  ['field', '12345678', 'The text is too long. Shorten the text and try again.'],
  ['drop_down', '11,12', notAvailable],
  ['radio', '13', notAvailable],
  ['checkbox', '11,13', notAvailable],
  ['multiple', '11,11', notAvailable],
  ['date', '24.12.2026', noDay],
  ['date', '2026-02-29', noDay],
  ['date', '2026-12-240', noDay],
  ['date_time', '2026-12-24', noTime],
  ['date_time', '18:30', noDay],
  ['time', '24:00', noTime],
  ['time', '12:60', noTime],
  ['time', 'noon', noTime],
  ['file', 'file', 'A cart cannot keep a file. Send the line without it.'],
])('%s: "%s" is refused', (type, sent, said) => {
  const options = [optionOf(7, type, { values, maxCharacters: 7 })];
  expect(() => enteredOptions(options, [{ optionId: '7', optionValue: sent }])).toThrow(said);
  expect(() => requireEntered(options, [{ optionId: 7, optionValue: sent }])).toThrow(notAvailable);
});

test('each fault is told once, a line each', () => {
  const options = [
    optionOf(1, 'field', { isRequire: true }),
    optionOf(2, 'file', { isRequire: true }),
    optionOf(3, 'date'),
  ];
  const refused = () => enteredOptions(options, [{ optionId: '3', optionValue: 'soon' }]);
  expect(refused).toThrow(expect.objectContaining({ status: 400, message: `${notEntered}\n${noDay}` }));
  expect(() => enteredOptions([], [{ optionId: '3', optionValue: '' }])).toThrow(notAvailable);
  expect(enteredOptions([], [])).toEqual([]);
});

test('what must be entered since the line was put in has a sentence of its own', () => {
  const options = [optionOf(1, 'field', { isRequire: true }), optionOf(2, 'field')];
  const said = 'The product has required options. Enter the options and try again.';
  expect(() => requireEntered(options, [{ optionId: 2, optionValue: 'x' }])).toThrow(said);
  expect(() => requireEntered(options, [{ optionId: 3, optionValue: 'x' }])).toThrow(notAvailable);
});
