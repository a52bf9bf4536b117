import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import {
  sessionStaffUnknown,
  drawerAlreadyOpen,
  drawerNotFound,
  drawerOfOtherLocation,
  terminalOfOtherLocation,
} from '../../domain/refusals/register-sessions.ts';
import { locationNotFound, terminalNotFound } from '../../domain/refusals/register.ts';
import type { OpeningLine } from '../../domain/register-sessions/session-words.ts';
import { Location } from '../locations/location.entity.ts';
import { Staff } from '../staff/staff.entity.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { Terminal } from '../terminals/terminal.entity.ts';
import { readClosingSettings } from './closing-settings.ts';
import { refuseOtherBody } from './find-session.ts';
import { forcedCashOf } from './read-closings.ts';
import { Drawer, RegisterSession } from './register-session.entity.ts';
import { claimMovements, sessionClock } from './session-clock.ts';

export interface SessionToOpen {
  registerSessionUuid: string;
  terminalId: number;
  /** Absent: the default drawer of the terminal, which is made with its first session. */
  drawerId?: number | undefined;
  locationId: number;
  staffId: number | null;
  opening: OpeningLine[];
  /** Tells a repeat from another body. */
  requestHash: string;
  /** Nothing is opened after it, by the database's clock. */
  beginBefore: string;
}

/**
 * Opens a session of a drawer. A repeat changes nothing. Movements that named the session before it was opened join it.
 * Where the closing before was forced, each currency keeps what that closing expected, beside what was counted now.
 *
 * Refused with: 404 unknown location, terminal, drawer · 400 one of another location, an unknown member of staff · 409
 * `drawer_already_open` · 422 another body · 503 too late.
 */
export const openSession = (em: EntityManager, request: SessionToOpen): Promise<void> =>
  transact(em, async (tx) => {
    if (await isOpened(tx, request)) return;
    await refuseTooLate(tx, request.beginBefore);
    await checkPlace(tx, request);
    const drawer = await lockDrawer(tx, request);
    if (await isOpened(tx, request)) return;
    const { drawerId } = drawer;
    const running = await tx.findOne(RegisterSession, { drawerId, state: { $ne: 'closed' } });
    if (running)
      throw drawerAlreadyOpen({
        1: running.registerSessionUuid,
        drawer_id: drawerId,
        register_session_uuid: running.registerSessionUuid,
      });
    const { registerSessionUuid, terminalId, locationId, staffId, requestHash } = request;
    const { forceAfterHours, countsAllowed } = await readClosingSettings(tx, locationId);
    const { now, forcedAfter } = await sessionClock(tx, { locationId, forceAfterHours });
    tx.create(RegisterSession, {
      ...{ registerSessionUuid, terminalId, locationId, staffId, requestHash, drawerId },
      state: 'open',
      opening: await compared(tx, drawerId, request.opening),
      openedAt: now,
      forcedAfter,
      countsPermitted: countsAllowed,
    });
    await tx.flush();
    await claimMovements(tx, registerSessionUuid);
  });

async function isOpened(
  tx: EntityManager,
  { registerSessionUuid, requestHash }: Pick<SessionToOpen, 'registerSessionUuid' | 'requestHash'>,
): Promise<boolean> {
  const stored = await tx.findOne(RegisterSession, { registerSessionUuid });
  if (stored) refuseOtherBody(registerSessionUuid, stored, requestHash);
  return stored !== null;
}

async function checkPlace(tx: EntityManager, { locationId, terminalId, staffId }: SessionToOpen): Promise<void> {
  if ((await tx.count(Location, { locationId })) === 0) throw locationNotFound([locationId]);
  const terminal = await tx.findOne(Terminal, { terminalId }, { fields: ['locationId'] });
  if (!terminal) throw terminalNotFound([terminalId]);
  const ofTerminal = Number(terminal.locationId ?? 0);
  if (ofTerminal !== locationId) throw terminalOfOtherLocation([terminalId, ofTerminal]);
  if (staffId !== null && (await tx.count(Staff, { staffId })) === 0) throw sessionStaffUnknown([staffId]);
}

/** Two registers that open one drawer wait for each other here. */
async function lockDrawer(
  tx: EntityManager,
  { terminalId, drawerId, locationId }: Pick<SessionToOpen, 'terminalId' | 'drawerId' | 'locationId'>,
): Promise<Drawer> {
  if (drawerId === undefined)
    await tx.upsert(
      Drawer,
      { terminalId, locationId, name: `Terminal ${terminalId}`, lastNumber: 0 },
      { onConflictFields: ['terminalId'], onConflictAction: 'ignore' },
    );
  const which = drawerId === undefined ? { terminalId } : { drawerId };
  const drawer = await tx.findOne(Drawer, which, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!drawer) throw drawerNotFound([drawerId ?? 0]);
  if (drawer.locationId === locationId) return drawer;
  // The terminal moved to another location, and its drawer with it.
  if (drawer.terminalId !== terminalId) throw drawerOfOtherLocation([drawer.drawerId, drawer.locationId]);
  drawer.locationId = locationId;
  return drawer;
}

/** What a forced closing expected stays with the opening that follows it: nobody counted the drawer in between. */
async function compared(tx: EntityManager, drawerId: number, opening: readonly OpeningLine[]): Promise<OpeningLine[]> {
  const forced = await forcedCashOf(tx, drawerId);
  return opening.map((line) => {
    const expected = forced.get(line.currency);
    return expected === undefined ? line : { ...line, expected };
  });
}
