import { z } from 'zod';
import type { RenewalRow } from '../../db/content/render-places.ts';
import type { ContentItem } from '../../db/content/content.entity.ts';
import type { ContentInput } from '../../db/content/content.ts';
import { pageFields, alreadyTaken, type ContentFields } from '../../domain/content.ts';
import type { Outcome } from '../http/route.ts';
import { unknownEntity, requiredField } from '../wire/outcomes.ts';
import { flag, idParam, integer, isoDate, payload, text } from '../wire/schemas.ts';
import { toStockDate } from '../wire/criteria.ts';
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

/**
 * Content as its editors see it: the newest draft (platform facts 11). What the platform has no key for stands apart.
 */
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

type ContentAnswer = z.input<typeof contentAnswer>;

/** Content from its row. */
export const renderContentRow = (
  { kind, identifierKey, ownerKey }: ContentType,
  row: ContentItem,
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

const names = {
  page: 'opening-hours',
  block: 'customer_display',
  product_attribute: 'description',
  category_attribute: 'description',
  template: 'Two columns',
  snippet: 'Free delivery',
} as const;

const owners = { product_attribute: { product_id: 12 }, category_attribute: { category_id: 3 } } as const;

const own = ({ kind, identifierKey }: ContentType) => ({
  [identifierKey]: names[kind],
  ...(kind === 'product_attribute' || kind === 'category_attribute' ? owners[kind] : {}),
});

/** A body as an editor sends it. */
export const exampleBody = (type: ContentType) => ({
  [type.key]: {
    ...own(type),
    title: 'Good morning',
    content: '<p>Fresh coffee at the counter.</p>',
    active: true,
    extension_attributes: { css: 'p { color: teal }', liveview: true },
  },
});

/** What is answered for it, published or not. */
export const exampleAnswer = (type: ContentType, published?: number): ContentAnswer => ({
  id: 7,
  ...own(type),
  title: 'Good morning',
  ...(type.kind === 'page' ? { [pageFields[5]]: '0' } : {}),
  content: '<p>Fresh coffee at the counter.</p>',
  creation_time: '2026-11-23 09:30:00',
  update_time: '2026-11-23 09:30:00',
  active: true,
  extension_attributes: {
    css: 'p { color: teal }',
    store_id: 1,
    liveview: true,
    revision: published === undefined ? 1 : 2,
    version: 1,
    ...(published === undefined ? {} : { published_version: published }),
    changed_by: 'ada',
  },
});

/** Refusals of most content routes, in the words of `domain/content.ts`. */

export const unknownContent = ({ kind, noun }: ContentType): Outcome => ({
  status: 404,
  message:
    kind === 'page' || kind === 'block'
      ? `The CMS ${noun} with the "%1" ID doesn't exist.`
      : `The ${noun} with the "%1" ID doesn't exist.`,
  when: `There is no ${noun} of this id.`,
});

export const changedSince: readonly Outcome[] = [
  {
    status: 409,
    code: 'content_changed',
    message: 'This was changed since you read it. Read it again.',
    when: 'The body names a `revision`, and another editor has changed it since.',
    then: 'Read it, show both to the editor, send what is wanted with the new revision.',
  },
  {
    status: 412,
    code: 'content_changed',
    message: 'This was changed since you read it. Read it again.',
    when: 'As 409, where an `If-Match` header says what was read.',
  },
];

/** A sentence for every route that removes a block from view. */
export const stillSeen = ({ kind }: ContentType): string =>
  kind === 'block'
    ? ` A block taken away from more than 20 others, counted in each store view, stays visible in them until a worker has
        rendered them without it: seconds, or as long as every worker is away.`
    : '';

/** 400 without a name or a title, or where they are taken; 404 for an owner that is not there. */
export const unsavable = ({ noun, kind, ownerKey }: ContentType): readonly Outcome[] => [
  requiredField(`A new ${noun} without a name, a title${ownerKey === undefined ? '' : ` or \`${ownerKey}\``}.`),
  {
    status: 400,
    message: alreadyTaken(kind).message,
    when: 'Its name is taken in this store view, or cannot be one; another sentence says why.',
  },
];

/** 404 for a new text of a product or category that does not exist. */
export const unknownOwner = ({ ownerKey }: ContentType): readonly Outcome[] =>
  ownerKey === undefined ? [] : [unknownEntity(`\`${ownerKey}\` is of nothing that exists.`)];

/** Half of the largest body. */
const longestContent = 500_000;
const longestCss = 100_000;
const longestField = 65_536;

const readOver = z.unknown().optional();

const sentPageKeys = Object.fromEntries(pageFields.map((key) => [key, text(longestField).optional()]));

const extensionAttributes = payload({
  css: text(longestCss).optional(),
  liveview: flag.optional(),
  revision: integer.optional(),
  storeId: readOver,
  version: readOver,
  publishedVersion: readOver,
  changedBy: readOver,
});

/** Content that an editor sends. Fields that only the server sets are ignored, so that an answer can be sent back. */
export const contentPayload = ({ kind }: ContentType) =>
  payload({
    id: idParam.optional(),
    identifier: text(100).optional(),
    attributeCode: text(60).optional(),
    productId: idParam.optional(),
    categoryId: idParam.optional(),
    title: text(255).optional(),
    content: text(longestContent).optional(),
    active: flag.optional(),
    isActive: flag.optional(),
    creationTime: readOver,
    updateTime: readOver,
    extensionAttributes: extensionAttributes.optional(),
    ...(kind === 'page' ? sentPageKeys : {}),
  });

export type ContentPayload = z.output<ReturnType<typeof contentPayload>>;

/** Translates the request into the shop's terms. */
export function toContentInput({ identifierKey }: ContentType, input: ContentPayload): ContentInput {
  const { css, liveview } = input.extensionAttributes ?? {};
  return {
    identifier: identifierKey === 'identifier' ? input.identifier : input.attributeCode,
    title: input.title,
    content: input.content,
    css,
    liveview,
    isActive: input.active ?? input.isActive,
    fields: fieldsIn(input),
  };
}

function fieldsIn(input: object): ContentFields {
  const fields: ContentFields = {};
  for (const key of pageFields) {
    const value: unknown = Reflect.get(input, key);
    if (typeof value === 'string') fields[key] = value;
  }
  return fields;
}
