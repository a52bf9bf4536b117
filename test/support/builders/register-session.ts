import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { closeSession, type SessionToClose } from '../../../db/register-sessions/close-session.ts';
import { countSession, type CountToStore } from '../../../db/register-sessions/count-session.ts';
import { openSession, type SessionToOpen } from '../../../db/register-sessions/open-session.ts';
import { booksOf } from '../books.ts';
import { inMinutes } from '../moments.ts';
import { aStaffMember } from './counter.ts';

const hash = () => randomUUID().replaceAll('-', '').repeat(2);

/** A request to open the drawer of a new terminal at a new location, with 100.50 USD. */
export async function aSessionToOpen(orm: MikroORM): Promise<SessionToOpen> {
  const { insert } = booksOf(() => orm);
  const code = randomUUID().slice(0, 20);
  const locationId = Number((await insert('pos_location', { name: code, code }))['location_id']);
  const terminal = await insert('pos_terminal', { name: 'Register', location_id: locationId });
  const { staffId } = await aStaffMember(orm.em.fork());
  return {
    ...{ registerSessionUuid: randomUUID(), locationId, terminalId: Number(terminal['terminal_id']), staffId },
    opening: [{ currency: 'USD', counted: '100.5' }],
    ...{ requestHash: hash(), beginBefore: inMinutes(5).toISOString() },
  };
}

/** What agrees with the opening. */
export const aCount = (registerSessionUuid: string, counted = '100.5'): CountToStore => ({
  ...{ registerSessionUuid, countUuid: randomUUID(), lines: [{ currency: 'USD', tender: 'cash', counted }] },
  ...{ requestHash: hash(), beginBefore: inMinutes(5).toISOString() },
});

export const aClose = ({ registerSessionUuid, staffId }: SessionToOpen): SessionToClose => ({
  ...{ registerSessionUuid, explanations: [], closedBy: staffId ?? 0, approver: null },
  ...{ requestHash: hash(), beginBefore: inMinutes(5).toISOString() },
});

/** A session as far as a state. */
export async function aSession(orm: MikroORM, state: 'open' | 'counted' | 'closed' = 'open'): Promise<SessionToOpen> {
  const session = await aSessionToOpen(orm);
  await openSession(orm.em, session);
  if (state !== 'open') await countSession(orm.em, aCount(session.registerSessionUuid));
  if (state === 'closed') await closeSession(orm.em, aClose(session));
  return session;
}

/** A session counted ten short, whose close waits for a second person; `vendor_pos/closing/approve_above` is below. */
export async function aDifference(orm: MikroORM, closedBy?: number) {
  const session = await aSession(orm);
  const { registerSessionUuid } = session;
  for (let count = 0; count < 2; count++) await countSession(orm.em, aCount(registerSessionUuid, '90.5'));
  const close = { ...aClose(session), ...(closedBy === undefined ? {} : { closedBy }) };
  await closeSession(orm.em, close);
  const { find } = booksOf(() => orm);
  const [stored] = await find('pos_register_session', { register_session_uuid: registerSessionUuid });
  const [approval] = await find('pos_closing_approval', { session_id: stored?.['session_id'] });
  return { close, approvalId: Number(approval?.['approval_id']) };
}
