/** `order_item_id` → `orderItemId`: the name an argument has in the interface. */
export const toCamelCase = (name: string) =>
  name.replace(/(?<!_)_+([a-zA-Z0-9])/g, (_, next: string) => next.toUpperCase());

/** `orderItemId` → `order_item_id`; digits stay glued, as in `cc_last4` (platform facts 4.3). */
export const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every spelling that a caller may use for a key; the camelCase one wins where both are sent (platform facts 4.2). */
export const spellingsOf = (name: string): readonly string[] => [
  ...new Set([toCamelCase(name), toSnakeCase(name), name]),
];
