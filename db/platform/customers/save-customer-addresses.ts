import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidInput, noSuchEntity } from '../../../domain/errors.ts';
import { withRegion, type AddressDraft } from '../../../domain/platform/customers/customer-draft.ts';
import { addressErrors } from '../../../domain/platform/customers/customer-errors.ts';
import { given } from '../../support/given.ts';
import { CustomerAddress, type Customer } from './customer.entity.ts';

/** The addresses flagged as default by the caller; undefined where none is flagged. */
export interface DefaultAddresses {
  billing: CustomerAddress | undefined;
  shipping: CustomerAddress | undefined;
}

/**
 * Makes the listed addresses the customer's own: known ids are changed, others created, and addresses not listed are
 * deleted.
 *
 * Runs within the transaction that locks the customer. Refused with: 404 an unknown id or one of another customer ·
 * 400 an address that breaks its country's rules, unless `takesAnyAddress` is set.
 */
export async function saveCustomerAddresses(
  em: EntityManager,
  customer: Customer,
  drafts: readonly AddressDraft[],
  { takesAny = false }: { takesAny?: boolean | undefined } = {},
): Promise<DefaultAddresses> {
  const existing = await em.find(CustomerAddress, { customer: customer.id });
  const kept = new Set<CustomerAddress>();
  const defaults: DefaultAddresses = { billing: undefined, shipping: undefined };
  for (const draft of drafts) {
    const known = draft.id ? existing.find(({ id }) => id === draft.id) : undefined;
    if (draft.id && !known) throw noSuchEntity('addressId', draft.id);
    const errors = takesAny ? [] : addressErrors({ ...known, ...given(withRegion(draft)) });
    if (errors.length > 0) throw invalidInput(errors);
    const address = saveAddress(em, customer, known, draft);
    kept.add(address);
    if (draft.isDefaultBilling) defaults.billing = address;
    if (draft.isDefaultShipping) defaults.shipping = address;
  }
  for (const address of existing) if (!kept.has(address)) em.remove(address);
  await em.flush();
  return defaults;
}

function saveAddress(em: EntityManager, customer: Customer, known: CustomerAddress | undefined, draft: AddressDraft) {
  const { id: _id, isDefaultBilling: _billing, isDefaultShipping: _shipping, ...changes } = given(withRegion(draft));
  if (known) return em.assign(known, changes);
  const { firstname = '', lastname = '', city = '', countryId = '', ...others } = changes;
  return em.create(CustomerAddress, { ...others, firstname, lastname, city, countryId, customer });
}
