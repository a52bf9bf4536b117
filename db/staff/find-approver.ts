import type { EntityManager } from '@mikro-orm/postgresql';
import { freshReads } from '../support/fresh-reads.ts';
import { Role, Staff } from './staff.entity.ts';

/** A member of staff who approves what another does, and what that member's role permits. */
export interface FoundApprover {
  account: string;
  email: string;
  name: string;
  permits(permission: string): boolean;
}

/** Null for an unknown or deactivated member; nothing is permitted where the role is inactive. */
export async function findApprover(em: EntityManager, staffId: number): Promise<FoundApprover | null> {
  const reads = freshReads(em);
  const staff = await reads.findOne(Staff, { staffId, isActive: true });
  if (!staff) return null;
  const role = await reads.findOne(Role, { roleId: staff.roleId, isActive: true });
  const permissions = (role ? JSON.parse(role.permissions) : {}) as Record<string, unknown>;
  return {
    account: `staff:${staffId}`,
    email: staff.email,
    name: `${staff.firstName} ${staff.lastName}`.trim(),
    permits: (permission) => permissions[permission] === true,
  };
}
