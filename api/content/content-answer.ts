import { z } from 'zod';
import type { RenewalRow } from '../../db/content/content-renewals.ts';
import type { ContentRow } from '../../db/content/read-content.ts';
import { pageFields } from '../../domain/content/content-kind.ts';
import { isoDate } from '../wire/schemas.ts';
import { toStockDate } from '../wire/stock-date.ts';
import type { ContentType } from './content-type.ts';

const pageKeys = Object.fromEntries(pageFields.map((key) => [key, z.string().optional()]));

const renewalAnswer = z.object({
  places: z.int().meta({ description: 'What it is part of.' }),
  rendered: z.int().meta({ description: 'So many show it as it is now.' }),
  failed: z.int().meta({ description: 'So many could not be rendered with it.' }),
  started_at: isoDate,
  finished_at: isoDate.optional().meta({ description: 'Absent: a worker is at it.' }),
  failures: z
    .array(z.object({ id: z.int(), message: z.string() }))
    .meta({ description: 'What could not be rendered with it, 20 at most, and why.' }),
});

/** Content as its editors see it: the newest draft (platform facts 11). What the platform has no key for stands apart. */
export const contentAnswer = z
  .object({
    id: z.int(),
    identifier: z.string().optional(),
    attribute_code: z.string().optional(),
    product_id: z.int().optional(),
    category_id: z.int().optional(),
    title: z.string(),
    ...pageKeys,
    content: z.string(),
    creation_time: z.string(),
    update_time: z.string(),
    active: z.boolean(),
    extension_attributes: z.object({
      css: z.string(),
      store_id: z.int().meta({ description: 'The store view it is for; 0: every view that has none of its own.' }),
      liveview: z.boolean().meta({ description: 'Off: its texts are answered empty to the public, though published.' }),
      revision: z.int().meta({ description: 'One more with each change; send it back to hear of other editors.' }),
      version: z.int().meta({ description: 'The newest version, which this is.' }),
      published_version: z.int().optional().meta({ description: 'The version that is shown; absent: none.' }),
      changed_by: z.string(),
      renewal: renewalAnswer.optional().meta({
        description: 'Of a block within many others: how far these show it as it is now. Absent: all of them do.',
      }),
    }),
  })
  .meta({ id: 'Content' });

export type ContentAnswer = z.input<typeof contentAnswer>;

/** Content from its row. */
export const renderContentRow = (
  { kind, identifierKey, ownerKey }: ContentType,
  row: ContentRow,
  renewal?: RenewalRow,
): ContentAnswer => ({
  id: row.contentId,
  [identifierKey]: row.identifier,
  ...(ownerKey === undefined ? {} : { [ownerKey]: row.productId ?? row.categoryId }),
  title: row.title,
  ...(kind === 'page' ? { sort_order: '0', ...row.fields } : {}),
  content: row.content,
  creation_time: toStockDate(row.createdAt),
  update_time: toStockDate(row.updatedAt),
  active: row.isActive,
  extension_attributes: {
    css: row.css,
    store_id: row.storeId,
    liveview: row.liveview,
    revision: row.revision,
    version: row.draftNumber,
    ...(row.publishedNumber === null ? {} : { published_version: row.publishedNumber }),
    changed_by: row.changedBy,
    ...(renewal ? { renewal: renderRenewal(renewal) } : {}),
  },
});

const renderRenewal = ({ places, rendered, failed, startedAt, finishedAt, failures }: RenewalRow) => ({
  places,
  rendered,
  failed,
  started_at: startedAt.toISOString(),
  ...(finishedAt === null ? {} : { finished_at: finishedAt.toISOString() }),
  failures: failures.map(({ contentId, refusal }) => ({ id: contentId, message: refusal })),
});
