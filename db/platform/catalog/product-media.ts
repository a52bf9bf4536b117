import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import {
  mediaRoles,
  rolesOf,
  rolesTaken,
  withWords,
  type MediaEntry,
} from '../../../domain/platform/catalog/custom-options.ts';
import { ownValuesAt, viewKey, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import { imageContentNotValid } from '../../../domain/refusals/catalog.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { transact } from '../../support/transact.ts';
import { areSeenInViews, assignScopedValues, everywhere, hasViews } from './assign-scoped-values.ts';
import { assignAttributes, type MediaDraft } from './attributes.ts';
import { Product } from './product.entity.ts';
import { lockProduct } from './product-places.ts';
import { dropPicture, keepPicture } from './save-fixed-product-taxes.ts';

/** A limit well above the pictures of any product. */
const mostEntries = 200;

export const noSuchImage = () => notFound('No image with the provided ID was found. Verify the ID and try again.');

/**
 * Adds a picture to a product (platform facts 9.1). Each call adds one. The first picture gets all roles when the call
 * names none.
 *
 * Refused with: 404 unknown sku · 400 no picture, too many pictures.
 *
 * @returns the entry's id
 */
export const addMedia = (em: EntityManager, { sku, draft, place }: Input): Promise<number> =>
  withGallery(em, { sku, place }, (tx, product, own) => addEntry(tx, product, draft, own));

/**
 * Changes a gallery entry (platform facts 9.1). Its texts change for the store view of the call, its picture
 * everywhere. Safe to repeat; a new picture replaces the previous one each time.
 *
 * Refused with: 404 unknown sku, unknown entry.
 */
export const changeMedia = (em: EntityManager, { sku, draft, place }: Input & { draft: { id: number } }) =>
  withGallery(em, { sku, place }, (tx, product, own) => changeEntry(tx, product, draft, own));

/**
 * Removes an entry and its picture from a gallery. Refused with: 404 unknown sku, unknown entry, and so a repeat · 400
 * a picture that is shown as something elsewhere, of a product that several store views show, as on the platform.
 */
export const removeMedia = (
  em: EntityManager,
  { sku, id, place }: { sku: string; id: number; place: ValuePlace },
): Promise<void> =>
  withGallery(em, { sku, place }, async (tx, product) => {
    const entry = entryOf(product, id);
    if (isShownElsewhere(product, entry, place) && (await areSeenInViews(tx, product.websiteIds)))
      throw invalid(shownElsewhere);
    await removeEntry(tx, product, entry);
  });

export const shownElsewhere = 'The image cannot be removed as it has been assigned to the other image role';

/** Whether the picture has a role in another place than this one: in another store view, or above all of them. */
function isShownElsewhere(
  { customAttributes, scopedValues }: Product,
  entry: MediaEntry,
  { storeId }: ValuePlace,
): boolean {
  const elsewhere = Object.entries(scopedValues).flatMap(([key, own]) =>
    key === viewKey(storeId) ? [] : [own.customAttributes ?? {}],
  );
  return [...(storeId === 0 ? [] : [customAttributes]), ...elsewhere].some(
    (values) => rolesOf(entry, values).length > 0,
  );
}

/**
 * Replaces the gallery of a locked product (platform facts 9.1). An entry with an id is changed, one without an id is
 * added, and one that is not sent is removed. An unknown id is ignored, as on the platform.
 *
 * Refused with 400: a new entry without a picture, too many pictures.
 */
export async function replaceMedia(
  em: EntityManager,
  product: Product,
  { drafts, own }: { drafts: readonly MediaDraft[]; own: ValuePlace },
): Promise<void> {
  // A new product has neither an id nor a gallery until it is written.
  await em.flush();
  const known = new Set(product.mediaGalleryEntries.map(({ id }) => id));
  const stored = new Set(drafts.map(({ id }) => id));
  for (const entry of product.mediaGalleryEntries) if (!stored.has(entry.id)) await removeEntry(em, product, entry);
  for (const { id, ...draft } of drafts) {
    if (id === undefined) await addEntry(em, product, draft, own);
    else if (known.has(id)) await changeEntry(em, product, { ...draft, id }, own);
  }
}

interface Input {
  sku: string;
  draft: MediaDraft;
  place: ValuePlace;
}

type Work<Result> = (tx: EntityManager, product: Product, own: ValuePlace) => Promise<Result>;

const withGallery = <Result>(
  em: EntityManager,
  { sku, place }: { sku: string; place: ValuePlace },
  work: Work<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    const result = await work(tx, product, (await hasViews(tx)) ? place : everywhere);
    await tx.flush();
    return result;
  });

function entryOf(product: Product, id: number): MediaEntry {
  const entry = product.mediaGalleryEntries.find((one) => one.id === id);
  if (!entry) throw noSuchImage();
  return entry;
}

async function addEntry(em: EntityManager, product: Product, draft: MediaDraft, own: ValuePlace): Promise<number> {
  if (!draft.picture) throw imageContentNotValid();
  const gallery = product.mediaGalleryEntries;
  if (gallery.length >= mostEntries) throw tooMany();
  const isFirst = gallery.length === 0;
  const { pictureId: id, file } = await keepPicture(em, product.entityId, draft.picture);
  const last = Math.max(0, ...gallery.map(({ position }) => position));
  const entry: MediaEntry = {
    ...{ id, file, mediaType: draft.mediaType ?? 'image', videoContent: draft.videoContent },
    ...{ label: null, position: last + 1, disabled: false },
  };
  product.mediaGalleryEntries = [...gallery, { ...entry, ...wordsOf(draft) }];
  const requested = draft.types ?? (isFirst ? mediaRoles : []);
  // A role without a picture gets the new one globally, so that every store view shows it.
  const free = requested.filter((role) => product.customAttributes[role] === undefined);
  showAs(product, entry, free, everywhere);
  showAs(product, entry, requested, own);
  return id;
}

async function changeEntry(
  em: EntityManager,
  product: Product,
  draft: MediaDraft & { id: number },
  own: ValuePlace,
): Promise<void> {
  const before = entryOf(product, draft.id);
  const { mediaType, videoContent, picture, types } = draft;
  let entry: MediaEntry = {
    ...withWords(before, wordsOf(draft), own.storeId),
    ...definedFields({ mediaType, videoContent }),
  };
  if (picture) {
    entry = { ...entry, file: (await keepPicture(em, product.entityId, picture)).file };
    passRoles(product, before.file, entry.file);
    await dropPicture(em, before.file);
  }
  product.mediaGalleryEntries = product.mediaGalleryEntries.map((one) => (one.id === entry.id ? entry : one));
  if (types) showAs(product, entry, types, own);
}

async function removeEntry(em: EntityManager, product: Product, { id, file }: MediaEntry): Promise<void> {
  product.mediaGalleryEntries = product.mediaGalleryEntries.filter((one) => one.id !== id);
  passRoles(product, file, undefined);
  await dropPicture(em, file);
}

const wordsOf = ({ label, position, disabled }: MediaDraft) => definedFields({ label, position, disabled });

/** Gives roles to an entry. A role is an attribute, so a store view can have its own. */
function showAs(product: Product, entry: MediaEntry, requested: readonly string[], own: ValuePlace): void {
  const attributes = { ...product.customAttributes, ...ownValuesAt(product.scopedValues, own)?.customAttributes };
  const taken = rolesTaken(entry, { wanted: requested, attributes, isOfView: own.storeId > 0 });
  if (Object.keys(taken).length === 0) return;
  const { customAttributes } = assignScopedValues(product, { customAttributes: taken }, own);
  assignAttributes(product, customAttributes);
}

/** Moves every role of a file, global or of a scope, to another file, or removes it. */
function passRoles(product: Product, from: string, to: string | undefined): void {
  product.customAttributes = passed(product.customAttributes, from, to);
  product.scopedValues = Object.fromEntries(
    Object.entries(product.scopedValues).map(([key, { customAttributes, ...values }]) => [
      key,
      customAttributes ? { ...values, customAttributes: passed(customAttributes, from, to) } : values,
    ]),
  );
}

const passed = (attributes: Record<string, unknown>, from: string, to: string | undefined) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([code, value]) => {
      if (value !== from || !mediaRoles.some((role) => role === code)) return [[code, value]];
      return to === undefined ? [] : [[code, to]];
    }),
  );

const tooMany = () => tooManyItems({ type: 'mediaGalleryEntry', max: mostEntries });
