import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { factsOf, recordDifference, type Author, type Subject } from '../audit/record-difference.ts';
import { isStillNeeded } from '../support/records.ts';
import { transact } from '../support/transact.ts';
import { Terminal } from './terminal.entity.ts';
import { noSuchTerminal } from './terminal.repository.ts';

/**
 * Deletes a terminal (spec 4.2): its device must be activated again elsewhere. Its license stays and can be given to
 * another terminal; receipts and sessions keep its number. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 400 `Could not delete the terminal: %1`, while another record needs it.
 */
export async function deleteTerminal(
  em: EntityManager,
  { terminalId, by }: { terminalId: number; by?: Author },
): Promise<void> {
  const subject: Subject = { kind: 'terminal', id: terminalId };
  try {
    await transact(em, async (tx) => {
      const before = await factsOf(tx, subject);
      if ((await tx.nativeDelete(Terminal, { terminalId })) === 0) throw noSuchTerminal(terminalId);
      await recordDifference(tx, { subject, before, by });
    });
  } catch (error) {
    if (isStillNeeded(error)) throw invalid('Could not delete the terminal: %1', ['something still needs it']);
    throw error;
  }
}
