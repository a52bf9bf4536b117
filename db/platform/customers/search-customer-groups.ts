import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

export interface CustomerGroupRow {
  id: number;
  code: string;
  tax_class_id: number;
  tax_class_name: string;
}

/** The one tax class of customers there is (platform facts 8). */
const columns = `id, code, tax_class_id, 'Retail Customer' as tax_class_name`;

/** Searches customer groups (platform facts 3.2, 8). */
export const searchCustomerGroups = (em: EntityManager, criteria: SearchCriteria) =>
  search<CustomerGroupRow>(em, criteria, {
    table: 'customer_group',
    columns,
    fields: {
      id: { column: 'id', type: 'integer' },
      customer_group_id: { column: 'id', type: 'integer' },
      code: { column: 'code', type: 'text' },
      customer_group_code: { column: 'code', type: 'text' },
      tax_class_id: { column: 'tax_class_id', type: 'integer' },
      tax_class_name: { column: `'Retail Customer'`, type: 'text' },
    },
    order: 'id',
  });

/** One group. Refused with 404 `id` when there is none. */
export async function readCustomerGroup(em: EntityManager, id: number): Promise<CustomerGroupRow> {
  const [row] = await em.execute<CustomerGroupRow[]>(`select ${columns} from customer_group where id = ?`, [id]);
  if (!row) throw noSuchEntity('id', id);
  return row;
}
