import type { ShopRecord } from '../../domain/shop/shop-records.ts';

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
    records.filter((record) => record.kind === kind).map(({ name, fields }) => ({ name, fields: said(fields) }));
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
    settings: settingsOf(records),
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

const said = (fields: object): Written =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));

const isNothing = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

type Settings = Record<string, string>;

function settingsOf(records: readonly ShopRecord[]): Written {
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
