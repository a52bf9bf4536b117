import { CustomerGroup, Customer, CustomerAddress } from '../platform/customers/customer.entity.ts';
import { ContractPrice } from '../prices/contract-price.entity.ts';

/** The customers' part of the list of all tables. */
export const customerEntities = [CustomerGroup, Customer, CustomerAddress, ContractPrice];
