import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** How many lines the audit trail has up to one of them. At most one row, kept by `pos_audit_log_total()`. */
export const AuditCount = defineEntity({
  name: 'AuditCount',
  tableName: 'pos_audit_log_count',
  properties: {
    isIt: p.boolean().primary().default(true),
    upTo: p.bigint('number'),
    total: p.bigint('number'),
  },
  checks: [{ name: 'pos_audit_log_count_only_one', expression: 'is_it' }],
});

export type AuditCount = InferEntity<typeof AuditCount>;
