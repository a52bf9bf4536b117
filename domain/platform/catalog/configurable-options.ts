/** The choices of a configurable product, such as its sizes, under their wire names (platform facts 9.1). Pure. */
export interface ConfigurableOption {
  /** One of its product's. */
  id: number;
  /** An attribute's id, or its code. */
  attribute_id: string;
  label: string;
  position: number;
  product_id: number;
  values: { value_index: number }[];
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const numberOf = (value: unknown) => (Number.isInteger(Number(textOf(value))) ? Number(textOf(value)) : 0);

/** Reads what is stored of a product. A row that came without an id gets the next one of its product. */
export function configurableOptions(rows: unknown, productId: number): ConfigurableOption[] {
  const given = Array.isArray(rows) ? rows.map(record) : [];
  let last = Math.max(0, ...given.map(({ id }) => numberOf(id)));
  return given.map(({ id, attribute_id, label, position, values }) => ({
    id: numberOf(id) || ++last,
    attribute_id: textOf(attribute_id),
    label: textOf(label),
    position: numberOf(position),
    product_id: productId,
    values: (Array.isArray(values) ? values : []).map((value) => ({
      value_index: numberOf(record(value)['value_index']),
    })),
  }));
}

/** The ids of a configurable product's children, as they are stored. */
export const childIds = (links: unknown): number[] => (Array.isArray(links) ? links.map(numberOf) : []);

/** More goods than one call may describe. */
export const mostVariations = 1_000;

/** Every combination of values, one of each option; undefined: more than one call may describe. */
export function combinationsOf(
  options: readonly Pick<ConfigurableOption, 'attribute_id' | 'values'>[],
): { attribute_id: string; value_index: number }[][] | undefined {
  const total = options.reduce((product, { values }) => product * values.length, 1);
  if (total > mostVariations) return undefined;
  return options.reduce<{ attribute_id: string; value_index: number }[][]>(
    (found, { attribute_id, values }) =>
      found.flatMap((one) => values.map(({ value_index }) => [...one, { attribute_id, value_index }])),
    [[]],
  );
}
