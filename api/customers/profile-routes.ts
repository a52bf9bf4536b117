import type { AnyRoute } from '../http/route.ts';
import { getCreditLimit } from './get-credit-limit.ts';
import { getCustomerInsights } from './get-customer-insights.ts';
import { getRuleUsage } from './get-rule-usage.ts';
import { removeCreditLimitRoute, setCreditLimitRoute } from './set-credit-limit.ts';
import { wishlistRoutes } from './wishlist-routes.ts';

/** What a register shows of a customer (spec 4.5), its part of the one list of every route. */
export const profileRoutes: readonly AnyRoute[] = [
  getCreditLimit,
  setCreditLimitRoute,
  removeCreditLimitRoute,
  getRuleUsage,
  ...wishlistRoutes,
  getCustomerInsights,
];
