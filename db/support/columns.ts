import { p } from '@mikro-orm/core';
import { baseNameOf, type Amount, type Quantity } from '../../domain/money.ts';
import { AmountType, QuantityType } from './entity-columns.ts';

/** Column builders for what most tables have. */

export const amountColumn = () => p.type(AmountType).$type<Amount>();
export const quantityColumn = () => p.type(QuantityType).$type<Quantity>();

const optionalAmount = () => amountColumn().nullable();
const zeroAmount = () =>
  amountColumn()
    .defaultRaw('0')
    .onCreate(() => 0 as Amount);
const zeroQuantity = () =>
  quantityColumn()
    .defaultRaw('0')
    .onCreate(() => 0 as Quantity);

type FromColumns = (columns: Readonly<Record<string, string>>) => string;

/** Values that PostgreSQL computes from other columns, by their SQL. They are read only where `populate` names them. */
export const computedText = (sql: FromColumns) => p.text().persist(false).formula(sql).lazy();
export const computedTexts = (sql: FromColumns) => p.array().persist(false).formula(sql).lazy();
export const computedFlag = (sql: FromColumns) => p.boolean().persist(false).formula(sql).lazy();
export const computedMoment = (sql: FromColumns) => p.datetime(6).nullable().persist(false).formula(sql).lazy();
export const computedInteger = (sql: FromColumns) => p.integer().persist(false).formula(sql).lazy();

const named = <const Name extends string, Column>(names: readonly Name[], column: () => Column) =>
  Object.fromEntries(names.map((name) => [name, column()])) as Record<Name, Column>;

/** Money that may be absent, one column per name. */
export const optionalAmounts = <const Name extends string>(...names: readonly Name[]) => named(names, optionalAmount);
/** Money that counts up from zero. */
export const zeroAmounts = <const Name extends string>(...names: readonly Name[]) => named(names, zeroAmount);
export const zeroQuantities = <const Name extends string>(...names: readonly Name[]) => named(names, zeroQuantity);
export const optionalTexts = <const Name extends string>(...names: readonly Name[]) =>
  named(names, () => p.string().length(255).nullable());
export const optionalIntegers = <const Name extends string>(...names: readonly Name[]) =>
  named(names, () => p.integer().nullable());
/** References to records that grow with sales, where the tables have no constraint for them. */
export const optionalIds = <const Name extends string>(...names: readonly Name[]) =>
  named(names, () => p.bigint('number').nullable());

/** The same names with the platform's `base` in front: every figure exists in both currencies. */
export const basePrefixed = <const Name extends string>(...names: readonly Name[]) => names.map(baseNameOf);

/**
 * SQL of the form of a SKU by which products are told apart: composed, in small letters (`skuKey`). An index of
 * `product` has the same text.
 */
export const skuKeyOf = (sku: string) => `lower(normalize(${sku}))`;

/** SQL: whether a column names the product that a parameter names. */
export const isSku = (column: string, parameter = '$sku') => `${skuKeyOf(column)} = ${skuKeyOf(`${parameter}::text`)}`;

/** SQL: whether a column names one of the products that a parameter lists. */
export const isAmongSkus = (column: string, parameter = '$skus') =>
  `${skuKeyOf(column)} = any(array(select ${skuKeyOf('given.sku')} from unnest(${parameter}::text[]) as given (sku)))`;

/**
 * An index for searching a text column in any case of letters: the search compares `lower(column)`.
 *
 * @param expression a column, or an SQL expression of the table's columns
 * @param more columns that the rows of one text are ordered by
 */
export const textIndex = (table: string, name: string, expression = `"${name}"`, more: readonly string[] = []) => ({
  name: `${table}_${name}_text`,
  expression: `create index "${table}_${name}_text" on "${table}" (${[`lower(${expression})`, ...more].join(', ')})`,
});

/**
 * SQL of all attributes of goods with their values, as numbers in a set; and the number of one, in any case of letters.
 * Two may share a number, so the value itself is compared too.
 */
export const attributeValues = 'attribute_values(custom_attributes)';
export const attributeValue = (code: string, value: string) => `hashtextextended('${code}=' || lower(${value}), 0)`;

/** The same for a column that may be null, as lists sort it: nulls first. */
export const optionalTextIndex = (table: string, name: string, expression = `"${name}"`) => ({
  name: `${table}_${name}_text`,
  expression: `create index "${table}_${name}_text" on "${table}" (lower(${expression}) nulls first)`,
});

/** An index for a column, or an SQL expression, that may be null and is compared as it is. Lists sort nulls first. */
export const optionalIndex = (table: string, name: string, expression = `"${name}"`) => ({
  name: `${table}_${name}_plain`,
  expression: `create index "${table}_${name}_plain" on "${table}" (${expression} nulls first)`,
});

/**
 * An index for filters and sorts by a column with few values that may be null. The rows of a value are in the order of
 * `then`, so that a page reads its own rows alone.
 */
export const optionalOrderIndex = (table: string, name: string, then: string) => ({
  name: `${table}_${name}_${then}_order`,
  expression: `create index "${table}_${name}_${then}_order" on "${table}" ("${name}" nulls first, "${then}")`,
});

/** An index for a column of type text[] that lists search by membership. */
export const setIndex = (table: string, name: string) => ({
  name: `${table}_${name}_set`,
  expression: `create index "${table}_${name}_set" on "${table}" using gin ("${name}")`,
});

/** An index for searching a part of a column, as in `like %lantern%`. */
export const partIndex = (table: string, name: string, expression = `"${name}"`) => ({
  name: `${table}_${name}_part`,
  expression: `create index "${table}_${name}_part" on "${table}" using gin ((${expression}) gin_trgm_ops)`,
});
