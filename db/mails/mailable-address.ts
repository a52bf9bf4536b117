import type { EntityManager } from '@mikro-orm/postgresql';
import { isOneAddress } from '../../domain/mails/one-address.ts';
import { readStoreSetting } from '../configuration/read-store-setting.ts';

/**
 * The mail address of an order's customer; undefined: none, that of the store's walk-in customer, or a text that is not
 * one address. An order is kept as it was sold, whatever its e-mail is.
 */
export async function mailableAddress(
  em: EntityManager,
  { customerEmail, storeId }: { customerEmail: string | null; storeId: number },
): Promise<string | undefined> {
  const address = customerEmail?.trim();
  if (!address || !isOneAddress(address)) return undefined;
  const walkIn = await readStoreSetting(em, 'vendor_pos_terminal/customers/walk_in_email', storeId);
  return address.toLowerCase() === walkIn.trim().toLowerCase() ? undefined : address;
}
