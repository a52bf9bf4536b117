import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidInput, notFound } from '../../../domain/errors.ts';
import { withRegion, type AddressDraft } from '../../../domain/platform/customers/customer-draft.ts';
import { addressErrors } from '../../../domain/platform/customers/customer-errors.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { insertRows, into } from '../../support/write-rows.ts';
import { lockCart, type CartKey } from './lock-cart.ts';
import { QuoteAddress } from './quote.entity.ts';

export interface CartAddressDraft extends Omit<AddressDraft, 'id' | 'isDefaultBilling' | 'isDefaultShipping'> {
  email?: string | null | undefined;
  /** An entry of the customer's own address book. */
  customerAddressId?: number | null | undefined;
  sameAsBilling?: boolean | undefined;
  saveInAddressBook?: boolean | undefined;
}

/**
 * Sets the billing address of the customer's cart, and on request the same shipping address. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of another customer's address book · 400 an address the country's rules
 * refuse.
 *
 * @returns the billing address's id
 */
export const setBillingAddress = (
  em: EntityManager,
  key: CartKey,
  { address, isShippedThere }: { address: CartAddressDraft; isShippedThere: boolean },
): Promise<number> =>
  transact(em, async (tx) => {
    const cart = await lockCart(tx, key);
    if (isShippedThere) await saveCartAddress(tx, cart, 'shipping', { ...address, sameAsBilling: true });
    return saveCartAddress(tx, cart, 'billing', address);
  });

/** Replaces an address of a locked cart. Refused as above. */
export async function saveCartAddress(
  em: EntityManager,
  { quoteId, customerId }: { quoteId: number; customerId: number | null },
  addressType: 'billing' | 'shipping',
  draft: CartAddressDraft,
): Promise<number> {
  const address = withRegion(draft);
  const errors = addressErrors(address);
  if (errors.length > 0) throw invalidInput(errors);
  await requireOwnEntry(em, customerId, draft.customerAddressId);
  const row = await replace.first(em, { quoteId, addressType });
  if (!row) throw new Error('no id for an address');
  const { addressId } = row;
  const { id: _id, isDefaultBilling: _billing, isDefaultShipping: _shipping, ...columns } = address;
  await insertRows(em, [into(QuoteAddress, [{ ...columns, quoteId, addressType, addressId }])]);
  return addressId;
}

/** An address that exists keeps its id. */
const replace = statement({
  takes: { quoteId: integer, addressType: text },
  gives: { addressId: surely(integer) },
  text: `
    with touched as (update quote set updated_at = now() where quote_id = $quoteId),
    gone as (
      delete from quote_address where quote_id = $quoteId and address_type = $addressType returning address_id
    )
    select coalesce((select address_id from gone), nextval('quote_address_address_id_seq')::int) as address_id`,
});

async function requireOwnEntry(
  em: EntityManager,
  customerId: number | null,
  id: number | null | undefined,
): Promise<void> {
  if (id !== null && id !== undefined) await requireEntryOf(em, customerId, id);
}

/** Refused with 404: an entry of another customer's address book. A guest has no address book. */
export async function requireEntryOf(em: EntityManager, customerId: number | null, id: number): Promise<void> {
  if (customerId === null || !(await findOwn.first(em, { id, customerId })))
    throw notFound('Invalid customer address id %1', [id]);
}

const findOwn = statement({
  takes: { id: integer, customerId: integer },
  gives: { id: integer },
  text: 'select id from customer_address where id = $id and customer_id = $customerId',
});
