/**
 * SQL of the form of a SKU by which products are told apart: composed, in small letters (`skuKey`). An index of `product`
 * has the same text.
 */
export const skuKeyOf = (sku: string) => `lower(normalize(${sku}))`;

/** SQL: whether a column names the product that a parameter names. */
export const isSku = (column: string, parameter = '$sku') => `${skuKeyOf(column)} = ${skuKeyOf(`${parameter}::text`)}`;

/** SQL: whether a column names one of the products that a parameter lists. */
export const isAmongSkus = (column: string, parameter = '$skus') =>
  `${skuKeyOf(column)} = any(array(select ${skuKeyOf('given.sku')} from unnest(${parameter}::text[]) as given (sku)))`;
