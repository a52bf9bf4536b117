const prefix = 'cms-';

/**
 * An id of the content as it stands in the page around it: never one that the page, or a script in it, knows by name.
 * Twice is as once.
 */
export const ownId = (id: string): string => (id.startsWith(prefix) ? id : prefix + id);
