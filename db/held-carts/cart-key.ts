/**
 * What two names of one cart have in common, as SQL. A UUID is the same in capitals, in braces and without dashes; any
 * other name is the cart's only as it was written, for some clients tell their ids apart by case alone (our choice).
 *
 * @param name SQL of a register's own name for a cart
 */
export const cartKeyOf = (name: string) =>
  `coalesce(substring(lower(replace(${name}, '-', '')), '^(?:urn:uuid:)?[{]?([0-9a-f]{32})[}]?$'), ${name})`;
