/**
 * SQL of the key that is equal for all spellings of one cart name. A UUID is the same in capitals, in braces and
 * without dashes. Any other name is compared exactly, because some clients have ids that differ only in case (our
 * choice).
 *
 * @param name SQL of a register's own name for a cart
 */
export const cartKeyOf = (name: string) =>
  `coalesce(substring(lower(replace(${name}, '-', '')), '^(?:urn:uuid:)?[{]?([0-9a-f]{32})[}]?$'), ${name})`;
