import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Return } from './return.entity.ts';
import { shopNow } from '../support/shop-clock.ts';

/** A card terminal's output about a refund, stored for its settle: such text never travels through a workflow. */
export const SettlePayload = defineEntity({
  name: 'SettlePayload',
  tableName: 'sale_return_settle_payload',
  properties: {
    requestId: p.string().length(64).primary(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    rawPayload: p.text(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
  },
});

export type SettlePayload = InferEntity<typeof SettlePayload>;
