import { readFileSync, statSync } from 'node:fs';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { definedFields } from '../../db/support/defined-fields.ts';
import { allowedInstead } from '../../domain/configuration/resolvables.ts';
import { invalid } from '../../domain/errors.ts';
import { groupCodeOf } from '../../domain/platform/catalog/product-attributes.ts';
import { taxRateName, type ShopKind, type ShopRecord } from '../../domain/shop.ts';
import { templateProblem } from '../../providers/receipts/check-template.ts';
import { shopFile, type ShopFile } from './shop-file.ts';

/**
 * The kinds that a section lists in full. Administrators and staff are not among them, so that no file takes their
 * access away.
 */
const sections: Readonly<Partial<Record<keyof ShopFile, readonly ShopKind[]>>> = {
  websites: ['website', 'storeGroup', 'storeView'],
  sources: ['source'],
  stocks: ['stock'],
  taxRates: ['taxRate'],
  customerGroups: ['customerGroup'],
  attributes: ['attribute'],
  attributeSets: ['attributeSet'],
  settings: ['setting'],
  roles: ['role'],
  locations: ['location', 'terminal'],
};

/** The records of a shop file, and the kinds that it lists in full. */
function recordsOf(file: ShopFile): { records: ShopRecord[]; stated: ReadonlySet<ShopKind> } {
  const stated = Object.entries(sections).flatMap(([section, kinds]) =>
    Object.hasOwn(file, section) ? (kinds ?? []) : [],
  );
  return {
    stated: new Set(stated),
    records: [
      ...storesOf(file),
      ...sellingOf(file),
      ...catalogOf(file),
      ...settingsOf(file),
      ...placesOf(file),
      ...(file.staff ?? []).map(({ email, locations, ...fields }): ShopRecord => ({
        kind: 'staff',
        name: email,
        fields: { ...fields, ...(locations ? { locations: locations.toSorted() } : {}) },
      })),
      ...(file.administrators ?? []).map(({ username, resources, ...fields }): ShopRecord => ({
        kind: 'administrator',
        name: username,
        fields: { ...fields, ...(resources ? { resources: resources.toSorted() } : {}) },
      })),
    ],
  };
}

const storesOf = ({ websites = [] }: ShopFile): ShopRecord[] =>
  websites.flatMap(({ code: website, groups, ...fields }): ShopRecord[] => [
    {
      kind: 'website',
      name: website,
      fields: { ...fields, defaultGroup: fields.defaultGroup ?? groups[0]?.code ?? null },
    },
    ...groups.flatMap(({ code: group, views, ...own }): ShopRecord[] => [
      {
        kind: 'storeGroup',
        name: group,
        fields: { ...own, website, defaultView: own.defaultView ?? views[0]?.code ?? null },
      },
      ...views.map(({ code, ...view }): ShopRecord => ({
        kind: 'storeView',
        name: code,
        fields: { ...view, website, group },
      })),
    ]),
  ]);

const sellingOf = ({ sources = [], stocks = [], taxRates = [], customerGroups = [] }: ShopFile): ShopRecord[] => [
  ...sources.map(({ code, ...fields }): ShopRecord => ({ kind: 'source', name: code, fields })),
  ...stocks.map(({ name, websites, sources: codes }): ShopRecord => ({
    kind: 'stock',
    name,
    fields: { websites: websites.toSorted(), sources: codes },
  })),
  ...taxRates.map(({ region = null, ...rate }): ShopRecord => ({
    kind: 'taxRate',
    name: taxRateName({ ...rate, region }),
    fields: { ...rate, region },
  })),
  ...customerGroups.map(({ code, ...fields }): ShopRecord => ({ kind: 'customerGroup', name: code, fields })),
];

const catalogOf = ({ attributes = [], attributeSets = [] }: ShopFile): ShopRecord[] => [
  ...attributes.map(({ code, options, settings, ...fields }): ShopRecord => ({
    kind: 'attribute',
    name: code,
    fields: {
      ...fields,
      ...(settings ? { settings: definedFields(settings) } : {}),
      ...(options ? { options: options.map(({ label, labels = {} }) => ({ label, labels })) } : {}),
    },
  })),
  ...attributeSets.map(({ name, groups, ...fields }): ShopRecord => ({
    kind: 'attributeSet',
    name,
    fields: {
      ...fields,
      ...(groups
        ? {
            groups: groups.map(({ code, sortOrder = 0, ...group }) => ({
              ...group,
              sortOrder,
              code: code ?? groupCodeOf(group.name),
            })),
          }
        : {}),
    },
  })),
];

function settingsOf({ settings = {} }: ShopFile): ShopRecord[] {
  const scopes = [
    ['default', settings.default ?? {}] as const,
    ...Object.entries(settings.websites ?? {}).map(([code, own]) => [`website ${code}`, own] as const),
    ...Object.entries(settings.storeViews ?? {}).map(([code, own]) => [`store view ${code}`, own] as const),
  ];
  return scopes.flatMap(([scope, own]) =>
    Object.entries(own).flatMap(([path, value]): ShopRecord[] =>
      value === undefined ? [] : [{ kind: 'setting', name: `${scope} ${path}`, fields: { scope, path, value } }],
    ),
  );
}

const placesOf = ({ roles = [], locations = [] }: ShopFile): ShopRecord[] => [
  ...roles.map(({ name, permissions, ...fields }): ShopRecord => ({
    kind: 'role',
    name,
    fields: { ...fields, permissions: permissions.toSorted() },
  })),
  ...locations.flatMap(({ code, terminals = [], ...fields }): ShopRecord[] => [
    { kind: 'location', name: code, fields },
    ...terminals.map(({ name, ...own }): ShopRecord => ({
      kind: 'terminal',
      name,
      fields: { ...own, location: code },
    })),
  ]),
];

/** More than a shop with ten thousand locations needs. */
const mostBytes = 10_000_000;
/** The most faults in one message. */
const mostNamed = 20;

const templatePath = 'vendor_pos_terminal/receipt/template';

/**
 * Reads a shop file in YAML or JSON. Refused with 400 and every fault with its line: a file that cannot be read, an
 * unknown key, a value that its key does not take.
 */
export function readShopFile(file: string): ReturnType<typeof recordsOf> {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines });
  const [wrong] = document.errors;
  if (wrong) throw invalid('%1 is neither YAML nor JSON: %2', [file, wrong.message]);
  const parsed = shopFile.safeParse(document.toJS() ?? {}, { reportInput: true });
  if (!parsed.success)
    throw faults(
      file,
      parsed.error.issues.flatMap((issue) => describeIssue(issue, { document, lines })),
    );
  const read = recordsOf(parsed.data);
  const unset = read.records.flatMap(settingFault);
  if (unset.length > 0) throw faults(file, unset);
  return read;
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid('"%1" cannot be read: %2', [file, error instanceof Error ? error.message : String(error)]);
  }
}

const faults = (file: string, found: readonly string[]) =>
  invalid('%1 cannot be applied; nothing was changed: %2.', [
    file,
    [...found.slice(0, mostNamed), ...(found.length > mostNamed ? [`and ${found.length - mostNamed} more`] : [])].join(
      '; ',
    ),
  ]);

interface Read {
  document: Document;
  lines: LineCounter;
}

function describeIssue(issue: z.core.$ZodIssue, read: Read): string[] {
  const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
  return keys.map((key) => {
    const path = key === undefined ? issue.path : [...issue.path, key];
    const what = key === undefined ? issue.message : 'is no key of a shop file';
    return `line ${lineOf(path, read)}: ${path.map(String).join(' › ') || 'the file'}: ${what}`;
  });
}

/** The line of the value, or of its parent when the value is missing. */
function lineOf(path: readonly PropertyKey[], { document, lines }: Read): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    const range: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'range') : undefined;
    if (Array.isArray(range)) return lines.linePos(Number(range[0])).line;
  }
  return 1;
}

function settingFault(record: ShopRecord): string[] {
  if (record.kind !== 'setting') return [];
  const { path = '', value = '', scope = '' } = record.fields;
  const allowed = allowedInstead(path, value);
  if (allowed !== undefined) return [`settings, ${scope}: ${path} takes ${allowed}, not "${value}"`];
  const problem = path === templatePath && value !== '' ? templateProblem(value) : undefined;
  return problem === undefined ? [] : [`settings, ${scope}: this cannot be the template of receipts: ${problem}`];
}

type Written = Readonly<Record<string, unknown>>;

/** A record as the file writes it. Its name is its code, or the name that its section uses. */
interface Entry {
  name: string;
  fields: Written;
}

/**
 * Makes the shop file of these records; `shop apply` with it changes nothing. Empty values, and values that stand
 * elsewhere in the file, are left out.
 */
export function fileOf(records: readonly ShopRecord[]): Written {
  const of = (kind: ShopRecord['kind']): Entry[] =>
    records.filter((record) => record.kind === kind).map(({ name, fields }) => ({ name, fields: reply(fields) }));
  const within = (kind: ShopRecord['kind'], key: string, parent: string) =>
    of(kind).filter(({ fields }) => fields[key] === parent);
  const viewsOf = (group: string) => within('storeView', 'group', group).map((view) => coded(view, 'website', 'group'));
  const groupsOf = (website: string) =>
    within('storeGroup', 'website', website).map((group) => ({
      ...coded(group, 'website'),
      views: viewsOf(group.name),
    }));
  const terminalsOf = (location: string) =>
    within('terminal', 'location', location).map((terminal) => named(terminal, 'location'));
  return {
    websites: of('website').map((website) => ({ ...coded(website), groups: groupsOf(website.name) })),
    sources: of('source').map((source) => coded(source)),
    stocks: of('stock').map((stock) => named(stock)),
    taxRates: of('taxRate').map(({ fields }) => fields),
    customerGroups: of('customerGroup').map((group) => coded(group)),
    attributes: of('attribute').map((attribute) => coded(attribute)),
    attributeSets: of('attributeSet').map((set) => named(set)),
    settings: fileOfSettingsOf(records),
    roles: of('role').map((role) => named(role)),
    locations: of('location').map((location) => ({ ...coded(location), terminals: terminalsOf(location.name) })),
    staff: of('staff').map(({ name, fields }) => ({ email: name, ...fields })),
    administrators: of('administrator').map(({ name, fields }) => ({ username: name, ...fields })),
  };
}

const coded = ({ name, fields }: Entry, ...elsewhere: readonly string[]): Written => ({
  code: name,
  ...without(fields, elsewhere),
});

const named = ({ name, fields }: Entry, ...elsewhere: readonly string[]): Written => ({
  name,
  ...without(fields, elsewhere),
});

const without = (fields: Written, keys: readonly string[]): Written =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

const reply = (fields: object): Written =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

type Settings = Record<string, string>;

function fileOfSettingsOf(records: readonly ShopRecord[]): Written {
  const everywhere: Settings = {};
  const websites: Record<string, Settings> = {};
  const storeViews: Record<string, Settings> = {};
  for (const record of records) {
    if (record.kind !== 'setting') continue;
    const { scope = 'default', path = '', value = '' } = record.fields;
    const code = scope.slice(scope.lastIndexOf(' ') + 1);
    if (scope === 'default') everywhere[path] = value;
    else if (scope.startsWith('website ')) (websites[code] ??= {})[path] = value;
    else (storeViews[code] ??= {})[path] = value;
  }
  return { default: everywhere, websites, storeViews };
}
