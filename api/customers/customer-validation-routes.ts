import type { AnyRoute } from '../http/route.ts';
import { askCustomerPrices } from './ask-customer-prices.ts';
import { createRegisterCustomer } from './create-customer.ts';
import { validateCustomer } from './validate-customer.ts';

/** Validating and creating customers, and their prices (spec 4.5): a part of the list of all routes. */
export const customerValidationRoutes: readonly AnyRoute[] = [
  validateCustomer,
  createRegisterCustomer,
  askCustomerPrices,
];
