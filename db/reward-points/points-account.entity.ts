import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { pointsEntryKinds } from '../../domain/reward-points.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { Website } from '../platform/stores/store.entity.ts';

const momentOfEntry = () => p.datetime(6).defaultRaw('clock_timestamp()');

/** A customer's reward points on one website, created by its first entry; whole points, the sum of its entries. */
export const PointsAccount = defineEntity({
  name: 'PointsAccount',
  tableName: 'reward_points_account',
  properties: {
    accountId: p.bigint('number').primary().autoincrement(),
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').deleteRule('restrict'),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    balance: p.integer().default(0),
    updatedAt: momentOfEntry(),
  },
  checks: [{ name: 'reward_points_account_not_negative', expression: 'balance >= 0' }],
  uniques: [{ name: 'reward_points_account_once_per_website', properties: ['customerId', 'websiteId'] }],
});
export type PointsAccount = InferEntity<typeof PointsAccount>;

/** One movement of points. A trigger forbids changing or deleting it. */
export const PointsEntry = defineEntity({
  name: 'PointsEntry',
  tableName: 'reward_points_entry',
  properties: {
    entryId: p.bigint('number').primary().autoincrement(),
    accountId: () => p.manyToOne(PointsAccount).mapToPk().fieldName('account_id').deleteRule('restrict'),
    kind: p.enum(pointsEntryKinds),
    delta: p.integer(),
    /** The balance after it: the running sum. */
    balanceAfter: p.integer(),
    orderId: () => p.manyToOne(Order).mapToPk().fieldName('order_id').deleteRule('restrict').nullable(),
    reason: p.string().length(1_000),
    /** The same key is the same movement. */
    key: p.string().length(255).unique(),
    createdAt: momentOfEntry(),
  },
  checks: [
    {
      name: 'reward_points_entry_moves_its_way',
      expression: `delta <> 0 and (kind = 'adjusted' or (delta < 0) = (kind in ('spent', 'voided')))`,
    },
    { name: 'reward_points_entry_not_negative', expression: 'balance_after >= 0' },
  ],
  indexes: [
    { properties: ['accountId', 'entryId'] },
    { name: 'reward_points_entry_of_order', properties: ['orderId'], where: 'order_id is not null' },
  ],
});
export type PointsEntry = InferEntity<typeof PointsEntry>;

/**
 * An order whose points must be computed. A trigger adds it in the transaction of the payment or refund, and the
 * sweep deletes it when it books the points.
 */
export const PointsDue = defineEntity({
  name: 'PointsDue',
  tableName: 'reward_points_due',
  properties: {
    orderId: () => p.oneToOne(Order).mapToPk().primary().fieldName('order_id').deleteRule('cascade'),
    createdAt: momentOfEntry().index(),
  },
});
export type PointsDue = InferEntity<typeof PointsDue>;

/**
 * Points of an order whose goods came back after the points were spent: they are taken from the next points of the
 * account. The row is there as long as any are owed.
 */
export const PointsOwed = defineEntity({
  name: 'PointsOwed',
  tableName: 'reward_points_owed',
  properties: {
    orderId: () => p.oneToOne(Order).mapToPk().primary().fieldName('order_id').deleteRule('restrict'),
    accountId: () => p.manyToOne(PointsAccount).mapToPk().fieldName('account_id').index().deleteRule('restrict'),
    points: p.integer(),
    createdAt: momentOfEntry(),
  },
  checks: [{ name: 'reward_points_owed_above_none', expression: 'points > 0' }],
});
export type PointsOwed = InferEntity<typeof PointsOwed>;
