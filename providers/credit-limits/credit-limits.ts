import type { MikroORM } from '@mikro-orm/postgresql';
import { readStoreSetting } from '../../db/configuration/read-store-setting.ts';
import type { CreditStanding } from '../../db/credit-limits/read-credit-standing.ts';
import { groupLimits } from '../../domain/credit-limits/group-limits.ts';
import { zero, type Amount } from '../../domain/money/amount.ts';

/** Whose limit is asked for. */
export interface LimitQuestion {
  customerId: number;
  websiteId: number;
  /** Whose settings hold. */
  storeId: number;
  standing: CreditStanding;
}

/** Knows how much a customer may owe, or does not: undefined leaves it to the next one. */
export interface CreditLimitResolver {
  /** A stable word, answered as `source`. */
  source: string;
  /** In the website's base currency. Whoever throws is not passed over: an unknown limit is no limit of another's. */
  limitOf(question: LimitQuestion): Promise<Amount | undefined> | Amount | undefined;
}

export interface ResolvedLimit {
  limit: Amount;
  source: string;
}

/** Who says how much a customer may owe, in order of registration: the first word counts (spec 4.5). */
export interface CreditLimits {
  resolve(question: LimitQuestion): Promise<ResolvedLimit>;
}

/** What was agreed with the customer, then what holds for the customer's group. */
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

/** For tests and whoever wires other resolvers. Nobody's word is a limit of 0: no credit is extended. */
export const creditLimitsOf = (resolvers: readonly CreditLimitResolver[]): CreditLimits => ({
  async resolve(question) {
    for (const resolver of resolvers) {
      const limit = await resolver.limitOf(question);
      if (limit !== undefined) return { limit, source: resolver.source };
    }
    return { limit: zero, source: 'none' };
  },
});
