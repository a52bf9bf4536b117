import type { booksOf } from '../books.ts';

/** The audit trail, first to last: what was changed, from what to what, and by whom. */
export const auditTrail = ({ find }: Pick<ReturnType<typeof booksOf>, 'find'>) =>
  find(
    ...(['pos_audit_log', {}, 'entity_type', 'entity_id', 'entity_name', 'field_name'] as const),
    ...(['old_value', 'new_value', 'change_source', 'staff_name'] as const),
  );
