import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, surely, text } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { CustomerGroup } from './customer-group.entity.ts';

const taxClassName = `coalesce((select class_name from tax_class where class_id = tax_class_id), '')`;
const columns = `id, code, tax_class_id, exclude_website_ids, ${taxClassName} as tax_class_name`;

export type CustomerGroupRow = RowFrom<typeof read>;

const read = statement({
  takes: { id: integer },
  gives: { ...asListed(CustomerGroup, 'id', 'code', 'taxClassId', 'excludeWebsiteIds'), tax_class_name: surely(text) },
  text: `select ${columns} from customer_group where id = $id`,
});

/** By an id that is text, as a setting has it: one that is no number finds nothing. */
const find = statement({
  takes: { id: text },
  gives: { ...asListed(CustomerGroup, 'id', 'code', 'taxClassId', 'excludeWebsiteIds'), tax_class_name: surely(text) },
  text: `select ${columns} from customer_group where id::text = $id`,
});

export const findCustomerGroup = (em: EntityManager, id: string): Promise<CustomerGroupRow | undefined> =>
  find.first(em, { id });

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
      tax_class_name: { column: taxClassName, type: 'text' },
    },
    order: 'id',
  });

/** One group. Refused with 404 `id` when there is none. */
export async function readCustomerGroup(em: EntityManager, id: number): Promise<CustomerGroupRow> {
  const row = await read.first(em, { id });
  if (!row) throw noSuchEntity('id', id);
  return row;
}
