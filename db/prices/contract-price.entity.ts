import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { amountColumn, quantityColumn, skuKeyOf } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';

/**
 * A customer's contract price for one product from a quantity on, in the base currency of the website (spec 4.5). The
 * SKU may be unknown to the catalog yet; its letters may be of any case, as those of products.
 */
export const ContractPrice = defineEntity({
  name: 'ContractPrice',
  tableName: 'pos_contract_price',
  properties: {
    contractPriceId: p.bigint('number').primary().autoincrement(),
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').deleteRule('cascade'),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('cascade'),
    sku: p.string().length(64),
    qty: quantityColumn(),
    price: amountColumn(),
    ...timestamps,
  },
  uniques: [
    {
      name: 'pos_contract_price_once',
      expression: `create unique index "pos_contract_price_once" on "pos_contract_price" ("customer_id", "website_id", ${skuKeyOf('"sku"')}, "qty")`,
    },
  ],
  checks: [
    { name: 'pos_contract_price_not_negative', expression: `price >= 0 and price <> 'NaN'` },
    { name: 'pos_contract_price_qty_positive', expression: `qty > 0 and qty <> 'NaN'` },
  ],
});

export type ContractPrice = InferEntity<typeof ContractPrice>;
