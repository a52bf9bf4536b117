import type { EntityManager } from '@mikro-orm/postgresql';
import { storedSkuAmong } from '../../../domain/platform/catalog/sku-key.ts';
import { texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';

/** How the catalog writes SKUs; one that it does not have stays as it was given. */
export async function storedSkus(em: EntityManager, skus: readonly string[]): Promise<(sku: string) => string> {
  const known = skus.length === 0 ? [] : await read.all(em, { skus });
  return storedSkuAmong(known.map(({ sku }) => sku));
}

/** The same of rows that name products. */
export async function withStoredSkus<Row extends { sku: string }>(
  em: EntityManager,
  rows: readonly Row[],
): Promise<Row[]> {
  const stored = await storedSkus(
    em,
    rows.map(({ sku }) => sku),
  );
  return rows.map((row) => ({ ...row, sku: stored(row.sku) }));
}

const read = statement({
  takes: { skus: texts },
  gives: of(Product, 'sku'),
  text: `select p.sku from product p where ${isAmongSkus('p.sku')}`,
});
