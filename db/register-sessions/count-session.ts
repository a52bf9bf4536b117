import type { EntityManager } from '@mikro-orm/postgresql';
import {
  cashNotCounted,
  currencyNotOpened,
  sessionIsClosed,
  sessionIsCounted,
  tenderUnknown,
  uuidReused,
} from '../../domain/refusals/register-sessions.ts';
import {
  compareWithCount,
  differsByMoreThan,
  type TenderFigures,
} from '../../domain/register-sessions/drawer-figures.ts';
import type { CountLine } from '../../domain/register-sessions/session-words.ts';
import { refuseTooLate } from '../support/begin-before.ts';
import { transact } from '../support/transact.ts';
import { readClosingSettings } from './closing-settings.ts';
import { figuresNow } from './figures-now.ts';
import { lockSession, refuseOtherBody } from './find-session.ts';
import { SessionCount, type RegisterSession } from './register-session.entity.ts';

export interface CountToStore {
  registerSessionUuid: string;
  countUuid: string;
  lines: CountLine[];
  requestHash: string;
  beginBefore: string;
}

/** Tenders that a shop has whether they moved or not. */
const knownTenders: readonly string[] = ['cash', 'card', 'banktransfer', 'checkmo', 'purchaseorder'];

/**
 * Stores a blind count of a drawer. It is accepted where it agrees, by `vendor_pos/closing/recount_above`, and where no
 * further count is permitted; then the session is counted. Otherwise the session stays open. A repeat changes nothing.
 *
 * Refused with: 404 unknown session · 409 `session_closed`, `session_counted` · 400 a currency that was not opened, an
 * unknown tender, cash that was not counted · 422 another body · 503 too late.
 */
export const countSession = (em: EntityManager, { beginBefore, ...request }: CountToStore): Promise<void> =>
  transact(em, async (tx) => {
    const { registerSessionUuid, countUuid, lines, requestHash } = request;
    const session = await lockSession(tx, registerSessionUuid);
    const stored = await tx.findOne(SessionCount, { countUuid });
    if (stored) {
      refuseOtherBody(countUuid, stored, requestHash);
      if (stored.sessionId !== session.sessionId) throw uuidReused([countUuid]);
      return;
    }
    await refuseTooLate(tx, beginBefore);
    if (session.state === 'closed') throw sessionIsClosed([registerSessionUuid]);
    if (session.state === 'counted') throw sessionIsCounted([registerSessionUuid]);
    const { figures, movementsHash } = await figuresNow(tx, session);
    refuseLines(session, figures, lines);
    const { recountAbove } = await readClosingSettings(tx, session.locationId);
    session.countsMade += 1;
    const isLast = session.countsMade >= session.countsPermitted;
    const isAccepted = isLast || !differsByMoreThan(compareWithCount(figures, lines), recountAbove);
    tx.create(SessionCount, {
      ...{ sessionId: session.sessionId, countUuid, number: session.countsMade, lines, requestHash, movementsHash },
      result: isAccepted ? 'accepted' : 'recount',
      isNotBlind: session.areFiguresShown,
    });
    if (isAccepted) session.state = 'counted';
    if (isLast) session.areFiguresShown = true;
  });

function refuseLines(
  { opening }: RegisterSession,
  figures: readonly TenderFigures[],
  lines: readonly CountLine[],
): void {
  for (const { currency, tender } of lines) {
    if (!opening.some((line) => line.currency === currency)) throw currencyNotOpened([currency]);
    if (!knownTenders.includes(tender) && !figures.some((line) => line.tender === tender))
      throw tenderUnknown([tender]);
  }
  for (const { currency } of opening)
    if (!lines.some((line) => line.currency === currency && line.tender === 'cash')) throw cashNotCounted([currency]);
}
