import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import {
  noSuchContent,
  noSuchVersion,
  refuseStale,
  type ContentKind,
  type ExpectedRevision,
  type RenderContent,
} from '../../domain/content.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { transact } from '../support/transact.ts';
import { ContentItem, ContentPublication, ContentVersion } from './content.entity.ts';
import { readViewIds } from './read-public-settings.ts';
import {
  beginRenewal,
  endRenewal,
  readPlaces,
  renderOrEmpty,
  renderPlace,
  showInViews,
  type Place,
} from './render-places.ts';

export interface ContentRef {
  kind: ContentKind;
  contentId: number;
}

/** Content under its lock. Refused with: 404 unknown id, or content of another kind. */
export async function lockContent(tx: EntityManager, { kind, contentId }: ContentRef): Promise<ContentItem> {
  const item = await tx.findOne(ContentItem, { contentId, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!item) throw noSuchContent(kind, contentId);
  return item;
}

/**
 * Counts one more change of content. Called only where something differs, so a repeat passes even with an old
 * expected revision.
 *
 * Refused with: 409 or 412 it changed since the caller read it.
 */
export function noteChange(
  item: ContentItem,
  { author, expected }: { author: string; expected?: ExpectedRevision | undefined },
): void {
  refuseStale(expected, item);
  item.revision += 1;
  item.changedBy = author;
}

/**
 * Publishing runs one at a time, so that a page never shows an old block: the second transaction renders with what
 * the first one committed.
 */
export const lockPublishing = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'publish content');

/**
 * How many texts are rendered while their editor waits and publishing is locked: content for all views counts once
 * per view.
 */
export const mostAtOnce = 20;

interface Block {
  kind: string;
  identifier: string;
}

/**
 * Renders the content that contains a block, within the transaction that changes the block: up to 20 texts, counted
 * per store view. Where there are more, a worker renders all of them, a few at a time; until then each shows the old
 * block.
 *
 * Refused with 400: one of these few cannot be rendered with the block.
 */
export const renderUsersOf = (tx: EntityManager, block: Block, render: RenderContent<EntityManager>): Promise<void> =>
  renew(tx, { block, isRemoval: false, one: (place) => renderPlace(tx, place, render) });

/**
 * Renders the content that contained a block that is no longer shown. Never refused: a text that cannot be rendered
 * without the block is emptied until it is published again.
 */
export const renderFormerUsersOf = (
  tx: EntityManager,
  block: Block,
  render: RenderContent<EntityManager>,
): Promise<void> => renew(tx, { block, isRemoval: true, one: (place) => renderOrEmpty(tx, place, render) });

interface Renewing {
  block: Block;
  isRemoval: boolean;
  one: (place: Place) => Promise<unknown>;
}

async function renew(tx: EntityManager, { block: { kind, identifier }, isRemoval, one }: Renewing): Promise<void> {
  if (kind !== 'block') return;
  const places = await readPlaces(tx, { identifier, after: 0, limit: mostAtOnce + 1 });
  if (await areTooMany(tx, places)) return beginRenewal(tx, { identifier, isRemoval });
  for (const place of places) await one(place);
  await endRenewal(tx, identifier);
}

async function areTooMany(tx: EntityManager, places: readonly Place[]): Promise<boolean> {
  const forAll = places.filter(({ storeId }) => storeId === 0).length;
  if (places.length > mostAtOnce || forAll === 0) return places.length > mostAtOnce;
  const views = Math.max(1, (await readViewIds(tx)).length);
  return places.length - forAll + forAll * views > mostAtOnce;
}

export interface Publishing extends ContentRef {
  author: string;
  render: RenderContent<EntityManager>;
  expected?: ExpectedRevision | undefined;
  now: Date;
}

/**
 * Publishes a version of content, rendered now, and renders the content that contains it, where it is a block (spec
 * 4.12).
 *
 * A repeat renders again and changes nothing else. Refused with: 404 unknown content or version · 409, 412 it changed
 * since the caller read it.
 *
 * @param number the version; absent: the newest
 */
export const publishContent = (em: EntityManager, input: Publishing & { number?: number | undefined }): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, input);
    const number = input.number ?? item.draftNumber;
    // Locked, so that it is not deleted meanwhile as an unpublished version.
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const version = await tx.findOne(ContentVersion, { contentId: item.contentId, number }, { lockMode });
    if (!version) throw noSuchVersion(number);
    const { title, content, fields, css: style } = version;
    const isNews = item.publishedNumber !== number;
    if (isNews) noteChange(item, input);
    item.publishedNumber = number;
    // Flushed first, because rendering reads the database: a block may contain itself.
    await tx.flush();
    const { html, css, uses, inViews } = await input.render(tx, {
      ...{ kind: item.kind, identifier: item.identifier, storeId: item.storeId },
      html: content,
      css: style,
    });
    const shown = { number, title, content, fields, html, css, uses: [...uses] };
    const known = await tx.findOne(ContentPublication, { contentId: item.contentId });
    const by = { publishedBy: input.author, publishedAt: input.now };
    if (known) tx.assign(known, { ...shown, ...(isNews ? by : {}) }, { mergeObjectProperties: false });
    else tx.create(ContentPublication, { contentId: item.contentId, ...shown, ...by });
    version.publishedAt ??= input.now;
    await tx.flush();
    await showInViews(tx, item.contentId, inViews);
    await renderUsersOf(tx, item, input.render);
  });

/**
 * Unpublishes content: it looks as if it had never been published. Its versions stay. A repeat changes nothing.
 *
 * Refused with: 404 unknown content · 409, 412 it changed since the caller read it.
 */
export const unpublishContent = (em: EntityManager, input: Publishing): Promise<void> =>
  transact(em, async (tx) => {
    await lockPublishing(tx);
    const item = await lockContent(tx, input);
    if (item.publishedNumber === null) return;
    noteChange(item, input);
    item.publishedNumber = null;
    await tx.nativeDelete(ContentPublication, { contentId: item.contentId });
    await tx.flush();
    await renderFormerUsersOf(tx, item, input.render);
  });
