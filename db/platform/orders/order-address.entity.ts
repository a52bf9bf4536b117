import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalTexts } from '../../support/columns.ts';
import { Order } from './order.entity.ts';

export const addressTexts = [
  'firstname',
  'lastname',
  'middlename',
  'prefix',
  'suffix',
  'company',
  'city',
  'region',
  'regionCode',
  'postcode',
  'countryId',
  'telephone',
  'fax',
  'email',
  'vatId',
] as const;

/** The billing or shipping address of an order, as it was when the order was placed or last changed. */
export const OrderAddress = defineEntity({
  name: 'OrderAddress',
  tableName: 'sales_order_address',
  properties: {
    entityId: p.integer().primary().autoincrement(),
    order: () => p.manyToOne(Order).fieldName('order_id').index().deleteRule('cascade'),
    addressType: p.enum(['billing', 'shipping'] as const),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    regionId: p.integer().nullable(),
    customerId: p.integer().nullable(),
    customerAddressId: p.integer().nullable(),
    ...optionalTexts(...addressTexts),
  },
});

export type OrderAddress = InferEntity<typeof OrderAddress>;
