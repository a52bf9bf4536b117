import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchStaff } from '../../db/staff/staff.repository.ts';
import { Staff } from '../../db/staff/staff.entity.ts';
import { emailKey } from '../../domain/staff/email-key.ts';
import { notFound } from '../../domain/errors.ts';
import { rowId } from './row-id.ts';

/** Somebody at the registers, by e-mail address or by id. Refused with 404. */
export async function staffNamed(em: EntityManager, given: string): Promise<Staff> {
  if (given.includes('@')) {
    const member = await em.findOne(Staff, { emailKey: emailKey(given) });
    if (!member) throw notFound('No member of staff has the e-mail %1.', [given]);
    return member;
  }
  const staffId = rowId(given, 'staff');
  const member = await em.findOne(Staff, { staffId });
  if (!member) throw noSuchStaff(staffId);
  return member;
}
