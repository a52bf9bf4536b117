import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { basePrefixed, quantityColumn, zeroAmounts } from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { documentItemColumns, documentMoney } from '../orders/document-money.ts';
import { Order } from '../orders/order.entity.ts';

/** 1 open, 2 paid, 3 canceled (platform facts 6). */
export const invoiceStates = { open: 1, paid: 2, canceled: 3 } as const;

/** A demand for money. It is written with its goods and paid later or at once. */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'sales_invoice',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').index().deleteRule('restrict'),
    incrementId: p.string().length(50),
    storeId: p.bigint('number'),
    state: p.integer().default(invoiceStates.open),
    totalQty: quantityColumn(),
    ...zeroAmounts(...documentMoney, ...basePrefixed(...documentMoney)),
    ...zeroAmounts('baseTotalRefunded'),
    transactionId: p.string().length(255).nullable(),
    isUsedForRefund: p.boolean().default(false),
    emailSent: p.integer().nullable(),
    items: () => p.oneToMany(InvoiceItem).mappedBy('invoice'),
    ...timestamps,
  },
  indexes: [{ properties: ['createdAt'] }, { properties: ['updatedAt'] }, { properties: ['state', 'entityId'] }],
  uniques: [{ name: 'sales_invoice_increment_id_once_per_store', properties: ['incrementId', 'storeId'] }],
});
export type Invoice = InferEntity<typeof Invoice>;

export const InvoiceItem = defineEntity({
  name: 'InvoiceItem',
  tableName: 'sales_invoice_item',
  properties: {
    entityId: p.bigint('number').primary().autoincrement(),
    invoice: () => p.manyToOne(Invoice).fieldName('parent_id').index().deleteRule('cascade'),
    ...documentItemColumns(),
  },
});
export type InvoiceItem = InferEntity<typeof InvoiceItem>;
