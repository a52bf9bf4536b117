import type { AnyRoute } from '../../http/route.ts';
import { confirmationRoutes } from './account-confirmation.ts';
import type { AccountMails } from './account-mails.ts';
import { addressRoutes } from './address-routes.ts';
import { isEmailAvailable, validateCustomer } from './check-customer.ts';
import { createCustomer } from './create-customer.ts';
import { deleteCustomerRoute, isCustomerReadOnly } from './delete-customer.ts';
import { getCustomer } from './get-customer.ts';
import { getOwnCustomer } from './get-own-customer.ts';
import { changeOwnPassword, updateOwnCustomer } from './own-account.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { searchCustomers } from './search-customers.ts';
import type { SubscriberHooks } from './subscriber-hooks.ts';
import { updateCustomer } from './update-customer.ts';

/** Accounts and their addresses (platform facts 8). */
export const customerRoutes = (hooks: SubscriberHooks, mails: AccountMails): readonly AnyRoute[] => [
  searchCustomers,
  getCustomer,
  getOwnCustomer,
  createCustomer(hooks, mails),
  updateCustomer(hooks),
  deleteCustomerRoute,
  isCustomerReadOnly,
  isEmailAvailable,
  validateCustomer,
  updateOwnCustomer(hooks),
  changeOwnPassword,
  ...passwordResetRoutes(mails),
  ...confirmationRoutes(mails),
  ...addressRoutes,
];
