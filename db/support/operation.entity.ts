import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The operation log: a key made by the workflow, and what was answered. A step that runs again answers the same. */
export const Operation = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    operationKey: p.string().length(255).primary(),
    kind: p.string().length(64),
    result: p.json<unknown>().nullable(),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
  },
});

export type Operation = InferEntity<typeof Operation>;
