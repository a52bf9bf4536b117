import type { AnyRoute } from './support/route.ts';

/** The one list of every route: OpenAPI, the ACL sweep and the page at `/docs` are made from it. */
export const routes: readonly AnyRoute[] = [
  // platform
  // configuration, locations, terminals, staff
  // receipts
  // returns and refunds
];
