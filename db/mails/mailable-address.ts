import type { EntityManager } from '@mikro-orm/postgresql';
import { readStoreSetting } from '../configuration/read-store-setting.ts';

/** The mail address of an order's customer; undefined: none, or that of the store's walk-in customer. */
export async function mailableAddress(
  em: EntityManager,
  { customerEmail, storeId }: { customerEmail: string | null; storeId: number },
): Promise<string | undefined> {
  if (!customerEmail) return undefined;
  const walkIn = await readStoreSetting(em, 'vendor_pos_terminal/customers/walk_in_email', storeId);
  return customerEmail.trim().toLowerCase() === walkIn.trim().toLowerCase() ? undefined : customerEmail;
}
