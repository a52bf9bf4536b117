import type { ContentKind } from '../../domain/content/content-kind.ts';
import type { Acl } from '../http/route.ts';

/** How one kind of content is spoken of over the wire. */
export interface ContentType {
  kind: ContentKind;
  /** Of the names of its routes: `getPage`. */
  name: string;
  /** In sentences. */
  noun: string;
  path: `/V1/${string}`;
  /** What its body is wrapped in. */
  key: string;
  identifierKey: 'identifier' | 'attribute_code';
  /** The key of what it belongs to. */
  ownerKey?: 'product_id' | 'category_id';
  read: Acl;
  write: Acl;
  remove: Acl;
}

const vendor = (kind: ContentKind, name: string, word: string, resource: Acl) =>
  ({
    kind,
    name,
    noun: word,
    path: `/V1/vendorCms/${name[0]?.toLowerCase()}${name.slice(1)}`,
    key: `${name[0]?.toLowerCase()}${name.slice(1)}`,
    ...{ read: resource, write: resource, remove: resource },
  }) as const;

/** Pages and blocks as the platform has them (platform facts 11); the others are ours, under one prefix. */
export const contentTypes: readonly ContentType[] = [
  {
    ...{ kind: 'page', name: 'CmsPage', noun: 'page', path: '/V1/cmsPage', key: 'page', identifierKey: 'identifier' },
    ...{ read: 'Platform_Cms::page', write: 'Platform_Cms::save', remove: 'Platform_Cms::page_delete' },
  },
  {
    ...{ kind: 'block', name: 'CmsBlock', noun: 'block', path: '/V1/cmsBlock', key: 'block' },
    ...{ identifierKey: 'identifier', read: 'Platform_Cms::block' },
    ...{ write: 'Platform_Cms::block', remove: 'Platform_Cms::block' },
  },
  {
    ...vendor('product_attribute', 'ProductAttribute', 'product attribute content', 'Vendor_Cms::product_attribute'),
    ...{ identifierKey: 'attribute_code', ownerKey: 'product_id' },
  },
  {
    ...vendor(
      'category_attribute',
      'CategoryAttribute',
      'category attribute content',
      'Vendor_Cms::category_attribute',
    ),
    ...{ identifierKey: 'attribute_code', ownerKey: 'category_id' },
  },
  { ...vendor('template', 'Template', 'template', 'Vendor_Cms::template'), identifierKey: 'identifier' },
  { ...vendor('snippet', 'Snippet', 'snippet', 'Vendor_Cms::snippet'), identifierKey: 'identifier' },
];

export const typeOf = (kind: ContentKind): ContentType => {
  const found = contentTypes.find((type) => type.kind === kind);
  if (!found) throw new Error(`${kind} is no kind of content`);
  return found;
};
