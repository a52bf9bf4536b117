import { CustomerGroup } from '../platform/customers/customer-group.entity.ts';
import { Customer, CustomerAddress } from '../platform/customers/customer.entity.ts';
import { ContractPrice } from '../prices/contract-price.entity.ts';

/** Customers and what they pay: a part of the list of every table. */
export const customerEntities = [CustomerGroup, Customer, CustomerAddress, ContractPrice];
