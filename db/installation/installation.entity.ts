import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * This database as processors and providers outside can tell it from any other: its one row is made by the migration.
 *
 * Whatever we call something outside has the key and a part of its own behind the id, for ids begin again: in a second
 * shop, in a staging system, in a restored backup.
 */
export const Installation = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    installationId: p.integer().primary(),
    /** Made by chance; a restored or copied database gets another one (`pos restored`). */
    installationKey: p.string().length(16),
    /** How often it was restored, plus one. */
    generation: p.integer().default(1),
    /**
     * When it was said to be restored from a backup; null: never, or all that the backup lacked is in the books again.
     * Until then gateways are asked before each refund what they gave back of the payment.
     */
    restoredAt: p.datetime(6).nullable(),
    /** Where it lies, so that a copy is noticed; null: no worker has run on it yet. */
    home: p.string().length(64).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'installation_one_row', expression: 'installation_id = 1' }],
});
export type Installation = InferEntity<typeof Installation>;
