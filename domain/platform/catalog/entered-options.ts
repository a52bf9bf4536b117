import { isCalendarDay } from '../../calendar-day.ts';
import { invalid } from '../../errors.ts';
import { productHasRequiredOptions, someOptionsNotAvailable } from '../../refusals/catalog.ts';
import { hasValues, optionKinds, type CustomOption, type OptionPrice, type OptionType } from './custom-options.ts';

const dayText = /^(\d{4})-(\d{2})-(\d{2})(?:$|[ T])/;
const timeText = /(?:^|[ T])(\d{2}):(\d{2})(?::(\d{2}))?$/;

const noDay = 'Please specify date required option(s).';
const noTime = 'Please specify time required option(s).';

/**
 * Reads a day, a time or both as the platform keeps them: `2026-12-24 00:00:00`. A value that was shown and comes back,
 * `12/24/2026,2026-12-24 00:00:00`, is read by its second part. Of a time alone no day is kept (our choice): the same
 * time tomorrow is the same wish.
 *
 * @returns the value, or the platform's words for what is wrong
 */
function enteredMoment(type: OptionType, input: string): { value?: string; fault?: string } {
  const text = input.slice(input.lastIndexOf(',') + 1).trim();
  const day = type === 'time' ? '' : readDay(text);
  const time = type === 'date' ? '00:00:00' : readTime(text);
  if (day === undefined) return { fault: noDay };
  if (time === undefined) return { fault: noTime };
  return { value: `${day} ${time}`.trim() };
}

function readDay(text: string): string | undefined {
  const [, year, month, day] = dayText.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  return isCalendarDay(written) ? written : undefined;
}

function readTime(text: string): string | undefined {
  const [, hours, minutes, seconds = '00'] = timeText.exec(text) ?? [];
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
    ? `${hours}:${minutes}:${seconds}`
    : undefined;
}

/** What a customer entered for an option, as a caller sends it. */
export interface SentOption {
  optionId: string;
  optionValue: string;
}

/**
 * The same as a cart keeps it: of a choice the ids of its values, of a date `2026-12-24 00:00:00`, of a time
 * `18:30:00`.
 */
export interface EnteredOption {
  optionId: number;
  optionValue: string;
}

const notEntered = "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
const notAvailable = someOptionsNotAvailable.message;
const tooLong = 'The text is too long. Shorten the text and try again.';
const noFile = 'A cart cannot keep a file. Send the line without it.';

/**
 * Checks what was entered for the options of a product, and gives it in the options' order (platform facts 11).
 *
 * Refused with 400, in the platform's words, each fault a line of the message: a required option without a value · an
 * option or a value that the product does not have · one that is sent twice · a text that is too long · a day or a time
 * that is none. A file is refused too: carts keep none (our choice).
 */
export function enteredOptions(options: readonly CustomOption[], sent: readonly SentOption[]): EnteredOption[] {
  const { entered, faults } = checked(options, sent);
  if (faults.length > 0) throw invalid([...new Set(faults)].join('\n'));
  return entered;
}

/**
 * Checks before a sale that a line's options are still those of its product. Refused with 400, in the platform's words:
 * an option that must be entered meanwhile · one that is not offered any more, or not so.
 */
export function requireEntered(options: readonly CustomOption[], entered: readonly EnteredOption[]): void {
  const { faults } = checked(
    options,
    entered.map(({ optionId, optionValue }) => ({ optionId: String(optionId), optionValue })),
  );
  if (faults.some((fault) => fault !== notEntered)) throw someOptionsNotAvailable();
  if (faults.length > 0) throw productHasRequiredOptions();
}

function checked(options: readonly CustomOption[], sent: readonly SentOption[]) {
  const faults: string[] = [];
  const ids = new Set(options.map(({ optionId }) => String(optionId)));
  const named = new Set(sent.map(({ optionId }) => optionId));
  if (named.size < sent.length || [...named].some((id) => !ids.has(id))) faults.push(notAvailable);
  const entered = options.flatMap((option): EnteredOption[] => {
    const optionId = option.optionId;
    const input = sent.find((one) => one.optionId === String(optionId))?.optionValue ?? '';
    const { value = '', fault } = readValue(option, input);
    const wrong = fault ?? (value === '' && option.isRequire ? notEntered : undefined);
    if (wrong !== undefined) faults.push(wrong);
    return value === '' ? [] : [{ optionId, optionValue: value }];
  });
  return { entered, faults };
}

/** No value: nothing was entered. */
interface Read {
  value?: string;
  fault?: string;
}

function readValue(option: CustomOption, input: string): Read {
  const text = input.replaceAll('\r\n', '\n').trim();
  if (text === '') return {};
  switch (optionKinds[option.type]) {
    case 'text':
      return option.maxCharacters > 0 && Array.from(text).length > option.maxCharacters
        ? { fault: tooLong }
        : { value: text };
    case 'select':
      return readChoice(option, text);
    case 'date':
      return enteredMoment(option.type, text);
    case 'file':
      return { fault: noFile };
  }
}

/** The ids are kept in ascending order, so that the same choice is the same line. */
function readChoice({ type, values }: CustomOption, text: string): Read {
  const isSingle = type === 'drop_down' || type === 'radio';
  const chosen = isSingle ? [text] : text.split(',').map((id) => id.trim());
  const ids = values.map(({ optionTypeId }) => optionTypeId).filter((id) => chosen.includes(String(id)));
  if (ids.length < chosen.length) return { fault: notAvailable };
  return { value: ids.toSorted((one, other) => one - other).join(',') };
}

/** What a customer chooses of a configurable product: a value of one option, such as the size M. Pure. */
export interface ChosenOption {
  /** The attribute of the option, by its id or its code. */
  optionId: string;
  optionValue: number;
}

/** An option among which a customer chooses. */
export interface OfferedOption {
  attributeId: number;
  attributeCode: string;
  label: string;
}

/** A choice as it is kept: the attribute by its id. */
export interface StoredChoice extends ChosenOption {
  label: string;
}

/**
 * One choice for each option, in the options' order. Undefined: one is missing, one is made twice, or one is of no
 * option of the product.
 */
export function choicesOf(
  options: readonly OfferedOption[],
  chosen: readonly ChosenOption[],
): StoredChoice[] | undefined {
  if (options.length === 0 || chosen.length !== options.length) return undefined;
  const choices = options.flatMap(({ attributeId, attributeCode, label }) => {
    const one = chosen.find(({ optionId }) => optionId === String(attributeId) || optionId === attributeCode);
    return one === undefined ? [] : [{ optionId: String(attributeId), optionValue: one.optionValue, label }];
  });
  return choices.length === options.length ? choices : undefined;
}

/** The choices of a line, under their wire names. */
export const optionsChosen = (choices: readonly StoredChoice[]) => ({
  configurable_item_options: choices.map(({ optionId, optionValue }) => ({
    option_id: optionId,
    option_value: optionValue,
  })),
});

/** The options of a product, with what was entered for them. What the product no longer has counts for nothing. */
export interface WithOptions {
  options: readonly CustomOption[];
  entered: readonly EnteredOption[];
}

/** The SKU on the line: the product's, then those of its options, as on the platform. */
export const skuWithOptions = (sku: string, line: WithOptions): string =>
  [sku, ...chosenParts(line).flatMap(({ part }) => part.sku ?? [])].join('-').slice(0, longestSku);

const longestSku = 255;

/** For people: the name of an option, and what was entered. */
export interface ShownOption {
  label: string;
  value: string;
}

/** What was entered for a line, for people. */
export const shownOptions = (line: WithOptions): ShownOption[] =>
  line.entered.flatMap(({ optionId, optionValue }) => {
    const option = line.options.find((one) => one.optionId === optionId);
    if (!option) return [];
    const names = chosenParts({ ...line, entered: [{ optionId, optionValue }] }).flatMap(({ title }) => title ?? []);
    return [{ label: option.title, value: hasValues(option.type) ? names.join(', ') : optionValue }];
  });

interface ChosenPart {
  part: OptionPrice;
  /** Of a value. */
  title?: string;
}

/** What counts for price and SKU: the option itself, or of a choice each of its chosen values. */
export function chosenParts({ options, entered }: WithOptions): ChosenPart[] {
  return entered.flatMap(({ optionId, optionValue }): ChosenPart[] => {
    const option = options.find((one) => one.optionId === optionId);
    if (!option) return [];
    if (!hasValues(option.type)) return [{ part: option }];
    const chosen = optionValue.split(',');
    return option.values
      .filter(({ optionTypeId }) => chosen.includes(String(optionTypeId)))
      .map((value) => ({ part: value, title: value.title }));
  });
}

/** The choices of a configurable product, such as its sizes, under their wire names (platform facts 9.1). Pure. */
export interface ConfigurableOption {
  /** One of its product's. */
  id: number;
  /** An attribute's id, or its code. */
  attribute_id: string;
  label: string;
  position: number;
  product_id: number;
  values: { value_index: number }[];
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const numberOf = (value: unknown) => (Number.isInteger(Number(textOf(value))) ? Number(textOf(value)) : 0);

/** Reads what is stored of a product. A row that came without an id gets the next one of its product. */
export function configurableOptions(rows: unknown, productId: number): ConfigurableOption[] {
  const input = Array.isArray(rows) ? rows.map(record) : [];
  let last = Math.max(0, ...input.map(({ id }) => numberOf(id)));
  return input.map(({ id, attribute_id, label, position, values }) => ({
    id: numberOf(id) || ++last,
    attribute_id: textOf(attribute_id),
    label: textOf(label),
    position: numberOf(position),
    product_id: productId,
    values: (Array.isArray(values) ? values : []).map((value) => ({
      value_index: numberOf(record(value)['value_index']),
    })),
  }));
}

/** The ids of a configurable product's children, as they are stored. */
export const childIds = (links: unknown): number[] => (Array.isArray(links) ? links.map(numberOf) : []);

/** More goods than one call may describe. */
export const mostVariations = 1_000;

/** Every combination of values, one of each option; undefined: more than one call may describe. */
export function combinationsOf(
  options: readonly Pick<ConfigurableOption, 'attribute_id' | 'values'>[],
): { attribute_id: string; value_index: number }[][] | undefined {
  const total = options.reduce((product, { values }) => product * values.length, 1);
  if (total > mostVariations) return undefined;
  return options.reduce<{ attribute_id: string; value_index: number }[][]>(
    (found, { attribute_id, values }) =>
      found.flatMap((one) => values.map(({ value_index }) => [...one, { attribute_id, value_index }])),
    [[]],
  );
}
