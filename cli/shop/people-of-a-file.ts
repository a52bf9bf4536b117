import { z } from 'zod';
import { isKnownResource, likelyResources } from '../../domain/platform/access/known-resources.ts';
import { legacyPermissionKeys, permissionKeys } from '../../domain/staff/permissions.ts';

/** Who works in a shop, as its file says it. */

const name = z.string().trim().min(1).max(255);

export const role = z.strictObject({
  name,
  permissions: z.array(z.enum([...permissionKeys, ...legacyPermissionKeys])).max(100),
  isActive: z.boolean().optional(),
});

export const member = z.strictObject({
  email: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'is no e-mail address')
    .max(255),
  firstName: name,
  lastName: name,
  role: name.describe('The name of a role.'),
  locations: z.array(z.string()).max(1_000).optional().describe('The codes of the locations where they work.'),
  allLocations: z.boolean().optional(),
  isActive: z.boolean().optional().describe('false: they left.'),
});

export const administrator = z.strictObject({
  username: name.max(40),
  email: z.string().max(128),
  firstName: name.max(64).optional(),
  lastName: name.max(64).optional(),
  resources: z
    .array(
      z
        .string()
        .regex(/^\w+::\w+$/, { message: 'is no resource such as Vendor_Pos::locations', abort: true })
        .refine(isKnownResource, {
          error: ({ input }) =>
            `is a resource that no route asks for; perhaps it is one of: ${likelyResources(String(input))}`,
        }),
    )
    .max(200)
    .optional(),
  isActive: z.boolean().optional(),
});
