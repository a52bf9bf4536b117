import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Return } from './return.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

/** A verb of a return that was carried out for a request: a repeat of the request finds it done. */
export const ReturnOperation = defineEntity({
  name: 'ReturnOperation',
  tableName: 'sale_return_operation',
  properties: {
    operationKey: p.string().length(64).primary(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    /** The refund attempt that it opened; its state tells how the operation ended. */
    refundAttemptId: p.integer().nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
  indexes: [{ properties: ['createdAt'] }],
});

export type ReturnOperation = InferEntity<typeof ReturnOperation>;
