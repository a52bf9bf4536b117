import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { Product } from './product.entity.ts';
import { noSuchProduct } from './read-products.ts';

/** The product of a sku, locked until the transaction ends. Refused with 404: unknown. */
export async function lockProduct(tx: EntityManager, sku: string, refusal = noSuchProduct): Promise<Product> {
  const product = await tx.findOne(Product, { sku }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!product) throw refusal();
  return product;
}
