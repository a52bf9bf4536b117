import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, text, texts } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ContentItem } from './content-item.entity.ts';

/** A block as it was written in the version that is shown, for content that has it within. */
export type BlockWithin = RowFrom<typeof read>;

/** Of each identifier at most one, the view's own before that of view 0. Only what anybody may see: published, active, liveview on. */
export const readBlocksWithin = (
  em: EntityManager,
  given: { storeId: number; identifiers: readonly string[] },
): Promise<BlockWithin[]> => read.all(em, given);

const read = statement({
  takes: { identifiers: texts, storeId: integer },
  gives: { ...of(ContentItem, 'contentId', 'identifier'), content: text, css: text, isShown: flag },
  text: `
    select * from (
      select distinct on (i.identifier) i.content_id, i.identifier, v.content, v.css, i.liveview as is_shown
      from content_item i join content_publication p using (content_id)
        join content_version v on v.content_id = p.content_id and v.number = p.number
      where i.kind = 'block' and i.identifier = any($identifiers) and i.is_active and i.store_id in (0, $storeId)
      order by i.identifier, i.store_id desc) b
    where b.is_shown`,
});
