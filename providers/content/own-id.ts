const prefix = 'cms-';

/**
 * Prefixes an id of the content, so that it never equals an id that the page or its scripts use. A repeat changes
 * nothing.
 */
export const ownId = (id: string): string => (id.startsWith(prefix) ? id : prefix + id);
