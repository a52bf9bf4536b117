import { existingSources } from '../../db/platform/inventory/read-sources.ts';
import { setSourceItems } from '../../db/platform/inventory/set-source-items.ts';
import { Product } from '../../db/platform/catalog/product.entity.ts';
import { invalid, noSuchProduct } from '../../domain/errors.ts';
import { parseQuantity } from '../../domain/money/quantity.ts';
import { transact } from '../../db/support/transact.ts';
import { cell, type ImportKind } from './import-kind.ts';

/**
 * Imports quantities in stock, as absolute figures. `status` 1 or 0: for sale or not. Without it: for sale when the
 * quantity is positive.
 */
export const stock: ImportKind = {
  columns: ['sku', 'source', 'quantity'],
  keyOf: (row) => `${row['sku'] ?? ''}\n${row['source'] ?? ''}`,
  async save(em, row) {
    const { sku = '', source = '' } = row;
    const quantity = parseQuantity(row['quantity'] ?? '');
    if (quantity === undefined || quantity < 0) throw invalid('quantity cannot be "%1".', [row['quantity']]);
    const status = cell(row, 'status') ?? (quantity > 0 ? '1' : '0');
    if (status !== '0' && status !== '1') throw invalid('status cannot be "%1".', [status]);
    if (!(await existingSources(em, [source])).has(source)) throw invalid('No source has the code %1.', [source]);
    if (!(await em.count(Product, { sku }))) throw noSuchProduct(sku);
    await transact(em, (tx) => setSourceItems(tx, [{ sku, sourceCode: source, quantity, status: Number(status) }]));
  },
};
