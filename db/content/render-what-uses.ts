import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent } from '../../domain/content/render-content.ts';
import { beginRenewal, endRenewal } from './content-renewals.ts';
import { readViewIds } from './read-public-settings.ts';
import { readPlaces, renderOrEmpty, renderPlace, type Place } from './render-places.ts';

/** So many texts are rendered while their editor waits and nobody else publishes: a place for all views is one in each. */
export const mostAtOnce = 20;

interface Block {
  kind: string;
  identifier: string;
}

/**
 * Renders anew what a block is part of: up to 20 places, counted in each store view, within the transaction that changes
 * the block. Of more a worker renders all, some at a time; until then each shows the block as it was.
 *
 * Refused with 400: one of these few cannot be rendered with it.
 */
export const renderWhatUses = (tx: EntityManager, block: Block, render: RenderContent<EntityManager>): Promise<void> =>
  renew(tx, { block, isRemoval: false, one: (place) => renderPlace(tx, place, render) });

/**
 * Renders anew what a block was part of that is no longer shown. It is never refused: a text that cannot be rendered
 * without the block is emptied until it is published again, so that the block is gone from it.
 */
export const renderWhatUsed = (tx: EntityManager, block: Block, render: RenderContent<EntityManager>): Promise<void> =>
  renew(tx, { block, isRemoval: true, one: (place) => renderOrEmpty(tx, place, render) });

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
