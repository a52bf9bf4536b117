import { findOpenRenewals } from '../../db/content/render-places.ts';
import type { ContentKind } from '../../domain/content.ts';
import { contentRenewalId, refreshSignal } from '../../workflows/messages.ts';
import type { Acl, RouteContext } from '../http/route.ts';

/** The names of one kind of content in the API. */
export interface ContentType {
  kind: ContentKind;
  /** Part of the names of its routes: `getPage`. */
  name: string;
  /** Its name in sentences. */
  noun: string;
  path: `/V1/${string}`;
  /** The key that wraps its body. */
  key: string;
  identifierKey: 'identifier' | 'attribute_code';
  /** The key of its product or category. */
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

/** Pages and blocks as on the platform (platform facts 11); the others are ours, under one prefix. */
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

/** One change starts at most two; others have a workflow already. */
const mostAtOnce = 10;

/**
 * Starts the workflow that renders a changed block in its many places. Best effort, after the commit: the route does
 * not wait for it, and the sweep each minute finds what Temporal missed.
 */
export async function followRenewals(
  { kind }: ContentType,
  { em, workflows, log }: Pick<RouteContext, 'em' | 'workflows' | 'log'>,
): Promise<void> {
  if (kind !== 'block') return;
  for (const renewalId of await openRenewals({ em, log }))
    workflows
      .start({
        workflow: 'contentRenewalWorkflow',
        id: contentRenewalId(renewalId),
        input: { renewalId },
        summary: 'Renders what a changed block is part of',
        signal: refreshSignal,
      })
      .catch((error: unknown) =>
        log.warn({ renewalId, error }, 'nobody renders what a block is part of yet; the sweep takes it up'),
      );
}

/** The request has succeeded, so a failure here is only logged. */
async function openRenewals({ em, log }: Pick<RouteContext, 'em' | 'log'>): Promise<number[]> {
  try {
    return await findOpenRenewals(em, { limit: mostAtOnce });
  } catch (error) {
    log.warn({ error }, 'what a block is part of is not known yet; the sweep takes it up');
    return [];
  }
}
