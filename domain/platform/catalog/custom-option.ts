import type { Amount } from '../../money/amount.ts';

/** What a customer enters or chooses beside a product, such as an engraving (platform facts 9.1). Pure. */

/** How an option is entered, with the kind that decides what of it is kept. */
export const optionKinds = {
  field: 'text',
  area: 'text',
  file: 'file',
  drop_down: 'select',
  radio: 'select',
  checkbox: 'select',
  multiple: 'select',
  date: 'date',
  date_time: 'date',
  time: 'date',
} as const;

export type OptionType = keyof typeof optionKinds;

export const isOptionType = (type: string): type is OptionType => Object.hasOwn(optionKinds, type);

/** Whether a customer chooses among values. */
export const hasValues = (type: OptionType): boolean => optionKinds[type] === 'select';

/** An amount of money, or a percentage of the product's price. */
export const priceTypes = ['fixed', 'percent'] as const;
export type PriceType = (typeof priceTypes)[number];

/** What an option, or one of its values, adds to the product. */
export interface OptionPrice {
  /** In base currency, or in 1/10 000 of a percent. It may be below zero. */
  price: Amount;
  priceType: PriceType;
  /** Follows the product's SKU on the line. */
  sku: string | null;
}

/** A value among which a customer chooses. */
export interface OptionValue extends OptionPrice {
  optionTypeId: number;
  title: string;
  sortOrder: number;
}

/** An option as a product keeps it, in the order in which a customer sees them. */
export interface CustomOption extends OptionPrice {
  optionId: number;
  title: string;
  type: OptionType;
  sortOrder: number;
  isRequire: boolean;
  /** Of a text; 0: no limit. */
  maxCharacters: number;
  /** Of a file. */
  fileExtension: string | null;
  imageSizeX: number;
  imageSizeY: number;
  /** Of a choice: its price and SKU are those of its values. */
  values: readonly OptionValue[];
}

/** As a customer sees them: by their place, then by title, as on the platform. */
export const inOrder = <One extends { sortOrder: number; title: string }>(list: readonly One[]): One[] =>
  list.toSorted(
    (one, other) => one.sortOrder - other.sortOrder || (one.title < other.title ? -1 : Number(one.title > other.title)),
  );
