import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * Identifies this database to processors and outside providers; the migration creates its one row.
 *
 * Every outside name has this key and a random part after the id, because ids repeat in a second shop, a staging
 * system or a restored backup.
 */
export const Installation = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  properties: {
    installationId: p.bigint('number').primary(),
    /** Random; a restored or copied database gets a new one (`pos restored`). */
    installationKey: p.string().length(16),
    /** How often it was restored, plus one. */
    generation: p.integer().default(1),
    /**
     * When a restore from a backup was reported; null: never, or the books are complete again. Until then gateways
     * are asked before each refund for earlier refunds of the payment.
     */
    restoredAt: p.datetime(6).nullable(),
    /** Where the database lies, so that a copy is noticed; null: no worker has run on it yet. */
    home: p.string().length(64).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
  checks: [{ name: 'installation_one_row', expression: 'installation_id = 1' }],
});
export type Installation = InferEntity<typeof Installation>;
