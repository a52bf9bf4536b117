import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidInput, notFound } from '../../../domain/errors.ts';
import { withRegion, type AddressDraft } from '../../../domain/platform/customers/customer-draft.ts';
import { addressErrors } from '../../../domain/platform/customers/customer-errors.ts';
import { insertRows } from '../../support/insert-rows.ts';
import { query } from '../../support/query.ts';
import { transact } from '../../support/transact.ts';
import { lockCart, type CartOwner } from './lock-cart.ts';
import { QuoteAddress } from './quote.entity.ts';

export interface CartAddressDraft extends Omit<AddressDraft, 'id' | 'isDefaultBilling' | 'isDefaultShipping'> {
  email?: string | null | undefined;
  /** Of the customer's own address book. */
  customerAddressId?: number | null | undefined;
}

/**
 * Says where the customer's cart is billed to, and shipped to as well if wanted. Safe to repeat.
 *
 * Refused with: 404 no active cart, an entry of somebody else's address book · 400 an address the country's rules refuse.
 *
 * @returns the billing address's id
 */
export const setBillingAddress = (
  em: EntityManager,
  owner: CartOwner,
  { address, isShippedThere }: { address: CartAddressDraft; isShippedThere: boolean },
): Promise<number> =>
  transact(em, async (tx) => {
    const cart = { quoteId: await lockCart(tx, owner), customerId: owner.customerId };
    if (isShippedThere) await saveCartAddress(tx, cart, 'shipping', address);
    return saveCartAddress(tx, cart, 'billing', address);
  });

/** Puts an address in the place of the one before, of a locked cart. Refusals as above. */
export async function saveCartAddress(
  em: EntityManager,
  { quoteId, customerId }: { quoteId: number; customerId: number },
  addressType: 'billing' | 'shipping',
  draft: CartAddressDraft,
): Promise<number> {
  const address = withRegion(draft);
  const errors = addressErrors(address);
  if (errors.length > 0) throw invalidInput(errors);
  await requireOwnEntry(em, customerId, draft.customerAddressId);
  const [row] = await query<{ address_id: number }>(em, replaceText, [quoteId, addressType]);
  if (!row) throw new Error('no id for an address');
  const { id: _id, isDefaultBilling: _billing, isDefaultShipping: _shipping, ...columns } = address;
  await insertRows(em, [
    { entity: QuoteAddress, rows: [{ ...columns, quoteId, addressType, addressId: row.address_id }] },
  ]);
  return row.address_id;
}

/** The id stays when there was one. */
const replaceText = `
with gone as (delete from quote_address where quote_id = $1 and address_type = $2 returning address_id)
select coalesce((select address_id from gone), nextval('quote_address_address_id_seq')::int) as address_id`;

async function requireOwnEntry(em: EntityManager, customerId: number, id: number | null | undefined): Promise<void> {
  if (id === null || id === undefined) return;
  const [own] = await query(em, 'select 1 as own from customer_address where id = $1 and customer_id = $2', [
    id,
    customerId,
  ]);
  if (!own) throw notFound('Invalid customer address id %1', [id]);
}
