import type { AnyRoute } from '../http/route.ts';
import { askCustomerPrices } from './ask-customer-prices.ts';
import { createRegisterCustomer } from './create-customer.ts';
import { validateCustomer } from './validate-customer.ts';

/** Checking and opening customers, and what things cost them (spec 4.5): a part of the one list of every route. */
export const customerValidationRoutes: readonly AnyRoute[] = [
  validateCustomer,
  createRegisterCustomer,
  askCustomerPrices,
];
