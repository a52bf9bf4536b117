import { scopeOf, type AttributeScope, type ScopeOf } from './product-attributes.ts';

/** Values of a product that a store view or website sets itself; a missing value is the global one. */
export interface OwnValues {
  name?: string;
  status?: number;
  visibility?: number;
  taxClassId?: number;
  customAttributes?: Record<string, unknown>;
}

/** The key is `s` with a store view's id, or `w` with a website's id. */
export type ScopedValues = Record<string, OwnValues>;

/** Where a value is saved or read; the ids are 0 above all store views. */
export interface ValuePlace {
  storeId: number;
  websiteId: number;
}

export const viewKey = (storeId: number) => `s${storeId}`;
export const websiteKey = (websiteId: number) => `w${websiteId}`;

/** Attributes with a property of their own, and the name of that property. */
const fields = { name: 'name', status: 'status', visibility: 'visibility', taxClassId: 'tax_class_id' } as const;

/** Values to save, by attribute, split by the scope in which they hold. Null removes the scope's own value. */
export type GivenValues = { [Field in keyof typeof fields]?: OwnValues[Field] | null } & {
  customAttributes: Record<string, unknown>;
};

/** The values that hold in one scope; the shop may give its attributes a scope. */
export function valuesIn(
  scope: AttributeScope,
  { customAttributes, ...given }: GivenValues,
  scopeOfCustom: ScopeOf = scopeOf,
): GivenValues {
  const own = Object.entries(given).filter(([name]) => {
    const code = Object.entries(fields).find(([field]) => field === name)?.[1];
    return code !== undefined && scopeOf(code) === scope;
  });
  const custom = Object.entries(customAttributes).filter(([code]) => scopeOfCustom(code) === scope);
  return { ...Object.fromEntries(own), customAttributes: Object.fromEntries(custom) };
}

/** Adds values to a scope's own values; null removes one. */
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

/** A place's own special price where it has none, whatever holds above. */
const ended = '';

/**
 * What a save says of the special price where it ends it: an empty own value, where one above would hold on. Other
 * saves say what they said.
 */
export function withEnd<Values extends Record<string, unknown>>(
  given: Values,
  { isOfPlace, inherited }: { isOfPlace: boolean; inherited: Readonly<Record<string, unknown>> },
): Values {
  const { special_price: price } = given;
  if (price !== null && price !== ended) return given;
  return { ...given, special_price: isOfPlace && inherited['special_price'] !== undefined ? ended : null };
}

/** Values as they are shown: a special price that ended is none. */
export function withoutEnded(values: Record<string, unknown>): Record<string, unknown> {
  if (values['special_price'] !== ended) return values;
  const { special_price: _ended, ...others } = values;
  return others;
}

/** A new special price above begins everywhere: an end was one of the price before. */
export const withoutEnds = (scoped: ScopedValues): ScopedValues =>
  Object.fromEntries(
    Object.entries(scoped).map(([key, { customAttributes, ...own }]) => [
      key,
      customAttributes ? { ...own, customAttributes: withoutEnded(customAttributes) } : own,
    ]),
  );

/** A scope's own values of a product: the store view's before the website's; undefined where neither sets any. */
export function ownValuesAt(scoped: ScopedValues, { storeId, websiteId }: ValuePlace): OwnValues | undefined {
  const [website, view] = [scoped[websiteKey(websiteId)], scoped[viewKey(storeId)]];
  if (!website && !view) return undefined;
  return {
    ...website,
    ...view,
    customAttributes: { ...website?.customAttributes, ...view?.customAttributes },
  };
}
