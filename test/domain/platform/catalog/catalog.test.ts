import { describe, expect, test } from '@jest/globals';
import { money, zero } from '../../../../domain/money.ts';
import {
  codeOf,
  isAttributeCode,
  groupCodeOf,
  isFixedInSets,
  scopeOf,
} from '../../../../domain/platform/catalog/product-attributes.ts';
import {
  savedOption,
  savedOptions,
  type CustomOption,
  type OptionType,
  type OptionDraft,
} from '../../../../domain/platform/catalog/custom-options.ts';
import {
  missingValue,
  standardValues,
  ownValuesAt,
  valuesIn,
  withValues,
  type AttributeDemand,
} from '../../../../domain/platform/catalog/scoped-values.ts';
import { enteredOptions, requireEntered } from '../../../../domain/platform/catalog/entered-options.ts';
import { skuKey } from '../../../../domain/platform/catalog/tier-rows.ts';

describe('attribute code', () => {
  test.each([
    ['Fabric', 'fabric'],
    ['Shoe size (EU)', 'shoe_size_eu'],
    ['Größe', 'grosse'],
    ['9 lives', 'attr_9_lives'],
    ['A', 'attr_a'],
    ['颜色', 'attr_989c8272'],
    [' ', 'attr_20'],
  ])('a label %j gives the code %s', (label, code) => {
    expect(codeOf(label)).toBe(code);
  });

  test('whatever the label is, its code is permitted', () => {
    for (const label of ['x'.repeat(255), '颜'.repeat(255), '__', '-1', ''])
      expect(isAttributeCode(codeOf(label))).toBe(true);
  });
});

describe('attribute sets', () => {
  test.each([
    ['Product Details', 'product-details'],
    ['Größe & Co.', 'grosse-co'],
    ['颜', '989c'],
  ])('a group called %s has the code %s', (name, code) => {
    expect(groupCodeOf(name)).toBe(code);
  });

  test('what the platform made as a shop would may leave a set', () => {
    expect(['cost', 'color', 'manufacturer', 'price'].map(isFixedInSets)).toEqual([false, false, false, true]);
  });
});

describe('demanded values', () => {
  const demand = (more: Partial<AttributeDemand> = {}): AttributeDemand => ({
    ...{ attributeId: 1, code: 'size', label: 'Size', isRequired: true, isUnique: false, isInSet: true },
    ...{ standard: '', appliesTo: [], ...more },
  });
  const missing = (one: AttributeDemand, values: object, chosen: string[] = []) =>
    missingValue([one], { values: { ...values }, typeId: 'simple', chosen: new Set(chosen) })?.code;

  test.each([
    ['nothing said', {}, 'size'],
    ['an empty text', { size: '' }, 'size'],
    ['an empty list', { size: [] }, 'size'],
    ['zero', { size: 0 }, undefined],
    ['a text', { size: 'S' }, undefined],
  ])('%s is a value or none', (_, values, code) => {
    expect(missing(demand(), values)).toBe(code);
  });

  test('what need not be, has a default, is of another type or is chosen by customers is not missing', () => {
    expect(missing(demand({ isRequired: false }), {})).toBeUndefined();
    expect(missing(demand({ standard: 'M' }), { size: '' })).toBeUndefined();
    expect(missing(demand({ appliesTo: ['virtual'] }), {})).toBeUndefined();
    expect(missing(demand(), {}, ['size'])).toBeUndefined();
  });

  test('a default fills in where nothing is said, in sets that have the attribute', () => {
    const standard = (one: AttributeDemand, given: object) => standardValues([one], { ...given }, 'simple');
    expect(standard(demand({ standard: 'M' }), { size: null })).toEqual({ size: 'M' });
    expect(standard(demand({ standard: 'M' }), { size: '' })).toEqual({});
    expect(standard(demand({ standard: 'M', isInSet: false }), {})).toEqual({});
    expect(standard(demand(), {})).toEqual({});
  });
});

describe('entered options', () => {
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

  const notEntered =
    "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
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
});

describe('save custom options', () => {
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
});

describe('scoped values', () => {
  test.each([
    ['name', 'store'],
    ['url_key', 'store'],
    ['status', 'website'],
    ['special_price', 'website'],
    ['price', 'global'],
    ['barcode', 'global'],
  ])('%s holds per %s', (code, scope) => {
    expect(scopeOf(code)).toBe(scope);
  });

  const given = {
    name: 'Tasse',
    status: 2,
    visibility: 1,
    taxClassId: 5,
    customAttributes: { url_key: 'tasse', special_price: '9', barcode: '1' },
  };

  test('what is saved is divided by where it holds', () => {
    expect(valuesIn('store', given)).toEqual({ name: 'Tasse', visibility: 1, customAttributes: { url_key: 'tasse' } });
    expect(valuesIn('website', given)).toEqual({ status: 2, taxClassId: 5, customAttributes: { special_price: '9' } });
    expect(valuesIn('global', given)).toEqual({ customAttributes: { barcode: '1' } });
  });

  test('a place keeps what is not named, and null takes its own value away', () => {
    const first = withValues({}, 's2', { name: 'Tasse', customAttributes: { url_key: 'tasse' } });
    const second = withValues(first, 's2', { visibility: 1, customAttributes: { meta_title: 'T', url_key: null } });
    expect(second).toEqual({ s2: { name: 'Tasse', visibility: 1, customAttributes: { meta_title: 'T' } } });
    expect(
      withValues({ s2: { customAttributes: { meta_title: 'T' } } }, 's2', { customAttributes: { meta_title: null } }),
    ).toEqual({});
  });

  test('the view’s word goes before the website’s, and a place that says nothing has none', () => {
    const scoped = {
      s2: { name: 'Tasse', customAttributes: { url_key: 'tasse' } },
      w1: { status: 2, customAttributes: { special_price: '9' } },
    };
    expect(ownValuesAt(scoped, { storeId: 2, websiteId: 1 })).toEqual({
      name: 'Tasse',
      status: 2,
      customAttributes: { url_key: 'tasse', special_price: '9' },
    });
    expect(ownValuesAt(scoped, { storeId: 1, websiteId: 1 })).toMatchObject({ status: 2 });
    expect(ownValuesAt(scoped, { storeId: 3, websiteId: 2 })).toBeUndefined();
    expect(ownValuesAt(scoped, { storeId: 0, websiteId: 0 })).toBeUndefined();
  });
});

describe('sku key', () => {
  test.each([
    ['MUG', 'mug'],
    ['CAF\u00C9', 'cafe\u0301'],
    ['\u03A3\u0391\u03A3', '\u03C3\u03B1\u03C3'],
    ['\u0130-1', 'i-1'],
  ])('%s and %s are one SKU', (one, other) => {
    expect(skuKey(one)).toBe(skuKey(other));
  });

  test.each([
    ['MUG', 'MUG '],
    ['cafe', 'caf\u00E9'],
    ['stra\u00DFe', 'strasse'],
  ])('%j and %j are two', (one, other) => {
    expect(skuKey(one)).not.toBe(skuKey(other));
  });
});
