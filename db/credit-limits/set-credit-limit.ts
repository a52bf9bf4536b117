import type { EntityManager } from '@mikro-orm/postgresql';
import type { Amount } from '../../domain/money/amount.ts';
import { amount, integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The limit to set; null removes it, so that the group's applies. */
export interface AgreedLimit {
  customerId: number;
  websiteId: number;
  creditLimit: Amount | null;
}

/** Sets a customer's credit limit, in the website's base currency. A repeat changes nothing. */
export async function setCreditLimit(em: EntityManager, { creditLimit, ...of }: AgreedLimit): Promise<void> {
  await (creditLimit === null ? remove.run(em, of) : keep.run(em, { ...of, creditLimit }));
}

const keep = statement({
  takes: { customerId: integer, websiteId: integer, creditLimit: amount },
  text: `
    insert into customer_credit_limit (customer_id, website_id, credit_limit, created_at, updated_at)
    values ($customerId, $websiteId, $creditLimit, now(), now())
    on conflict (customer_id, website_id) do update set credit_limit = excluded.credit_limit, updated_at = now()`,
});

const remove = statement({
  takes: { customerId: integer, websiteId: integer },
  text: 'delete from customer_credit_limit where customer_id = $customerId and website_id = $websiteId',
});
