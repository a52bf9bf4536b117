import type { EntityManager } from '@mikro-orm/postgresql';
import { Staff } from '../../db/staff/staff.entity.ts';
import { noSuchStaff } from '../../db/staff/read-staff.ts';
import { Terminal } from '../../db/terminals/terminal.entity.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { emailKey } from '../../domain/staff.ts';
import { rowId } from '../support.ts';

/** Somebody at the registers, by e-mail address or by id. Refused with 404. */
export async function staffNamed(em: EntityManager, input: string): Promise<Staff> {
  if (input.includes('@')) {
    const member = await em.findOne(Staff, { emailKey: emailKey(input) });
    if (!member) throw notFound('No member of staff has the e-mail %1.', [input]);
    return member;
  }
  const staffId = rowId(input, 'staff');
  const member = await em.findOne(Staff, { staffId });
  if (!member) throw noSuchStaff(staffId);
  return member;
}

/** The terminal with this name, else with this id. Refused with 400 when two have the name. */
export async function terminalNamed(em: EntityManager, input: string): Promise<number> {
  const [one, other] = await em.find(Terminal, { name: input }, { limit: 2 });
  if (other) throw invalid('Two terminals are called %1; name one by its id.', [input]);
  return one ? one.terminalId : rowId(input, 'terminal');
}
