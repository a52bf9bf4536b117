/** What a picture of a product is shown as. Each is an attribute that holds the picture's file (platform facts 9.1). */
export const mediaRoles = ['image', 'small_image', 'thumbnail', 'swatch_image'] as const;
export type MediaRole = (typeof mediaRoles)[number];

/** What the attribute holds in a store view that shows no picture, as the platform has it. */
export const noSelection = 'no_selection';

/** What may differ from store view to store view. */
export interface MediaWords {
  label: string | null;
  position: number;
  disabled: boolean;
}

/** A picture of a product, or the still of a video. */
export interface MediaEntry extends MediaWords {
  id: number;
  mediaType: 'image' | 'external-video';
  /** Below the folder of product pictures: `/m/u/mug_1_0a1b2c3d.jpg`. */
  file: string;
  /** In the words of the wire; of a video. */
  videoContent?: Record<string, unknown> | undefined;
  /** By the id of the store view. */
  views?: Record<string, Partial<MediaWords>> | undefined;
}

type Attributes = Readonly<Record<string, unknown>>;

/** What an entry is shown as, where the product has these attributes. */
export const rolesOf = ({ file }: Pick<MediaEntry, 'file'>, attributes: Attributes): MediaRole[] =>
  mediaRoles.filter((role) => attributes[role] === file);

/** A gallery in the words of a store view, in its order; view 0 is above all views. */
export const galleryAt = (gallery: readonly MediaEntry[], storeId: number): MediaEntry[] =>
  gallery
    .map(({ views, ...entry }) => ({ ...entry, ...views?.[storeId] }))
    .toSorted((one, other) => one.position - other.position || one.id - other.id);

/** Lays words over an entry: everywhere, or for one store view. */
export function withWords(entry: MediaEntry, words: Partial<MediaWords>, storeId: number): MediaEntry {
  if (storeId === 0) return { ...entry, ...words };
  const own = { ...entry.views?.[storeId], ...words };
  return { ...entry, views: { ...entry.views, [storeId]: own } };
}

/**
 * The attributes that change when an entry is to be shown as just these roles: those it takes, and those it gives up.
 *
 * @param isOfView where a role that holds everywhere is given up by saying that there is no picture
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
