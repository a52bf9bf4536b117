import type { AnyRoute } from '../http/route.ts';
import { getCreditLimit } from './get-credit-limit.ts';
import { getCustomerInsights } from './get-customer-insights.ts';
import { getRuleUsage } from './get-rule-usage.ts';
import { removeCreditLimitRoute, setCreditLimitRoute } from './set-credit-limit.ts';
import { wishlistRoutes } from './wishlist-routes.ts';

/** A customer's profile at the register (spec 4.5): a part of the list of all routes. */
export const profileRoutes: readonly AnyRoute[] = [
  getCreditLimit,
  setCreditLimitRoute,
  removeCreditLimitRoute,
  getRuleUsage,
  ...wishlistRoutes,
  getCustomerInsights,
];
