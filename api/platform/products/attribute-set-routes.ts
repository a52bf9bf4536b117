import type { AnyRoute } from '../../http/route.ts';
import { attributeGroupRoutes } from './attribute-groups.ts';
import { productSetRoutes } from './attribute-sets.ts';
import { attributesOfSetRoutes } from './attributes-of-set.ts';
import { eavAttributeSetRoutes } from './eav-attribute-sets.ts';

/** Attribute sets, their groups and attributes (platform facts 9.1). Literal paths are first. */
export const attributeSetRoutes: readonly AnyRoute[] = [
  ...attributesOfSetRoutes,
  ...attributeGroupRoutes,
  ...productSetRoutes,
  ...eavAttributeSetRoutes,
];
