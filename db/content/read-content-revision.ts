import type { EntityManager } from '@mikro-orm/postgresql';
import { count } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** The number of committed changes of public content; 0 where there was none. */
export const readContentRevision = async (em: EntityManager): Promise<number> => (await read.first(em))?.revision ?? 0;

const read = statement({ takes: {}, gives: { revision: count }, text: 'select revision from content_revision' });
