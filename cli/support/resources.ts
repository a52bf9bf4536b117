import { invalid } from '../../domain/errors.ts';
import { everyResource, registerResources } from '../../domain/platform/access/acl.ts';

const resourcePattern = /^\w+::\w+$/;

/** Names for common sets of resources: everything, and a register's needs. */
const bundles: Record<string, readonly string[]> = { all: [everyResource], register: registerResources };

/** `all`, `register`, or a list such as `Vendor_Pos::locations,Vendor_Pos::receipts`. 400 for any other form. */
export function resourcesOf(acl: string): readonly string[] {
  const bundle = bundles[acl];
  if (bundle) return bundle;
  const resources = acl.split(',').map((resource) => resource.trim());
  const wrong = resources.find((resource) => !resourcePattern.test(resource));
  if (wrong !== undefined) throw invalid('"%1" is not a resource; write it as Vendor_Pos::locations.', [wrong]);
  return resources;
}
