import { invalid } from '../../domain/errors.ts';
import { everyResource, registerResources } from '../../domain/platform/access/acl.ts';
import { isKnownResource, likelyResources } from '../../domain/platform/access/known-resources.ts';

const resourcePattern = /^\w+::\w+$/;

/** Names for common sets of resources: everything, and a register's needs. */
const bundles: Record<string, readonly string[]> = { all: [everyResource], register: registerResources };

/**
 * `all`, `register`, or a list such as `Vendor_Pos::locations,Vendor_Pos::receipts`. Refused with 400: any other form,
 * a resource that no route asks for.
 */
export function resourcesOf(acl: string): readonly string[] {
  const bundle = bundles[acl];
  if (bundle) return bundle;
  const resources = acl.split(',').map((resource) => resource.trim());
  const wrong = resources.find((resource) => !resourcePattern.test(resource));
  if (wrong !== undefined) throw invalid('"%1" is not a resource; write it as Vendor_Pos::locations.', [wrong]);
  const unknown = resources.find((resource) => !isKnownResource(resource));
  if (unknown !== undefined)
    throw invalid('No route asks for the resource "%1". Perhaps it is one of: %2.', [
      unknown,
      likelyResources(unknown),
    ]);
  return resources;
}
