import { fieldRequired, invalid } from '../../errors.ts';
import { unitsPerWhole, zero, type Amount } from '../../money.ts';
import { optionTypeNotFound } from '../../refusals/catalog.ts';
import { noSuchRecord } from '../../refusals/platform.ts';

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

const isOptionType = (type: string): type is OptionType => Object.hasOwn(optionKinds, type);

/** Whether a customer chooses among values. */
export const hasValues = (type: OptionType): boolean => optionKinds[type] === 'select';

/** An amount of money, or a percentage of the product's price. */
const priceTypes = ['fixed', 'percent'] as const;
type PriceType = (typeof priceTypes)[number];

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
 * The options of a product whose whole list is sent: those that are not sent are taken away. One that is sent without
 * an id keeps the id of an option with its title and type, so that a repeat changes nothing (our choice).
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
  if (!option) throw noSuchRecord();
  return option;
}

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
  if (!value) throw noSuchRecord();
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

/** The roles of a product's picture. Each is an attribute with the picture's file (platform facts 9.1). */
export const mediaRoles = ['image', 'small_image', 'thumbnail', 'swatch_image'] as const;
export type MediaRole = (typeof mediaRoles)[number];

/** The attribute's value in a store view that shows no picture, as on the platform. */
export const noSelection = 'no_selection';

/** Values that can differ between store views. */
export interface MediaWords {
  label: string | null;
  position: number;
  disabled: boolean;
}

/** A picture of a product, or of a video. */
export interface MediaEntry extends MediaWords {
  id: number;
  mediaType: 'image' | 'external-video';
  /** The path below the folder of product pictures: `/m/u/mug.jpg`. */
  file: string;
  /** A video's fields, with their keys as on the wire. */
  videoContent?: Record<string, unknown> | undefined;
  /** By store view id. */
  views?: Record<string, Partial<MediaWords>> | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The roles of an entry, from the product's attributes. */
export const rolesOf = ({ file }: Pick<MediaEntry, 'file'>, attributes: Attributes): MediaRole[] =>
  mediaRoles.filter((role) => attributes[role] === file);

/** The gallery with a store view's values, in its order. View 0 has the global values. */
export const galleryAt = (gallery: readonly MediaEntry[], storeId: number): MediaEntry[] =>
  gallery
    .map(({ views, ...entry }) => ({ ...entry, ...views?.[storeId] }))
    .toSorted((one, other) => one.position - other.position || one.id - other.id);

/** Sets values of an entry: the global ones, or those of one store view. */
export function withWords(entry: MediaEntry, words: Partial<MediaWords>, storeId: number): MediaEntry {
  if (storeId === 0) return { ...entry, ...words };
  const own = { ...entry.views?.[storeId], ...words };
  return { ...entry, views: { ...entry.views, [storeId]: own } };
}

/**
 * The attributes that change when an entry gets exactly these roles: the roles it takes and those it loses.
 *
 * @param isOfView true: a store view drops a global role by the value `no_selection`
 */
export function rolesTaken(
  entry: Pick<MediaEntry, 'file'>,
  { wanted, attributes, isOfView }: { wanted: readonly string[]; attributes: Attributes; isOfView: boolean },
): Record<string, string | null> {
  const leftRoles = rolesOf(entry, attributes).filter((role) => !wanted.includes(role));
  const taken = mediaRoles.filter((role) => wanted.includes(role));
  return {
    ...Object.fromEntries(leftRoles.map((role) => [role, isOfView ? noSelection : null])),
    ...Object.fromEntries(taken.map((role) => [role, entry.file])),
  };
}

/** The types of links between products, with the platform's numbers (platform facts 9.1). */
export const linkTypes = { related: 1, crosssell: 5, upsell: 4, associated: 3 } as const;

export type LinkType = keyof typeof linkTypes;

/** A link as its product keeps it, under the keys of its answer. */
export interface ProductLink {
  link_type: LinkType;
  linked_product_sku: string;
  linked_product_type: string;
  position: number;
  extension_attributes?: { qty: number };
}

/** A link as a caller sends it: the linked product's type is its own. */
export interface LinkDraft {
  linkType?: string | undefined;
  linkedProductSku: string;
  position?: number | undefined;
  /** How many pieces belong to a grouped product. */
  qty?: number | undefined;
}

/** Whether there is such a type of links. */
export const isLinkType = (name: string): name is LinkType => Object.hasOwn(linkTypes, name);

/** Refused with: 400 a link without a type · 404 an unknown type. */
export function linkTypeOf({ linkType }: Pick<LinkDraft, 'linkType'>): LinkType {
  if (linkType === undefined) throw fieldRequired('linkType');
  if (!isLinkType(linkType)) throw optionTypeNotFound([linkType]);
  return linkType;
}

/** Whether two links are one: a product is linked once for each type. */
export const isSameLink = (one: ProductLink, other: Pick<ProductLink, 'link_type' | 'linked_product_sku'>): boolean =>
  one.link_type === other.link_type && one.linked_product_sku === other.linked_product_sku;
