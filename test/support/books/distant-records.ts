import type { Cells } from './cells.ts';
import type { Which } from './which.ts';

type Find = <Column extends string = string>(
  table: string,
  which?: Which,
  ...columns: Column[]
) => Promise<Cells<Column>[]>;

/** Records that say whose they are by way of another record. */
export function distantRecords(find: Find) {
  const idsOf = async (table: string, key: string, which: Which) =>
    (await find(table, which, key)).map((row) => Number(row[key]));
  return {
    /** The entries in the wallets of a customer, first to last. */
    entriesOf: async <Column extends string = string>(customerId: number, ...columns: Column[]) =>
      find(
        'store_credit_entry',
        { wallet_id: await idsOf('store_credit_wallet', 'wallet_id', { customer_id: customerId }) },
        ...columns,
      ),
    /** The wallets of a customer, one for each website. */
    walletsOf: <Column extends string = string>(customerId: number, ...columns: Column[]) =>
      find('store_credit_wallet', { customer_id: customerId }, ...columns),
    /** The entries of a gift card, first to last. */
    cardEntriesOf: async <Column extends string = string>(code: string, ...columns: Column[]) =>
      find('gift_card_entry', { card_id: await idsOf('gift_card', 'card_id', { code }) }, ...columns),
    /** Credit of an order that was given back, first to last. */
    creditReturnsOf: async <Column extends string = string>(orderId: number, ...columns: Column[]) =>
      find(
        'order_credit_return',
        { credit_id: await idsOf('order_credit', 'credit_id', { order_id: orderId }) },
        ...columns,
      ),
    /** How the goods of a return moved, first to last. */
    movementsOf: async <Column extends string = string>(returnId: number, ...columns: Column[]) =>
      find(
        'sale_return_movement',
        { return_item_id: await idsOf('sale_return_item', 'entity_id', { return_id: returnId }) },
        ...columns,
      ),
    /** What was done to a thing, in the words of the audit log. */
    auditOf: <Column extends string = string>(type: string, id: number | string, ...columns: Column[]) =>
      find('pos_audit_log', { entity_type: type, entity_id: String(id) }, ...columns),
  };
}
