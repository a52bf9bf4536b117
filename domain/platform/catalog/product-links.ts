import { fieldRequired, notFound } from '../../errors.ts';

/** The types of links between products, with the platform's numbers (platform facts 9.1). */
export const linkTypes = { related: 1, crosssell: 5, upsell: 4, associated: 3 } as const;

export type LinkType = keyof typeof linkTypes;

/** A link as its product keeps it, under the keys of its answer. */
export interface ProductLink {
  link_type: LinkType;
  linked_product_sku: string;
  linked_product_type: string;
  position: number;
  extension_attributes?: { qty: number };
}

/** A link as a caller sends it: the linked product's type is its own. */
export interface LinkDraft {
  linkType?: string | undefined;
  linkedProductSku: string;
  position?: number | undefined;
  /** How many pieces belong to a grouped product. */
  qty?: number | undefined;
}

/** Whether there is such a type of links. */
export const isLinkType = (name: string): name is LinkType => Object.hasOwn(linkTypes, name);

/** Refused with: 400 a link without a type · 404 an unknown type. */
export function linkTypeOf({ linkType }: Pick<LinkDraft, 'linkType'>): LinkType {
  if (linkType === undefined) throw fieldRequired('linkType');
  if (!isLinkType(linkType))
    throw notFound('The "%1" link type wasn\'t found. Verify the type and try again.', [linkType]);
  return linkType;
}

/** Whether two links are one: a product is linked once for each type. */
export const isSameLink = (one: ProductLink, other: Pick<ProductLink, 'link_type' | 'linked_product_sku'>): boolean =>
  one.link_type === other.link_type && one.linked_product_sku === other.linked_product_sku;
