import type { AnyRoute } from '../../http/route.ts';
import { addressRoutes } from './address-routes.ts';
import { isEmailAvailable, validateCustomer } from './check-customer.ts';
import { createCustomer } from './create-customer.ts';
import { deleteCustomerRoute, isCustomerReadOnly } from './delete-customer.ts';
import { getCustomer } from './get-customer.ts';
import { getOwnCustomer } from './get-own-customer.ts';
import { changeOwnPassword, updateOwnCustomer } from './own-account.ts';
import { searchCustomers } from './search-customers.ts';
import type { SubscriberHooks } from './subscriber-hooks.ts';
import { updateCustomer } from './update-customer.ts';

/** Accounts and their addresses (platform facts 8). */
export const customerRoutes = (hooks: SubscriberHooks): readonly AnyRoute[] => [
  searchCustomers,
  getCustomer,
  getOwnCustomer,
  createCustomer(hooks),
  updateCustomer(hooks),
  deleteCustomerRoute,
  isCustomerReadOnly,
  isEmailAvailable,
  validateCustomer,
  updateOwnCustomer(hooks),
  changeOwnPassword,
  ...addressRoutes,
];
