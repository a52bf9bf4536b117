import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIds, optionalTexts, textIndex } from './support/columns.ts';
import { auditLog, countColumns, countIndex } from './support/counted-list.ts';
import { shopNow } from './support/shop-clock.ts';

export const changeSources = ['pos_terminal', 'admin', 'api'] as const;

/** One change of one field, never purged (spec 2.15). It keeps the names of that time. */
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
    ...optionalIds('staffId', 'terminalId', 'locationId'),
    ...optionalTexts('staffName', 'terminalName', 'locationName'),
    createdAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow())
      .index(),
  },
  indexes: [
    // With the key at its end, a page in the trail's order is found directly, however many entries match.
    textIndex('pos_audit_log', 'entity_type', '"entity_type"', ['log_id']),
    { properties: ['entityId'] },
    { properties: ['staffId', 'logId'] },
    { properties: ['terminalId', 'logId'] },
    { properties: ['locationId', 'logId'] },
  ],
});

export type AuditEntry = InferEntity<typeof AuditEntry>;

/** Number of audit entries of a kind in a month, a day or an hour. Written by `countGrowing`. */
export const AuditLogCount = defineEntity({
  name: 'AuditLogCount',
  tableName: 'pos_audit_log_count',
  properties: {
    ...countColumns,
    ...optionalIds('staffId', 'terminalId', 'locationId'),
    entityType: p.string().length(64).nullable(),
    changeSource: p.text().nullable(),
  },
  indexes: [countIndex(auditLog)],
});

export type AuditLogCount = InferEntity<typeof AuditLogCount>;
