import { createHash } from 'node:crypto';
import { openRows, type OpenImport, type Reading } from './read-rows.ts';

/** What rows of a file say of each other. */
export interface RowsAhead {
  rows: number;
  /** Whether some rows are saved after all others. */
  hasLate: boolean;
  /** Why a row is not saved: another row of the file contradicts it. Undefined: none does. */
  contradiction: (reading: Reading) => string | undefined;
}

/** The rows that speak of one thing. */
interface Spoken {
  /** A digest of what the first one says. */
  claim: string;
  row: number;
  /** The first row that says something else. */
  otherRow?: number;
}

/**
 * Reads a whole file before its first row is saved, because what a row means may be in a row after it. Nothing is
 * saved. It keeps about a hundred bytes for each record that the file names.
 */
export async function readAhead(file: string, open: OpenImport): Promise<RowsAhead> {
  if (open.learn)
    for await (const { row, fault } of (await openRows(file)).rows) if (fault === undefined) open.learn(row);
  const spoken = new Map<string, Spoken>();
  let number = 0;
  let hasLate = false;
  open.begin?.();
  for await (const { row, fault } of (await openRows(file)).rows) {
    number++;
    const reading = fault === undefined ? readingOrNone(open, row) : undefined;
    if (!reading || 'leftOut' in reading) continue;
    hasLate ||= reading.isLate === true;
    if (reading.claim !== undefined) note(spoken, reading, { claim: digestOf(reading.claim), row: number });
  }
  open.begin?.();
  return {
    ...{ rows: number, hasLate },
    contradiction(reading) {
      if ('leftOut' in reading || reading.claim === undefined) return undefined;
      const { row, otherRow } = spoken.get(identityOf(reading)) ?? {};
      if (row === undefined || otherRow === undefined) return undefined;
      return `Rows ${row} and ${otherRow} are different and name the same record. Correct or remove one of them.`;
    },
  };
}

type Saved = Exclude<Reading, { leftOut: string }>;

function note(spoken: Map<string, Spoken>, reading: Saved, now: { claim: string; row: number }): void {
  const identity = identityOf(reading);
  const first = spoken.get(identity);
  if (!first) spoken.set(identity, now);
  else if (first.otherRow === undefined && first.claim !== now.claim) first.otherRow = now.row;
}

const identityOf = ({ key, identity = key }: Saved) => identity;

/** Short, because a file may name millions of records. */
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, 12);

/** A row that is refused contradicts no other. */
function readingOrNone(open: OpenImport, row: Parameters<OpenImport['read']>[0]): Reading | undefined {
  try {
    return open.read(row);
  } catch {
    return undefined;
  }
}
