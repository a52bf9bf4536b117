import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers } from '../support/columns.ts';
import { countColumns, countIndex } from '../support/count-columns.ts';
import { auditLog } from '../support/counted-list.ts';

/** Number of audit entries of a kind in a month, a day or an hour. Written by `countGrowing`. */
export const AuditLogCount = defineEntity({
  name: 'AuditLogCount',
  tableName: 'pos_audit_log_count',
  properties: {
    ...countColumns,
    ...optionalIntegers('staffId', 'terminalId', 'locationId'),
    entityType: p.string().length(64).nullable(),
    changeSource: p.text().nullable(),
  },
  indexes: [countIndex(auditLog)],
});

export type AuditLogCount = InferEntity<typeof AuditLogCount>;
