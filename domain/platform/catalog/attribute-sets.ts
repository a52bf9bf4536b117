/** The platform's set of products, and that of every product without another (platform facts 9.1). */
export const defaultSet = 4;

/** The platform's number for products among the records that have attributes. */
export const productEntity = 4;

/** Records that have attributes; their numbers are their places, and the one set of each but products has that id. */
export const entityTypes = [
  'customer',
  'customer_address',
  'catalog_category',
  'catalog_product',
  'order',
  'invoice',
  'creditmemo',
  'shipment',
] as const;

/** Attributes of the platform that a shop may take out of a set, because the platform made them as a shop would. */
const dispensable: ReadonlySet<string> = new Set(['color', 'cost', 'manufacturer']);

/** Whether an attribute of the platform stays in the sets that have it: it is not answered as a shop's own. */
export const isFixedInSets = (code: string): boolean => !dispensable.has(code);

/** The code of a group that only has a name: the same name gives the same code. */
export function groupCodeOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return plain || Array.from(name, (character) => (character.codePointAt(0) ?? 0).toString(16)).join('');
}
