import { readSettings } from './configuration/meaning-of-setting.ts';
import { secretPaths } from './configuration/setting-defaults.ts';
import { isOfPlatform, type AttributeScope, type AttributeSettings } from './platform/catalog/product-attributes.ts';

/** A command of its own sets it from a file, because its value names data of this database. */
const logoPath = 'vendor_pos_terminal/receipt/logo';

/** The settings of a shop file: those that the code reads, without secrets and without those of another command. */
export const shopSettings: readonly string[] = readSettings.filter(
  (path) => path !== logoPath && !secretPaths.has(path),
);

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
export type Reply<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** A record by its kind and its name. Absent fields stay as they are. */
export type ShopRecord<Kind extends ShopKind = ShopKind> = Kind extends ShopKind
  ? { kind: Kind; name: string; fields: Reply<ShopFields[Kind]> }
  : never;

/** In the order of creation: a record comes after those it refers to. Removal goes the other way. */
const shopKinds = [
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
const kindNames: Readonly<Record<ShopKind, string>> = {
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

/** One step from the shop as it is to the shop as it is wanted. */
export interface ShopChange {
  verb: 'add' | 'change' | 'remove';
  /** For `remove`: the existing record. */
  record: ShopRecord;
  /** What differs, with old and new value; a new record has no old values. */
  differences: readonly { field: string; before?: unknown; after: unknown }[];
}

export interface ShopPlan {
  changes: readonly ShopChange[];
  /** Existing records that the file does not name. They stay, unless the caller prunes. */
  extras: readonly ShopRecord[];
}

/**
 * The changes that make a shop as wanted. What a wanted record leaves out stays as it is. A pure function; a shop that
 * is already as wanted gives an empty plan.
 *
 * @param stated the kinds that are listed in full: only their missing records are extras
 */
export function planShop(
  current: readonly ShopRecord[],
  requested: readonly ShopRecord[],
  { stated, prunes }: { stated: ReadonlySet<ShopKind>; prunes: boolean },
): ShopPlan {
  const known = new Map(current.map((record) => [keyOf(record), record]));
  const named = new Set(requested.map(keyOf));
  const saves = shopKinds.flatMap((kind) =>
    requested.filter((record) => record.kind === kind).flatMap((record) => saveOf(known.get(keyOf(record)), record)),
  );
  const extras = current
    .filter((record) => stated.has(record.kind) && !named.has(keyOf(record)))
    .filter((record) => !isAlwaysThere(record));
  const removals = prunes
    ? shopKinds
        .toReversed()
        .flatMap((kind) => extras.filter((record) => record.kind === kind))
        .map((record): ShopChange => ({ verb: 'remove', record, differences: [] }))
    : [];
  return { changes: [...saves, ...removals], extras: prunes ? [] : extras };
}

/** The platform never lacks them, so a file need not name them. */
const isAlwaysThere = (record: ShopRecord) =>
  ['source default', 'attributeSet Default'].includes(keyOf(record)) ||
  (record.kind === 'attribute' && isOfPlatform(record.name));

/** The key has the kind, because a website and a source may both be called `base`. */
export const keyOf = ({ kind, name }: Pick<ShopRecord, 'kind' | 'name'>) => `${kind} ${name}`;

function saveOf(current: ShopRecord | undefined, record: ShopRecord): ShopChange[] {
  const before: Readonly<Record<string, unknown>> = current?.fields ?? {};
  const differences = Object.entries(record.fields)
    .filter(([field, after]) => after !== undefined && written(before[field]) !== written(after))
    .map(([field, after]) => ({ field, ...(current ? { before: before[field] } : {}), after }));
  if (!current) return [{ verb: 'add', record, differences }];
  return differences.length === 0 ? [] : [{ verb: 'change', record, differences }];
}

/** Two values are the same when this text is the same; the order of an object's keys does not matter. */
function written(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

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

/** A place has one rate for each class of goods, so these name it: `US-NY class 2`. */
export const taxRateName = ({
  countryId,
  region,
  taxClassId,
}: {
  countryId: string;
  region: string | null;
  taxClassId: number;
}) => `${region === null ? countryId : `${countryId}-${region}`} class ${taxClassId}`;
