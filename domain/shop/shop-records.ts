/** What a shop is made of before it sells: each kind with what can be said of it. Names stand for ids everywhere. */
export interface ShopFields {
  website: {
    name: string;
    baseCurrencyCode: string;
    timeZone: string;
    isDefault: boolean;
    /** The group whose default view answers for the website. */
    defaultGroup: string | null;
  };
  storeGroup: { website: string; name: string; rootCategoryId: number; defaultView: string | null };
  storeView: {
    website: string;
    group: string;
    name: string;
    isActive: boolean;
    currencyCode: string;
    /** One unit of the website's base currency in the view's currency, as a decimal. */
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
  /** The scope as it is written: `default`, `website base`, `store view ca`. */
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
    /** Further settings of its own, by the keys of the configuration that registers get. */
    configOverrides: Readonly<Record<string, unknown>>;
  };
  terminal: { location: string; isActive: boolean; configOverrides: Readonly<Record<string, unknown>> };
  administrator: {
    email: string;
    firstName: string;
    lastName: string;
    resources: readonly string[];
    isActive: boolean;
  };
}

/** An address. The region is a code of the directory, or a name where the directory has none. */
export interface PlaceFields {
  countryId: string | null;
  region: string | null;
  city: string | null;
  street: string | null;
  postcode: string | null;
  phone: string | null;
}

export type ShopKind = keyof ShopFields;

/** What is said of a thing; what is not stays as it is. */
export type Said<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** One thing of the shop, by its kind and its name. What is left out of the fields is not said. */
export type ShopRecord<Kind extends ShopKind = ShopKind> = Kind extends ShopKind
  ? { kind: Kind; name: string; fields: Said<ShopFields[Kind]> }
  : never;

/** In this order they are made: what is named stands before what names it. They are removed the other way round. */
export const shopKinds = [
  'website',
  'storeGroup',
  'storeView',
  'source',
  'stock',
  'taxRate',
  'customerGroup',
  'setting',
  'role',
  'location',
  'terminal',
  'administrator',
] as const satisfies readonly ShopKind[];

/** As a sentence names a kind. */
export const kindNames: Readonly<Record<ShopKind, string>> = {
  website: 'website',
  storeGroup: 'store group',
  storeView: 'store view',
  source: 'source',
  stock: 'stock',
  taxRate: 'tax rate',
  customerGroup: 'customer group',
  setting: 'setting',
  role: 'role',
  location: 'location',
  terminal: 'terminal',
  administrator: 'administrator',
};
