import type { EntityManager } from '@mikro-orm/postgresql';
import {
  alreadyTaken,
  couldNotSave,
  identifierFault,
  noSuchVersion,
  refuseStale,
  type ContentDraft,
  type ContentKind,
  type ExpectedRevision,
  type RenderContent,
} from '../../domain/content.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { definedFields } from '../support/defined-fields.ts';
import { refuseTaken } from '../support/refuse-taken.ts';
import { transact } from '../support/transact.ts';
import { ContentItem, ContentVersion } from './content.entity.ts';
import {
  lockContent,
  lockPublishing,
  noteChange,
  renderFormerUsersOf,
  renderUsersOf,
  type ContentRef,
} from './publish-content.ts';
import { refuseUnknownOwner } from './refuse-unknown-owner.ts';

type Optional<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined };

/** The fields that an editor sends; an absent field keeps its value, and so does each absent key of `fields`. */
export type ContentInput = Optional<ContentDraft> & {
  identifier?: string | undefined;
  isActive?: boolean | undefined;
  liveview?: boolean | undefined;
};

interface By {
  author: string;
  expected?: ExpectedRevision | undefined;
}

export interface NewContent {
  kind: ContentKind;
  storeId: number;
  productId?: number | undefined;
  categoryId?: number | undefined;
  wish: ContentInput;
  author: string;
}

/**
 * Adds content as a draft, its first version; it is not public yet (spec 4.12).
 *
 * Refused with 400: a missing identifier or title, an identifier that is invalid or taken in this view, an unknown
 * product or category.
 *
 * @returns its id
 */
export async function createContent(em: EntityManager, { kind, wish, author, ...place }: NewContent): Promise<number> {
  const { identifier, title, content = '', css = '', fields = {}, isActive = true, liveview = false } = wish;
  if (!identifier?.trim()) throw fieldRequired(identifierKey(kind));
  if (!title?.trim()) throw fieldRequired('title');
  refuseFault(kind, identifier);
  return refuseTaken(
    () =>
      transact(em, async (tx) => {
        await refuseUnknownOwner(tx, { kind, ...place });
        const draft = { title, content, css, fields };
        const item = tx.create(ContentItem, {
          ...{ kind, identifier, storeId: place.storeId, isActive, liveview, changedBy: author, ...draft },
          productId: place.productId ?? null,
          categoryId: place.categoryId ?? null,
        });
        await tx.flush();
        tx.create(ContentVersion, { contentId: item.contentId, number: 1, author, ...draft });
        await tx.flush();
        return item.contentId;
      }),
    () => alreadyTaken(kind),
  );
}

/**
 * Saves a draft: a text that differs from the newest version becomes a new version (spec 4.12). The published text
 * stays, but `isActive` and `liveview` apply at once. A repeat changes nothing.
 *
 * Refused with: 404 unknown id · 409, 412 it changed since the caller read it · 400 as for new content.
 */
export async function changeContent(
  em: EntityManager,
  { wish, render, ...by }: ContentRef & By & { wish: ContentInput; render: RenderContent<EntityManager> },
): Promise<void> {
  const { kind } = by;
  if (wish.title !== undefined && !wish.title.trim()) throw fieldRequired('title');
  if (wish.identifier !== undefined) refuseFault(kind, wish.identifier);
  await refuseTaken(
    () =>
      transact(em, async (tx) => {
        const place = definedFields({ identifier: wish.identifier, isActive: wish.isActive, liveview: wish.liveview });
        if (kind === 'block' && Object.keys(place).length > 0) await lockPublishing(tx);
        const item = await lockContent(tx, by);
        const before = { kind, identifier: item.identifier };
        const isElsewhere = differs(item, place);
        await save(tx, item, { wish, ...by });
        if (!isElsewhere) return;
        const isShown = item.isActive && item.liveview;
        if (item.identifier !== before.identifier || !isShown) await renderFormerUsersOf(tx, before, render);
        if (isShown) await renderUsersOf(tx, item, render);
      }),
    () => alreadyTaken(kind),
  );
}

async function save(tx: EntityManager, item: ContentItem, { wish, ...by }: By & { wish: ContentInput }): Promise<void> {
  const { title, content, css, identifier, isActive, liveview } = wish;
  const draft = definedFields({ title, content, css, fields: { ...item.fields, ...wish.fields } });
  const marks = definedFields({ identifier, isActive, liveview });
  const isNewVersion = differs(item, draft);
  if (!isNewVersion && !differs(item, marks)) return;
  noteChange(item, by);
  tx.assign(item, { ...draft, ...marks }, { mergeObjectProperties: false });
  if (isNewVersion) item.draftNumber += 1;
  if (isNewVersion) tx.create(ContentVersion, versionOf(item, by.author));
  await tx.flush();
}

/** The draft of content as the version it becomes. */
const versionOf = (item: ContentItem, author: string) => ({
  contentId: item.contentId,
  number: item.draftNumber,
  title: item.title,
  content: item.content,
  css: item.css,
  fields: item.fields,
  author,
});

const differs = (item: ContentItem, requested: object) =>
  Object.entries(requested).some(([key, value]) => textOf(Reflect.get(item, key)) !== textOf(value));

/** Objects are compared by content, whatever order the database keeps their keys in. */
const textOf = (value: unknown) =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const identifierKey = (kind: ContentKind) =>
  kind === 'product_attribute' || kind === 'category_attribute' ? 'attributeCode' : 'identifier';

function refuseFault(kind: ContentKind, identifier: string): void {
  const fault = identifierFault(kind, identifier);
  if (fault !== undefined) throw couldNotSave(kind, fault);
}

/**
 * Deletes content with its versions, its publication and its schedules. A repeat finds nothing.
 *
 * Refused with: 404 unknown id · 409, 412 it changed since the caller read it.
 */
export const deleteContent = (
  em: EntityManager,
  input: ContentRef & { render: RenderContent<EntityManager>; expected?: ExpectedRevision | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, input);
    refuseStale(input.expected, item);
    const { kind, identifier } = item;
    await tx.remove(item).flush();
    await renderFormerUsersOf(tx, { kind, identifier }, input.render);
  });

/**
 * Makes an older version the draft again, as one more version; the published text stays until the draft is published
 * (spec 4.12).
 *
 * A repeat changes nothing. Refused with: 404 unknown content or version · 409, 412 it changed since the caller read
 * it.
 */
export const rollBackContent = (
  em: EntityManager,
  input: ContentRef & { number: number; author: string; expected?: ExpectedRevision | undefined },
): Promise<void> =>
  transact(em, async (tx) => {
    const item = await lockContent(tx, input);
    const version = await tx.findOne(ContentVersion, { contentId: item.contentId, number: input.number });
    if (!version) throw noSuchVersion(input.number);
    const { title, content, css, fields } = version;
    const draft = { title, content, css, fields };
    if (!differs(item, draft)) return;
    noteChange(item, input);
    tx.assign(item, { ...draft, draftNumber: item.draftNumber + 1 }, { mergeObjectProperties: false });
    tx.create(ContentVersion, { ...versionOf(item, input.author), repeats: input.number });
    await tx.flush();
  });
