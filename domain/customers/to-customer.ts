import type { AddressDraft, CustomerDraft } from '../platform/customers/customer-draft.ts';
import type { RegisterDraft } from './register-draft.ts';

/**
 * The account that a register's draft becomes. Company, phone and postcode live on its address, which exists as soon
 * as one of its fields does. So an entry is never lost because other fields are missing. The address never has a
 * region.
 *
 * @param countryId of an address that names none
 */
export function toCustomer(draft: RegisterDraft, countryId: string): CustomerDraft {
  const { email, firstname, lastname, taxvat, dob } = draft;
  return {
    email,
    firstname,
    lastname,
    taxvat: orNone(taxvat),
    dob: orNone(dob),
    addresses: hasAddress(draft) ? [addressOf(draft, countryId)] : [],
  };
}

const hasAddress = ({ company, phone, street, city, postcode }: RegisterDraft) =>
  [company, phone, street, city, postcode].some((text) => text !== '');

const addressOf = (draft: RegisterDraft, countryId: string): AddressDraft => ({
  firstname: draft.firstname,
  lastname: draft.lastname,
  company: orNone(draft.company),
  telephone: orNone(draft.phone),
  street: draft.street.split(/\r?\n/).filter((line) => line !== ''),
  city: draft.city,
  postcode: orNone(draft.postcode),
  countryId: draft.countryCode === '' ? countryId : draft.countryCode.toUpperCase(),
  isDefaultBilling: true,
  isDefaultShipping: true,
});

const orNone = (text: string) => (text === '' ? null : text);
