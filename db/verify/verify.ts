import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Invariant } from './invariant.ts';
import { invariants } from './invariants.ts';

export type Offender = Record<string, unknown>;

/** A rule that does not hold, with the rows that break it. */
export interface Finding {
  id: string;
  sentence: string;
  rows: Offender[];
}

/** A broken rule is told by its first rows: whoever mends it asks the database for the rest. */
const rowsTold = 50;
const looksAgain = 3;

/**
 * Asks every rule of the books; reads only.
 *
 * A rule that work in flight may break for a moment is asked up to three times more, and only rows that break it each
 * time are told.
 *
 * @param lookAgainAfterMs how long to wait before asking again
 * @returns the rules that do not hold; none when the books are right
 */
export async function verify(em: EntityManager, { lookAgainAfterMs = 1_000 } = {}): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const invariant of invariants) {
    let rows = await offenders(em, invariant);
    for (let look = 0; invariant.needsQuiet && rows.length > 0 && look < looksAgain; look++) {
      await pause(lookAgainAfterMs);
      rows = inBoth(rows, await offenders(em, invariant));
    }
    if (rows.length > 0) findings.push({ id: invariant.id, sentence: invariant.sentence, rows });
  }
  return findings;
}

const offenders = (em: EntityManager, { sql }: Invariant) =>
  em.execute<Offender[]>(`select * from (${sql}) as offender limit ${rowsTold}`);

function inBoth(earlier: Offender[], later: Offender[]): Offender[] {
  const seen = new Set(earlier.map((row) => JSON.stringify(row)));
  return later.filter((row) => seen.has(JSON.stringify(row)));
}
