import { scopeOf, type AttributeScope } from './product-attributes.ts';

/** What a store view or a website says of a product in place of what holds everywhere; what is missing is as there. */
export interface OwnValues {
  name?: string;
  status?: number;
  visibility?: number;
  taxClassId?: number;
  customAttributes?: Record<string, unknown>;
}

/** By `s` and a store view's id, or `w` and a website's. */
export type ScopedValues = Record<string, OwnValues>;

/** Where a value is saved or read; the ids are 0 above all store views. */
export interface ValuePlace {
  storeId: number;
  websiteId: number;
}

export const viewKey = (storeId: number) => `s${storeId}`;
export const websiteKey = (websiteId: number) => `w${websiteId}`;

/** Fields with a name of their own, by the code of the attribute that each is. */
const fields = { name: 'name', status: 'status', visibility: 'visibility', taxClassId: 'tax_class_id' } as const;

/** What is saved, by attribute, divided by where it holds. Null takes the own value of a place away. */
export type GivenValues = { [Field in keyof typeof fields]?: OwnValues[Field] | null } & {
  customAttributes: Record<string, unknown>;
};

/** Those of the values that hold in one kind of place. */
export function valuesIn(scope: AttributeScope, { customAttributes, ...given }: GivenValues): GivenValues {
  const own = Object.entries(given).filter(([name]) => {
    const code = Object.entries(fields).find(([field]) => field === name)?.[1];
    return code !== undefined && scopeOf(code) === scope;
  });
  const custom = Object.entries(customAttributes).filter(([code]) => scopeOf(code) === scope);
  return { ...Object.fromEntries(own), customAttributes: Object.fromEntries(custom) };
}

/** Lays values over what a place says already; null takes one away. */
export function withValues(scoped: ScopedValues, key: string, given: GivenValues): ScopedValues {
  const before = scoped[key] ?? {};
  const custom = Object.entries({ ...before.customAttributes, ...given.customAttributes }).filter(
    ([, value]) => value !== null,
  );
  const { customAttributes: _before, ...others } = before;
  const { customAttributes: _given, ...own } = given;
  const values: OwnValues = {
    ...Object.fromEntries(Object.entries({ ...others, ...own }).filter(([, value]) => value !== null)),
    ...(custom.length === 0 ? {} : { customAttributes: Object.fromEntries(custom) }),
  };
  const { [key]: _place, ...elsewhere } = scoped;
  return Object.keys(values).length === 0 ? elsewhere : { ...elsewhere, [key]: values };
}

/** What a place says of a product, the view's word before the website's; undefined where neither says anything. */
export function ownValuesAt(scoped: ScopedValues, { storeId, websiteId }: ValuePlace): OwnValues | undefined {
  const [website, view] = [scoped[websiteKey(websiteId)], scoped[viewKey(storeId)]];
  if (!website && !view) return undefined;
  return {
    ...website,
    ...view,
    customAttributes: { ...website?.customAttributes, ...view?.customAttributes },
  };
}
