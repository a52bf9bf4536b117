import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { askComposed } from '../../db/support/composed.ts';
import { ledgerTables, type GatewayLedger } from './gateway-ledger.ts';
import type { Invariant } from './invariant.ts';
import { gatewayInvariants } from './invariants/gateway.ts';
import { invariants } from './invariants.ts';

export type Offender = Record<string, unknown>;

/** A rule that does not hold, with the first rows that break it. */
export interface Finding {
  id: string;
  sentence: string;
  rows: Offender[];
  /** There are more than these: how many, nobody counted. */
  hasMore: boolean;
}

export interface VerifyOptions {
  /** Reads what the gateway really did; without it only our own books are looked at. */
  readLedger?: () => Promise<GatewayLedger>;
  /** How long to wait before a rule that work in flight may break is asked again. */
  lookAgainAfterMs?: number;
}

/** A broken rule is told by its first rows, and one more is asked for to know whether there are more. */
const rowsTold = 50;
const looksAgain = 3;

/**
 * Asks every rule of the books, and with a ledger lays them beside the gateway's; reads only.
 *
 * A rule that work in flight may break for a moment is asked up to three times more, and only rows that break it each
 * time are told.
 *
 * @returns the rules that do not hold; none when the books are right
 */
export async function verify(em: EntityManager, options: VerifyOptions = {}): Promise<Finding[]> {
  const { readLedger, lookAgainAfterMs = 1_000 } = options;
  const findings: Finding[] = [];
  const look = async (invariant: Invariant, ask: () => Promise<Offender[]>) => {
    let rows = await ask();
    const hasMore = rows.length > rowsTold;
    for (let again = 0; invariant.needsQuiet && rows.length > 0 && again < looksAgain; again++) {
      await pause(lookAgainAfterMs);
      rows = inBoth(rows, await ask());
    }
    if (rows.length === 0) return;
    findings.push({ id: invariant.id, sentence: invariant.sentence, rows: rows.slice(0, rowsTold), hasMore });
  };

  for (const invariant of invariants) await look(invariant, () => offenders(em, invariant));
  if (readLedger) {
    for (const invariant of gatewayInvariants)
      await look(invariant, async () => offenders(em, invariant, await readLedger()));
  }
  return findings;
}

const offenders = (em: EntityManager, { sql }: Invariant, ledger?: GatewayLedger) =>
  askComposed<Offender>(em, {
    sql: `${ledger ? ledgerTables : ''} select * from (${sql}) as offender limit ${rowsTold + 1}`,
    parameters: ledger ? [JSON.stringify(ledger)] : [],
  });

function inBoth(earlier: Offender[], later: Offender[]): Offender[] {
  const seen = new Set(earlier.map((row) => JSON.stringify(row)));
  return later.filter((row) => seen.has(JSON.stringify(row)));
}
