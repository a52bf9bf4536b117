import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Return } from './return.entity.ts';

/**
 * A person's comment of a request, stored until its verb is carried out: such text never travels through a workflow.
 */
export const ReturnNote = defineEntity({
  name: 'ReturnNote',
  tableName: 'sale_return_note',
  properties: {
    noteId: p.integer().primary().autoincrement(),
    returnId: () => p.manyToOne(Return).mapToPk().fieldName('return_id').index().deleteRule('cascade'),
    comment: p.text(),
    author: p.string().length(255).nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
});

export type ReturnNote = InferEntity<typeof ReturnNote>;
