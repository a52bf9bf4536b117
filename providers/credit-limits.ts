import type { MikroORM } from '@mikro-orm/postgresql';
import { readStoreSetting } from '../db/configuration/read-store-setting.ts';
import type { CreditStanding } from '../db/credit-limits/read-credit-standing.ts';
import { groupLimits } from '../domain/credit-limits.ts';
import { zero, type Amount } from '../domain/money.ts';

/** The customer whose limit is asked for. */
export interface LimitQuestion {
  customerId: number;
  websiteId: number;
  /** The store whose settings apply. */
  storeId: number;
  standing: CreditStanding;
}

/** Returns a customer's credit limit; undefined passes the question to the next resolver. */
export interface CreditLimitResolver {
  /** A stable code, answered as `source`. */
  source: string;
  /** In the website's base currency. A resolver that throws is not skipped: another's limit would be wrong. */
  limitOf(question: LimitQuestion): Promise<Amount | undefined> | Amount | undefined;
}

export interface ResolvedLimit {
  limit: Amount;
  source: string;
}

/** The resolvers of a customer's credit limit, in order of registration: the first answer counts (spec 4.5). */
export interface CreditLimits {
  resolve(question: LimitQuestion): Promise<ResolvedLimit>;
}

/** The customer's own limit, then the limit of the customer's group. */
export const createCreditLimits = ({ orm }: { orm: MikroORM }): CreditLimits =>
  creditLimitsOf([
    { source: 'customer', limitOf: ({ standing }) => standing.ownLimit ?? undefined },
    {
      source: 'customer_group',
      async limitOf({ standing, storeId }) {
        const text = await readStoreSetting(orm.em.fork(), 'vendor_pos_advanced/credit_limits/groups', storeId);
        return groupLimits(text)?.get(standing.groupId);
      },
    },
  ]);

/** For tests and for other resolvers. Without any answer the limit is 0: no credit is granted. */
export const creditLimitsOf = (resolvers: readonly CreditLimitResolver[]): CreditLimits => ({
  async resolve(question) {
    for (const resolver of resolvers) {
      const limit = await resolver.limitOf(question);
      if (limit !== undefined) return { limit, source: resolver.source };
    }
    return { limit: zero, source: 'none' };
  },
});
