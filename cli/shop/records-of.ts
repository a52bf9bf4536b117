import { given } from '../../db/support/given.ts';
import { groupCodeOf } from '../../domain/platform/catalog/attribute-sets.ts';
import { taxRateName } from '../../domain/shop/tax-rate-name.ts';
import type { ShopKind, ShopRecord } from '../../domain/shop/shop-records.ts';
import type { ShopFile } from './shop-file.ts';

/**
 * The kinds that a section lists in full. Administrators and staff are not among them, so that no file takes their access away.
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
export function recordsOf(file: ShopFile): { records: ShopRecord[]; stated: ReadonlySet<ShopKind> } {
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
      ...(settings ? { settings: given(settings) } : {}),
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
