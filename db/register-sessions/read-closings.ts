import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { closingNotFound } from '../../domain/refusals/register-sessions.ts';
import { freshReads } from '../support/fresh-reads.ts';
import { Closing } from './register-session.entity.ts';

/** The latest closing of a session; null where it was never closed. */
export const lastClosingOf = (em: EntityManager, sessionId: number): Promise<Closing | null> =>
  em.findOne(Closing, { sessionId }, { orderBy: { number: 'desc' } });

const figure = z.number().nullable();
const closed = z.object({
  cash: z.array(z.object({ currency: z.string(), expected: z.number(), counted: figure, over_short: figure })),
});

/** The cash of a closing, by currency. */
export const cashOf = ({ document }: Pick<Closing, 'document'>) => closed.parse(JSON.parse(document)).cash;

/** What the last closing of a drawer expected in cash, as decimal texts by currency; empty where a count closed it. */
export async function forcedCashOf(em: EntityManager, drawerId: number): Promise<ReadonlyMap<string, string>> {
  const last = await em.findOne(Closing, { drawerId }, { orderBy: { number: 'desc' } });
  if (!last?.isForced) return new Map();
  return new Map(cashOf(last).map(({ currency, expected }) => [currency, String(expected)]));
}

/** One closing. Refused with 404 for an unknown id. */
export async function findClosing(em: EntityManager, closingId: number): Promise<Closing> {
  const closing = await freshReads(em).findOne(Closing, { closingId });
  if (!closing) throw closingNotFound([closingId]);
  return closing;
}
