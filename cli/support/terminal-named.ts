import type { EntityManager } from '@mikro-orm/postgresql';
import { Terminal } from '../../db/terminals/terminal.entity.ts';
import { invalid } from '../../domain/errors.ts';
import { rowId } from './row-id.ts';

/** The terminal with this name, else with this id. Refused with 400 when two have the name. */
export async function terminalNamed(em: EntityManager, given: string): Promise<number> {
  const [one, other] = await em.find(Terminal, { name: given }, { limit: 2 });
  if (other) throw invalid('Two terminals are called %1; name one by its id.', [given]);
  return one ? one.terminalId : rowId(given, 'terminal');
}
