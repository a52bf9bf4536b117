import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../domain/money.ts';
import { shopNow } from '../support/shop-clock.ts';
import { CreditLimit } from './credit-limit.entity.ts';

/** The limit to set; null removes it, so that the group's applies. */
export interface AgreedLimit {
  customerId: number;
  websiteId: number;
  creditLimit: Amount | null;
}

/** Sets a customer's credit limit, in the website's base currency. A repeat changes nothing. */
export async function setCreditLimit(em: EntityManager, { creditLimit, ...of }: AgreedLimit): Promise<void> {
  if (creditLimit === null) await em.nativeDelete(CreditLimit, of);
  else
    await em.upsert(
      CreditLimit,
      { ...of, creditLimit, createdAt: shopNow(), updatedAt: shopNow() },
      { onConflictExcludeFields: ['createdAt'] },
    );
}
