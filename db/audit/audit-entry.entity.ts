import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers, optionalTexts } from '../support/columns.ts';
import { textIndex } from '../support/search-indexes.ts';

export const changeSources = ['pos_terminal', 'admin', 'api'] as const;

/** One change of one field, never purged (spec 2.15). Names are copied as they were at the time. */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'pos_audit_log',
  properties: {
    logId: p.bigint('number').primary().autoincrement(),
    entityType: p.string().length(64),
    entityId: p.string().length(64),
    entityName: p.string().length(255).nullable(),
    fieldName: p.string().length(128),
    oldValue: p.text().nullable(),
    newValue: p.text().nullable(),
    changeSource: p.enum(changeSources).default('pos_terminal').index(),
    ...optionalIntegers('staffId', 'terminalId', 'locationId'),
    ...optionalTexts('staffName', 'terminalName', 'locationName'),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date())
      .index(),
  },
  indexes: [
    // With the key behind, a page in the trail's order starts where it starts, however much of the trail matches.
    textIndex('pos_audit_log', 'entity_type', '"entity_type"', ['log_id']),
    { properties: ['entityId'] },
    { properties: ['staffId', 'logId'] },
    { properties: ['terminalId', 'logId'] },
    { properties: ['locationId', 'logId'] },
  ],
});

export type AuditEntry = InferEntity<typeof AuditEntry>;
