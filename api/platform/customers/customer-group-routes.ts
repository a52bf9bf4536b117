import type { AnyRoute } from '../../http/route.ts';
import { getDefaultGroup, getDefaultGroupOfStore, setDefaultGroupRoute } from './default-customer-group.ts';
import { deleteGroup, isGroupReadOnlyRoute } from './delete-customer-group.ts';
import { getCustomerGroup } from './get-customer-group.ts';
import { listCustomerGroups } from './list-customer-groups.ts';
import { createGroup, updateGroup } from './save-customer-group.ts';

/** Groups of customers, and which of them new accounts get (platform facts 8). */
export const customerGroupRoutes: readonly AnyRoute[] = [
  listCustomerGroups,
  getCustomerGroup,
  createGroup,
  updateGroup,
  deleteGroup,
  isGroupReadOnlyRoute,
  getDefaultGroup,
  getDefaultGroupOfStore,
  setDefaultGroupRoute,
];
