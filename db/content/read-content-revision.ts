import type { EntityManager } from '@mikro-orm/postgresql';
import { count } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** How often what anybody may see of content has changed, as far as committed; 0 where it never did. */
export const readContentRevision = async (em: EntityManager): Promise<number> => (await read.first(em))?.revision ?? 0;

const read = statement({ takes: {}, gives: { revision: count }, text: 'select revision from content_revision' });
