import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { Product } from './product.entity.ts';
import { noSuchProduct, storedSku } from './read-products.ts';

/** The product of a sku, locked until the transaction ends. Refused with 404: unknown. */
export async function lockProduct(tx: EntityManager, sku: string, refusal = noSuchProduct): Promise<Product> {
  const stored = await storedSku(tx, sku);
  const product = stored && (await tx.findOne(Product, { sku: stored }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  if (!product) throw refusal();
  return product;
}
