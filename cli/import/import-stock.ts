import { sourceItemPayload } from '../../api/platform/inventory/source-item-payload.ts';
import { existingSources } from '../../db/platform/inventory/existing-sources.ts';
import { setSourceItems } from '../../db/platform/inventory/set-source-items.ts';
import { storedSku } from '../../db/platform/catalog/read-products.ts';
import { transact } from '../../db/support/transact.ts';
import { invalid, noSuchProduct } from '../../domain/errors.ts';
import { none } from '../../domain/money/quantity.ts';
import { skuKey } from '../../domain/platform/catalog/sku-key.ts';
import { asSent, cell, wrongCell, type ImportKind } from './import-kind.ts';

const own: ReadonlySet<string> = new Set(['sku', 'source', 'source_code', 'quantity', 'status']);

const columnOf = { sourceCode: 'source' };

/**
 * Imports quantities in stock, as absolute figures, by the schema of their route. `status` 1 or 0: for sale or not.
 * Without it: for sale when the quantity is positive. The platform's `source_code` is the `source`.
 */
export const stock: ImportKind = {
  columns: ['sku', 'quantity'],
  async open(_em, columns) {
    if (!columns.includes('source') && !columns.includes('source_code'))
      throw invalid('The first line has no column %1.', ['source']);
    const others = columns.filter((column) => !own.has(column));
    return {
      leftOut: new Map(others.map((column) => [column, 'no part of a quantity in stock'])),
      read(row) {
        const sourceCode = cell(row, 'source') ?? cell(row, 'source_code');
        const { sku = '', ...item } = asSent(
          sourceItemPayload,
          { sku: row['sku'], sourceCode, quantity: cell(row, 'quantity'), status: cell(row, 'status') },
          columnOf,
        );
        const { quantity, sourceCode: source = '' } = item;
        if (quantity === undefined || quantity < none) throw wrongCell('quantity', row['quantity']);
        const { status = quantity > none ? 1 : 0 } = item;
        if (status !== 0 && status !== 1) throw wrongCell('status', row['status']);
        return {
          key: `${skuKey(sku)}\n${source}`,
          async save(em) {
            if (!(await existingSources(em, [source])).has(source))
              throw invalid('No source has the code %1.', [source]);
            const stored = await storedSku(em, sku);
            if (stored === undefined) throw noSuchProduct(sku);
            const lying = { sku: stored, sourceCode: source, quantity, status };
            await transact(em, (tx) => setSourceItems(tx, [lying]));
            return [];
          },
        };
      },
    };
  },
};
