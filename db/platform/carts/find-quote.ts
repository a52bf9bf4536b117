import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../../support/fresh-reads.ts';
import { noActiveCart, type CartKey } from './carts.ts';
import { Quote } from './quote.entity.ts';

/** An active cart with its own choices, without lines and figures. Refused with: 404 no active cart. */
export async function findQuote(em: EntityManager, key: CartKey): Promise<Quote> {
  const quote = await freshReads(em).findOne(Quote, { ...key, isActive: true });
  if (!quote) throw noActiveCart(key);
  return quote;
}
