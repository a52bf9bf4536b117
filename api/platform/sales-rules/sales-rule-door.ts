/** The right that routes of sales rules and coupons demand. */
export const salesRuleDoor = { acl: 'Platform_SalesRule::quote' } as const;
