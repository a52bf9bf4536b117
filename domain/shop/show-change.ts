import type { ShopChange } from './plan-shop.ts';
import { kindNames, type ShopRecord } from './shop-records.ts';

const signs = { add: '+', change: '~', remove: '-' } as const;

/** One line for people: `~ source high_street: city "Troy" → "Albany"`. */
export function showChange({ verb, record, differences }: ShopChange): string {
  const shown = differences
    .filter(({ field, after }) => verb === 'change' || !isPlain(field, after))
    .map(showDifference);
  return `${signs[verb]} ${nameOf(record)}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`;
}

/** A record's name in sentences: `source high_street`. */
export const nameOf = ({ kind, name }: Pick<ShopRecord, 'kind' | 'name'>) => `${kindNames[kind]} ${name}`;

const showDifference = ({ field, before, after }: ShopChange['differences'][number]) =>
  before === undefined ? `${spaced(field)} ${show(after)}` : `${spaced(field)} ${show(before)} → ${show(after)}`;

/** Whether a new record's line can leave a field out: it is empty, or repeats the record's own name. */
const isPlain = (field: string, value: unknown) =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  isEmpty(value) ||
  field === 'path' ||
  field === 'scope';

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const show = (value: unknown) => (value === null || value === undefined ? 'nothing' : JSON.stringify(value));

/** `baseCurrencyCode` as `base currency code`. */
const spaced = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
