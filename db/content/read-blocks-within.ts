import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A block's source text in its published version, for content that contains it. */
export type BlockWithin = RowFrom<typeof selectBlocksWithin>;

/**
 * Blocks by their identifiers as each of some store views has them: published and active. A block whose liveview is
 * off is included, because it hides view 0's block.
 */
export const readBlocksWithin = (
  em: EntityManager,
  input: { storeIds: readonly number[]; identifiers: readonly string[] },
): Promise<BlockWithin[]> => selectBlocksWithin.all(em, input);

const selectBlocksWithin = sql('read-blocks-within.selectBlocksWithin')`
  select i.content_id, i.identifier, i.store_id, i.liveview,
    case when i.liveview then v.content else '' end as content,
    case when i.liveview then v.css else '' end as css
  from content_item i join content_publication p using (content_id)
    join content_version v on v.content_id = p.content_id and v.number = p.number
  where i.kind = 'block' and i.identifier = any($identifiers) and i.is_active and i.store_id = any($storeIds)`;
