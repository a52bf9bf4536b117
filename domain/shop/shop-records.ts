import type { AttributeSettings } from '../platform/catalog/attribute-settings.ts';
import type { AttributeScope } from '../platform/catalog/product-attributes.ts';

/**
 * The records that make a shop before it sells: each kind with its fields. They refer to each other by name, not by id.
 */
export interface ShopFields {
  website: {
    name: string;
    baseCurrencyCode: string;
    timeZone: string;
    isDefault: boolean;
    /** The group whose default store view the website uses. */
    defaultGroup: string | null;
  };
  storeGroup: { website: string; name: string; rootCategoryId: number; defaultView: string | null };
  storeView: {
    website: string;
    group: string;
    name: string;
    isActive: boolean;
    currencyCode: string;
    /** The value of one unit of the website's base currency in the view's currency, as a decimal. */
    currencyRate: string;
    locale: string;
    sortOrder: number;
  };
  source: PlaceFields & {
    name: string;
    isEnabled: boolean;
    email: string | null;
    contactName: string | null;
  };
  /** The sources in the order in which they sell. */
  stock: { websites: readonly string[]; sources: readonly string[] };
  /** In percent, as a decimal. Region null: the whole country. */
  taxRate: { code: string; taxClassId: number; countryId: string; region: string | null; percent: string };
  customerGroup: { taxClassId: number };
  attribute: {
    /** One of the platform's has neither; nor are its scope and its demands the shop's. */
    input: string;
    label: string;
    /** By the codes of store views. */
    labels: Readonly<Record<string, string>>;
    scope: AttributeScope;
    isRequired: boolean;
    isUnique: boolean;
    /** Without the default of a choice. */
    settings: AttributeSettings;
    /** All of them, in their order. */
    options: readonly { label: string; labels: Readonly<Record<string, string>> }[];
    /** The labels of the options that a new product has. */
    defaults: readonly string[];
  };
  attributeSet: {
    sortOrder: number;
    /** All of them, each with all of its attributes, in their order. */
    groups: readonly { code: string; name: string; sortOrder: number; attributes: readonly string[] }[];
  };
  /** The scope as text: `default`, `website base`, `store view ca`. */
  setting: { scope: string; path: string; value: string };
  role: { permissions: readonly string[]; isActive: boolean };
  location: PlaceFields & {
    name: string;
    website: string | null;
    storeView: string | null;
    source: string | null;
    damagedSource: string | null;
    isActive: boolean;
    vatNumber: string | null;
    paymentMethods: string | null;
    receiptHeader: string | null;
    receiptFooter: string | null;
    /** More settings of the location, by the keys of the configuration that registers get. */
    configOverrides: Readonly<Record<string, unknown>>;
  };
  terminal: { location: string; isActive: boolean; configOverrides: Readonly<Record<string, unknown>> };
  /** Somebody at the registers, by e-mail address; a passcode is given apart. */
  staff: {
    firstName: string;
    lastName: string;
    role: string;
    /** By their codes, in alphabetical order. */
    locations: readonly string[];
    allLocations: boolean;
    isActive: boolean;
  };
  administrator: {
    email: string;
    firstName: string;
    lastName: string;
    resources: readonly string[];
    isActive: boolean;
  };
}

/** An address. The region is a code of the directory, or a name that the directory does not have. */
export interface PlaceFields {
  countryId: string | null;
  region: string | null;
  city: string | null;
  street: string | null;
  postcode: string | null;
  phone: string | null;
}

export type ShopKind = keyof ShopFields;

/** Some fields of a record; absent ones stay as they are. */
export type Said<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** A record by its kind and its name. Absent fields stay as they are. */
export type ShopRecord<Kind extends ShopKind = ShopKind> = Kind extends ShopKind
  ? { kind: Kind; name: string; fields: Said<ShopFields[Kind]> }
  : never;

/** In the order of creation: a record comes after those it refers to. Removal goes the other way. */
export const shopKinds = [
  'website',
  'storeGroup',
  'storeView',
  'source',
  'stock',
  'taxRate',
  'customerGroup',
  'attribute',
  'attributeSet',
  'setting',
  'role',
  'location',
  'terminal',
  'staff',
  'administrator',
] as const satisfies readonly ShopKind[];

/** A kind's name in sentences. */
export const kindNames: Readonly<Record<ShopKind, string>> = {
  website: 'website',
  storeGroup: 'store group',
  storeView: 'store view',
  source: 'source',
  stock: 'stock',
  taxRate: 'tax rate',
  customerGroup: 'customer group',
  attribute: 'attribute',
  attributeSet: 'attribute set',
  setting: 'setting',
  role: 'role',
  location: 'location',
  terminal: 'terminal',
  staff: 'staff',
  administrator: 'administrator',
};
