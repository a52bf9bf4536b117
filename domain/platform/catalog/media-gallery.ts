/** The roles of a product's picture. Each is an attribute with the picture's file (platform facts 9.1). */
export const mediaRoles = ['image', 'small_image', 'thumbnail', 'swatch_image'] as const;
export type MediaRole = (typeof mediaRoles)[number];

/** The attribute's value in a store view that shows no picture, as on the platform. */
export const noSelection = 'no_selection';

/** Values that can differ between store views. */
export interface MediaWords {
  label: string | null;
  position: number;
  disabled: boolean;
}

/** A picture of a product, or of a video. */
export interface MediaEntry extends MediaWords {
  id: number;
  mediaType: 'image' | 'external-video';
  /** The path below the folder of product pictures: `/m/u/mug_1_0a1b2c3d.jpg`. */
  file: string;
  /** A video's fields, with their keys as on the wire. */
  videoContent?: Record<string, unknown> | undefined;
  /** By store view id. */
  views?: Record<string, Partial<MediaWords>> | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

/** The roles of an entry, from the product's attributes. */
export const rolesOf = ({ file }: Pick<MediaEntry, 'file'>, attributes: Attributes): MediaRole[] =>
  mediaRoles.filter((role) => attributes[role] === file);

/** The gallery with a store view's values, in its order. View 0 has the global values. */
export const galleryAt = (gallery: readonly MediaEntry[], storeId: number): MediaEntry[] =>
  gallery
    .map(({ views, ...entry }) => ({ ...entry, ...views?.[storeId] }))
    .toSorted((one, other) => one.position - other.position || one.id - other.id);

/** Sets values of an entry: the global ones, or those of one store view. */
export function withWords(entry: MediaEntry, words: Partial<MediaWords>, storeId: number): MediaEntry {
  if (storeId === 0) return { ...entry, ...words };
  const own = { ...entry.views?.[storeId], ...words };
  return { ...entry, views: { ...entry.views, [storeId]: own } };
}

/**
 * The attributes that change when an entry gets exactly these roles: the roles it takes and those it loses.
 *
 * @param isOfView true: a store view drops a global role by the value `no_selection`
 */
export function rolesTaken(
  entry: Pick<MediaEntry, 'file'>,
  { wanted, attributes, isOfView }: { wanted: readonly string[]; attributes: Attributes; isOfView: boolean },
): Record<string, string | null> {
  const given = rolesOf(entry, attributes).filter((role) => !wanted.includes(role));
  const taken = mediaRoles.filter((role) => wanted.includes(role));
  return {
    ...Object.fromEntries(given.map((role) => [role, isOfView ? noSelection : null])),
    ...Object.fromEntries(taken.map((role) => [role, entry.file])),
  };
}
