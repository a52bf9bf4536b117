import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchDocument } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search, type Found } from '../../support/search.ts';
import type { SheetRow } from '../orders/read-orders.ts';
import { creditMemoFields } from './credit-memo-fields.ts';

/** A credit memo with all that its answer shows, straight from the tables. */
export interface CreditMemoSheet {
  memo: SheetRow;
  items: readonly SheetRow[];
  /** Newest first. */
  comments: readonly SheetRow[];
  /** The order's currencies, rates and addresses. */
  order: SheetRow;
}

/** One credit memo. Refused with: 404 unknown credit memo. */
export async function readCreditMemo(em: EntityManager, creditMemoId: number): Promise<CreditMemoSheet> {
  const [sheet] = await em.execute<CreditMemoSheet[]>(`select ${sheetColumns} from ${table} where m.entity_id = ?`, [
    creditMemoId,
  ]);
  if (!sheet) throw noSuchDocument();
  return sheet;
}

/** The credit memos a caller searches for, by any column of theirs. One round trip. */
export const searchCreditMemos = (em: EntityManager, criteria: SearchCriteria): Promise<Found<CreditMemoSheet>> =>
  search<CreditMemoSheet>(em, criteria, {
    table,
    columns: sheetColumns,
    fields: creditMemoFields,
    order: 'm.entity_id',
  });

const table = 'sales_creditmemo m join sales_order o on o.entity_id = m.order_id';

const sheetColumns = `
  to_json(m) as memo,
  (select coalesce(json_agg(l order by l.entity_id), '[]') from sales_creditmemo_item l where l.parent_id = m.entity_id)
    as items,
  (select coalesce(json_agg(c order by c.created_at desc, c.entity_id desc), '[]') from sales_document_comment c
   where c.document = 'creditmemo' and c.parent_id = m.entity_id) as comments,
  json_build_object(
    'base_currency_code', o.base_currency_code, 'global_currency_code', o.global_currency_code,
    'order_currency_code', o.order_currency_code, 'store_currency_code', o.store_currency_code,
    'base_to_global_rate', o.base_to_global_rate, 'base_to_order_rate', o.base_to_order_rate,
    'store_to_base_rate', o.store_to_base_rate, 'store_to_order_rate', o.store_to_order_rate,
    'billing_address_id', o.billing_address_id, 'shipping_address_id', o.shipping_address_id) as "order"`;
