/** What the shop demands of the values of an attribute (platform facts 9.1). */
export interface AttributeDemand {
  attributeId: number;
  code: string;
  label: string;
  /** Whether the set of the product has it, and a product needs a value. */
  isRequired: boolean;
  /** Whether one product alone may have a value. */
  isUnique: boolean;
  isInSet: boolean;
  /** What a new product gets where nothing is said; empty: nothing. */
  standard: string;
  /** The types of products that have it; empty: all. */
  appliesTo: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

export const isEmptyValue = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The values that a new product gets, because its set has the attribute and nobody said another. */
export function standardValues(demands: readonly AttributeDemand[], given: Values, typeId: string): Values {
  const due = demands.filter(
    (one) =>
      one.isInSet && one.standard !== '' && appliesTo(one, typeId) && (given[one.code] ?? undefined) === undefined,
  );
  return Object.fromEntries(due.map(({ code, standard }) => [code, standard]));
}

/** The first attribute that a product of the type needs and has no value of; `chosen` are what customers choose. */
export const missingValue = (
  demands: readonly AttributeDemand[],
  { values, typeId, chosen }: { values: Values; typeId: string; chosen: ReadonlySet<string> },
): AttributeDemand | undefined =>
  demands.find(
    (one) =>
      one.isRequired &&
      one.standard === '' &&
      appliesTo(one, typeId) &&
      !chosen.has(one.code) &&
      isEmptyValue(values[one.code]),
  );

const appliesTo = ({ appliesTo: types }: AttributeDemand, typeId: string) =>
  types.length === 0 || types.includes(typeId);
