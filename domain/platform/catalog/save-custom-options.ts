import { invalid, notFound } from '../../errors.ts';
import { zero, type Amount } from '../../money/amount.ts';
import { unitsPerWhole } from '../../money/fixed-point.ts';
import {
  inOrder,
  isOptionType,
  optionKinds,
  priceTypes,
  type CustomOption,
  type OptionPrice,
  type OptionValue,
  type PriceType,
} from './custom-option.ts';

interface PriceDraft {
  price?: Amount | undefined;
  priceType?: string | undefined;
  sku?: string | null | undefined;
}

export interface OptionValueDraft extends PriceDraft {
  optionTypeId?: number | undefined;
  title?: string | undefined;
  sortOrder?: number | undefined;
}

/** An option as a caller sends it. Where an option is changed, absent fields stay. */
export interface OptionDraft extends PriceDraft {
  optionId?: number | undefined;
  title?: string | undefined;
  type?: string | undefined;
  sortOrder?: number | undefined;
  isRequire?: boolean | undefined;
  maxCharacters?: number | undefined;
  fileExtension?: string | null | undefined;
  imageSizeX?: number | undefined;
  imageSizeY?: number | undefined;
  /** All of them: a value that is not sent is taken away. */
  values?: readonly OptionValueDraft[] | undefined;
}

/** Draws the next id of an option or a value. */
type Draw = () => number;

/** The most an option may cost, and the highest percentage. */
const highestPrice = 99_999_999 * unitsPerWhole;

/**
 * The options of a product whose whole list is sent: those that are not sent are taken away. One that is sent without an
 * id keeps the id of an option with its title and type, so that a repeat changes nothing (our choice).
 *
 * Refused with: 404 an id that is none of the product's · 400 as `savedOption`.
 */
export function savedOptions(known: readonly CustomOption[], drafts: readonly OptionDraft[], draw: Draw) {
  const unnamed = known.filter(({ optionId }) => !drafts.some((draft) => draft.optionId === optionId));
  const saved = drafts.map((draft) => {
    if (draft.optionId !== undefined) return savedOption(optionOf(known, draft.optionId), draft, draw);
    const at = unnamed.findIndex(({ title, type }) => title === draft.title && type === draft.type);
    return savedOption(at < 0 ? undefined : unnamed.splice(at, 1)[0], draft, draw);
  });
  return inOrder(saved);
}

/** Refused with: 404 an id that is none of the product's, in the platform's words. */
export function optionOf(known: readonly CustomOption[], optionId: number): CustomOption {
  const option = known.find((one) => one.optionId === optionId);
  if (!option) throw noSuchPart();
  return option;
}

const noSuchPart = () => notFound('No such entity.');

/**
 * An option after a draft of it is saved. A draft of another kind than the known option starts anew.
 *
 * Refused with 400, in the platform's words: no title, no type or an unknown one, a price type that is none, a price
 * beyond what can be counted, a limit below zero, a choice without values.
 */
export function savedOption(known: CustomOption | undefined, draft: OptionDraft, draw: Draw): CustomOption {
  const type = draft.type ?? known?.type ?? '';
  const title = draft.title ?? known?.title ?? '';
  if (!isOptionType(type) || title === '') throw refused(title, type, true);
  const same = known && optionKinds[known.type] === optionKinds[type] ? known : undefined;
  const kind = optionKinds[type];
  const priced = kind === 'select' ? free : pricedOf(same, draft);
  const limits = limitsOf(same, draft);
  const values = kind === 'select' ? valuesOf(same?.values, draft.values, draw) : [];
  if (!priced || !limits || !values) throw refused(title, type, false);
  return {
    optionId: known?.optionId ?? draw(),
    ...{ title, type },
    sortOrder: draft.sortOrder ?? known?.sortOrder ?? 0,
    isRequire: draft.isRequire ?? known?.isRequire ?? false,
    ...priced,
    maxCharacters: kind === 'text' ? limits.maxCharacters : 0,
    fileExtension: kind === 'file' ? limits.fileExtension : null,
    imageSizeX: kind === 'file' ? limits.imageSizeX : 0,
    imageSizeY: kind === 'file' ? limits.imageSizeY : 0,
    values,
  };
}

const free: OptionPrice = { price: zero, priceType: 'fixed', sku: null };

/** Several faults are told in one message, a line each, as the platform does. */
function refused(title: string, type: string, isHead: boolean) {
  const faults = [
    ...(title === '' || type === '' ? ['Missed values for option required fields'] : []),
    ...(isOptionType(type) ? [] : ['Invalid option type']),
    ...(isHead ? [] : ['Invalid option value']),
  ];
  return invalid(faults.join('\n'));
}

/** Undefined: it is no price. */
function pricedOf(known: OptionPrice | undefined, draft: PriceDraft): OptionPrice | undefined {
  const price = draft.price ?? known?.price ?? zero;
  const priceType = draft.priceType ?? known?.priceType;
  if (!isPriceType(priceType) || Math.abs(price) > highestPrice) return undefined;
  return { price, priceType, sku: (draft.sku === undefined ? known?.sku : draft.sku) || null };
}

const isPriceType = (type: string | undefined): type is PriceType => priceTypes.some((one) => one === type);

function limitsOf(known: CustomOption | undefined, draft: OptionDraft) {
  const maxCharacters = draft.maxCharacters ?? known?.maxCharacters ?? 0;
  const imageSizeX = draft.imageSizeX ?? known?.imageSizeX ?? 0;
  const imageSizeY = draft.imageSizeY ?? known?.imageSizeY ?? 0;
  if (Math.min(maxCharacters, imageSizeX, imageSizeY) < 0) return undefined;
  const fileExtension = (draft.fileExtension === undefined ? known?.fileExtension : draft.fileExtension) || null;
  return { maxCharacters, imageSizeX, imageSizeY, fileExtension };
}

/** Undefined: there is none, or one is none. */
function valuesOf(
  known: readonly OptionValue[] = [],
  drafts: readonly OptionValueDraft[] | undefined,
  draw: Draw,
): OptionValue[] | undefined {
  if (!drafts) return known.length === 0 ? undefined : [...known];
  const left = known.filter(({ optionTypeId }) => !drafts.some((draft) => draft.optionTypeId === optionTypeId));
  const values = drafts.flatMap((draft) => valueOf(knownValue(known, left, draft), draft, draw) ?? []);
  return values.length === 0 || values.length < drafts.length ? undefined : inOrder(values);
}

/** The value of the draft's id, else the first of its title that no draft names. Refused with: 404 an unknown id. */
function knownValue(known: readonly OptionValue[], left: OptionValue[], draft: OptionValueDraft) {
  if (draft.optionTypeId === undefined) {
    const at = left.findIndex(({ title }) => title === draft.title);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  }
  const value = known.find(({ optionTypeId }) => optionTypeId === draft.optionTypeId);
  if (!value) throw noSuchPart();
  return value;
}

/** A value without price and price type is free, as on the platform. */
function valueOf(known: OptionValue | undefined, draft: OptionValueDraft, draw: Draw): OptionValue | undefined {
  const title = draft.title ?? known?.title ?? '';
  const isFree = !draft.price && !draft.priceType;
  const priced = pricedOf(known, isFree && !known ? { ...draft, priceType: 'fixed' } : draft);
  if (title === '' || !priced) return undefined;
  const sortOrder = draft.sortOrder ?? known?.sortOrder ?? 0;
  return { optionTypeId: known?.optionTypeId ?? draw(), title, sortOrder, ...priced };
}
