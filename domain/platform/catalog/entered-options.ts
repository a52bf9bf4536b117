import { invalid } from '../../errors.ts';
import { optionKinds, type CustomOption } from './custom-option.ts';
import { enteredMoment } from './entered-moment.ts';

/** What a customer entered for an option, as a caller sends it. */
export interface SentOption {
  optionId: string;
  optionValue: string;
}

/** The same as a cart keeps it: of a choice the ids of its values, of a date `2026-12-24 00:00:00`, of a time `18:30:00`. */
export interface EnteredOption {
  optionId: number;
  optionValue: string;
}

const notEntered = "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
const notAvailable = 'Some of the selected item options are not currently available.';
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
 * Checks before a sale that a line's options are still those of its product. Refused with 400, in the platform's words: an
 * option that must be entered meanwhile · one that is not offered any more, or not so.
 */
export function requireEntered(options: readonly CustomOption[], entered: readonly EnteredOption[]): void {
  const { faults } = checked(
    options,
    entered.map(({ optionId, optionValue }) => ({ optionId: String(optionId), optionValue })),
  );
  if (faults.some((fault) => fault !== notEntered)) throw invalid(notAvailable);
  if (faults.length > 0) throw invalid('The product has required options. Enter the options and try again.');
}

function checked(options: readonly CustomOption[], sent: readonly SentOption[]) {
  const faults: string[] = [];
  const ids = new Set(options.map(({ optionId }) => String(optionId)));
  const named = new Set(sent.map(({ optionId }) => optionId));
  if (named.size < sent.length || [...named].some((id) => !ids.has(id))) faults.push(notAvailable);
  const entered = options.flatMap((option): EnteredOption[] => {
    const optionId = option.optionId;
    const given = sent.find((one) => one.optionId === String(optionId))?.optionValue ?? '';
    const { value = '', fault } = readValue(option, given);
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

function readValue(option: CustomOption, given: string): Read {
  const text = given.replaceAll('\r\n', '\n').trim();
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
