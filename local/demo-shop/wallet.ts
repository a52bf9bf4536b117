import type { EntityManager } from '@mikro-orm/postgresql';
import { AdminUser } from '../../db/platform/access/admin-user.entity.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { addEntry } from '../../db/store-credit/add-entry.ts';
import { money } from '../../domain/money/amount.ts';
import { credentials } from './credentials.ts';

const [grace] = credentials.customers;

/** Grace has 25 dollars of store credit from the administrator; the key makes a repeat harmless. */
export async function seedWallet(em: EntityManager): Promise<void> {
  const { id, websiteId } = await em.findOneOrFail(Customer, { email: grace.email });
  const { userId } = await em.findOneOrFail(AdminUser, { username: credentials.admin.username });
  await addEntry(em, {
    customerId: id,
    websiteId,
    operation: 'credit',
    amount: money('25'),
    reason: 'A parcel came late',
    source: 'demo shop',
    idempotencyKey: 'demo-wallet-1',
    actor: { adminUserId: userId },
  });
}
