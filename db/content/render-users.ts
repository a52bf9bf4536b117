import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { beginRenewal, endRenewal } from './content-renewals.ts';
import { readViewIds } from './read-public-settings.ts';
import { readPlaces, renderOrEmpty, renderPlace, type Place } from './render-places.ts';

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
