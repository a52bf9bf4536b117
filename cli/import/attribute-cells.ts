import { invalid } from '../../domain/errors.ts';
import { readDayAndTime } from '../../domain/calendar-day.ts';
import { countries, countryNames, findCountry } from '../../domain/platform/directory/countries.ts';
import { isCutOff, typedValue } from '../../domain/platform/catalog/typed-values.ts';
import { wrongCell, type DayOrder } from './import-kind.ts';
import type { AttributeFacts } from './shop-facts.ts';

/** What the platform's import takes for "no value". */
const emptied = '__EMPTY__VALUE__';

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  visibility: { 'not visible individually': '1', catalog: '2', search: '3', 'catalog, search': '4' },
  status: { enabled: '1', disabled: '2' },
  gift_message_available: { no: '0', yes: '1', 'use config': '2' },
};

/**
 * A cell as the attribute keeps it: people write labels, names of countries and days, where callers send ids, codes and
 * `2030-12-31`. Refused with 400: what the attribute cannot have.
 */
export function attributeValue(facts: Facts, text: string, dates?: DayOrder): unknown {
  if (text === emptied) return null;
  const value = meant(facts, text, dates);
  if (typedValue(facts, value) !== undefined) return value;
  throw isCutOff(facts.code, text) ? digitsCutOff(facts.code, text) : wrongCell(facts.code, text);
}

type Facts = Pick<AttributeFacts, 'code' | 'input' | 'options'>;

/** A spreadsheet shows a long number as `1.23457E+12` and exports what it shows. */
export const digitsCutOff = (column: string, text: string) =>
  invalid(
    '%1 cannot be "%2": a spreadsheet cut its digits off. Give the column the format "text" and export it anew.',
    [column, text],
  );

function meant({ code, input, options }: Facts, text: string, dates: DayOrder | undefined): unknown {
  const word = words[code]?.[text.toLowerCase()];
  if (word !== undefined) return word;
  if (code === 'country_of_manufacture') return countryId(text) ?? text;
  if (input === 'date' || input === 'datetime') return dayOf(code, text, dates);
  if (input !== 'select' && input !== 'multiselect') return text;
  const whole = optionId(options, text);
  if (whole !== undefined) return whole;
  if (options.length === 0) return text;
  if (input === 'select') throw wrongCell(code, text);
  return text.split(text.includes('|') ? '|' : ',').map((one) => {
    const id = optionId(options, one.trim());
    if (id === undefined) throw wrongCell(code, one.trim());
    return id;
  });
}

/** By its label before its id: an option may be called `12`. */
const optionId = (options: AttributeFacts['options'], text: string) =>
  options.find(({ label }) => label.toUpperCase() === text.toUpperCase())?.id ??
  options.find(({ id }) => id === text)?.id;

/** Refused with 400: what is no day, or may be two. */
export function dayOf(column: string, text: string, dates?: DayOrder): string {
  const read = readDayAndTime(dates ? inOrder(text, dates) : text);
  if (read === undefined) throw invalid('%1 cannot be "%2". Write a day as 2030-12-31.', [column, text]);
  return read;
}

/** `12/31/30, 12:00 AM` and `31.12.2030` by the order of their parts; the time of a day has no meaning. */
function inOrder(text: string, dates: DayOrder): string {
  const [, first = '', second = '', year = ''] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:,? .{1,20})?$/.exec(text) ?? [];
  if (year === '') return text;
  const [month, day] = dates === 'mdy' ? [first, second] : [second, first];
  const whole = year.length === 4 ? year : Number(year) < 70 ? `20${year}` : `19${year}`;
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const names = new Map<string, string>();

/** A country by its code in any case of letters, its three letters, or its name in English. */
export function countryId(text: string): string | undefined {
  const id = text.toUpperCase();
  if (findCountry(id)) return id;
  if (names.size === 0) {
    const nameOf = countryNames('en-US');
    for (const { id: two, threeLetters } of countries) names.set(nameOf(two).toUpperCase(), two).set(threeLetters, two);
  }
  return names.get(id);
}

/**
 * The platform's column of further attributes: `size=M,color=Red|Blue`. A comma within a value stays where no code follows;
 * parts may stand in quotes. Refused with 400: a part without a code.
 */
export function additionalAttributes(text: string): [code: string, value: string][] {
  const parts = text.startsWith('"') ? quotedParts(text) : text.split(/,(?=[a-z][a-z0-9_]{0,59}=)/);
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, code = '', value = ''] = /^([a-z][a-z0-9_]{0,59})=([^]*)$/.exec(part.trim()) ?? [];
      if (code === '') throw wrongCell('additional_attributes', text.slice(0, 200));
      return [code, value.trim()];
    });
}

const quotedParts = (text: string) =>
  [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, part = '']) => part.replaceAll('""', '"'));
