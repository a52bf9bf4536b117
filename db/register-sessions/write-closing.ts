import { hash as hashed } from 'node:crypto';
import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { add, subtract, zero, type Amount } from '../../domain/money.ts';
import { closingDocument, type ClosingFacts, type Person } from '../../domain/register-sessions/closing-document.ts';
import { compareWithCount, type Moved } from '../../domain/register-sessions/drawer-figures.ts';
import type { Explanation } from '../../domain/register-sessions/session-words.ts';
import { Staff } from '../staff/staff.entity.ts';
import type { FiguresNow } from './figures-now.ts';
import { lastClosingOf } from './read-closings.ts';
import { Closing, Drawer, SessionCount, SessionMovement, type RegisterSession } from './register-session.entity.ts';
import { businessDayOf } from './session-clock.ts';
import { markLate, readLate, readReceiptNumbers, readSums, readTaxes } from './session-figures.ts';

interface ClosingToWrite {
  /** Locked for update. */
  session: RegisterSession;
  /** Null where nobody counted. */
  count: SessionCount | null;
  figures: Pick<FiguresNow, 'moved' | 'figures'>;
  closer: Pick<Staff, 'staffId' | 'firstName' | 'lastName'> | null;
  explanations: readonly Explanation[];
  approvedBy: string | null;
  isForced: boolean;
  now: Date;
}

/**
 * Writes the next closing of a drawer in the transaction that closes its session: the drawer's row gives the number,
 * and the digest of the closing before.
 */
export async function writeClosing(tx: EntityManager, closing: ClosingToWrite): Promise<void> {
  const { session, count, isForced, now } = closing;
  const { sessionId, drawerId, locationId, terminalId } = session;
  const drawer = await tx.findOneOrFail(Drawer, { drawerId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const replaced = await lastClosingOf(tx, sessionId);
  const number = drawer.lastNumber + 1;
  const businessDay = await businessDayOf(tx, { locationId, moment: session.openedAt });
  const lines = compareWithCount(closing.figures.figures, count?.lines);
  const document = closingDocument({
    ...{ drawerId, number, locationId, terminalId, businessDay, isForced, lines },
    registerSessionUuid: session.registerSessionUuid,
    replaces: replaced?.number ?? null,
    openedAt: session.openedAt.toISOString(),
    countedAt: count?.createdAt.toISOString() ?? null,
    closedAt: now.toISOString(),
    opening: session.opening,
    explanations: closing.explanations,
    ...(await movedFacts(tx, session, closing.figures.moved)),
    noSales: await tx.count(SessionMovement, { sessionId, kind: 'no_sale' }),
    counts: session.countsMade,
    isNotBlind: count?.isNotBlind ?? false,
    late: await readLate(tx, { drawerId, replacedId: replaced?.closingId ?? null }),
    openedBy: await personOf(tx, session.staffId),
    closedBy: closing.closer === null ? { staffId: null, name: null } : named(closing.closer),
    approvedBy: closing.approvedBy,
    previousHash: drawer.lastHash ?? null,
  });
  const hash = digestOf(document);
  const stored = tx.create(Closing, {
    ...{ drawerId, number, sessionId, locationId, terminalId, businessDay, isForced, document, hash, closedAt: now },
    replaces: replaced?.number ?? null,
    previousHash: drawer.lastHash,
    hasDifference: lines.some(({ difference }) => difference !== null && difference !== zero),
  });
  Object.assign(drawer, { lastNumber: number, lastHash: hash });
  Object.assign(session, { state: 'closed', closedAt: now, areFiguresShown: true });
  await tx.flush();
  await markLate(tx, { drawerId, replacedId: replaced?.closingId ?? null, closingId: stored.closingId });
}

const named = ({ staffId, firstName, lastName }: Pick<Staff, 'staffId' | 'firstName' | 'lastName'>): Person => ({
  staffId,
  name: `${firstName} ${lastName}`.trim(),
});

/** The SHA-256 of a closing's document, in hexadecimal. */
export const digestOf = (document: string): string => hashed('sha256', document);

async function personOf(tx: EntityManager, staffId: number | null | undefined): Promise<Person> {
  if (staffId === null || staffId === undefined) return { staffId: null, name: null };
  const staff = await tx.findOne(Staff, { staffId }, { fields: ['firstName', 'lastName'] });
  return staff ? named({ ...staff, staffId }) : { staffId, name: null };
}

type MovedFacts = Pick<ClosingFacts, 'cash' | 'taxes' | 'sums' | 'credits' | 'layawayParts' | 'receipts'>;

async function movedFacts(
  tx: EntityManager,
  { sessionId, opening }: RegisterSession,
  moved: readonly Moved[],
): Promise<MovedFacts> {
  const currencies = new Set([...opening, ...moved].map(({ currency }) => currency));
  const numbers = await readReceiptNumbers(tx, sessionId);
  return {
    cash: [...currencies].toSorted().map((currency) => ({
      currency,
      cashIn: sumOf(moved, (line) => line.currency === currency && line.kind === 'cash_in', 'moneyIn'),
      cashOut: sumOf(moved, (line) => line.currency === currency && line.kind === 'cash_out', 'moneyOut'),
      drops: sumOf(moved, (line) => line.currency === currency && line.kind === 'drop', 'moneyOut'),
    })),
    taxes: await readTaxes(tx, sessionId),
    sums: await readSums(tx, sessionId),
    credits: creditsOf(moved),
    layawayParts: moved
      .filter(({ kind }) => kind === 'deposit')
      .map(({ currency, tender, count, moneyIn, moneyOut }) => ({
        ...{ currency, tender, count, amount: subtract(moneyIn, moneyOut) },
      })),
    receipts: { count: numbers?.count ?? 0, first: numbers?.first ?? null, last: numbers?.last ?? null },
  };
}

const sumOf = (moved: readonly Moved[], which: (line: Moved) => boolean, of: 'moneyIn' | 'moneyOut'): Amount =>
  add(...moved.filter(which).map((line) => line[of]));

function creditsOf(moved: readonly Moved[]): MovedFacts['credits'] {
  const credits = new Map<string, { currency: string; kind: string; redeemed: Amount; issued: Amount }>();
  for (const { currency, tender, kind, moneyIn } of moved) {
    if (!kind.startsWith('credit_')) continue;
    const key = `${currency} ${tender}`;
    const line = credits.get(key) ?? { currency, kind: tender, redeemed: zero, issued: zero };
    if (kind === 'credit_redeemed') line.redeemed = add(line.redeemed, moneyIn);
    else line.issued = add(line.issued, moneyIn);
    credits.set(key, line);
  }
  return [...credits.values()];
}
