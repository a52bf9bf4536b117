import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

/** A limit, because each found cart is priced. */
export const mostCarts = 100;

/** Searches carts (platform facts 3, 11). Refused with: 400 an unknown field, a page of more than 100. */
export function searchCarts(em: EntityManager, criteria: SearchCriteria) {
  if ((criteria.pageSize ?? 0) > mostCarts)
    throw invalid('Maximum SearchCriteria pageSize is %max', { max: mostCarts });
  return search<{ quote_id: number }>(
    em,
    { ...criteria, pageSize: criteria.pageSize ?? mostCarts },
    {
      table: 'quote q left join customer c on c.id = q.customer_id',
      columns: 'q.quote_id',
      fields: {
        id: { column: 'q.quote_id', type: 'integer' },
        entity_id: { column: 'q.quote_id', type: 'integer' },
        customer_id: { column: 'q.customer_id', type: 'integer', isNullable: true },
        customer_email: { column: 'coalesce(q.customer_email, c.email)', type: 'text', isNullable: true },
        store_id: { column: 'q.store_id', type: 'integer' },
        is_active: { column: 'q.is_active', type: 'boolean' },
        coupon_code: { column: 'q.coupon_code', type: 'text', isNullable: true },
        orig_order_id: { column: 'coalesce(q.order_id, 0)', type: 'integer' },
        created_at: { column: 'q.created_at', type: 'timestamp' },
        updated_at: { column: 'q.updated_at', type: 'timestamp' },
      },
      order: 'q.quote_id',
    },
  );
}
