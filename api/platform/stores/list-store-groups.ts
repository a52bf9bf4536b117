import { z } from 'zod';
import { readStoreGroups } from '../../../db/platform/stores/read-stores.ts';
import { route } from '../../http/route.ts';

/** Every store group, the admin one (id 0) included; a plain list (platform facts 11). */
export const listStoreGroups = route({
  method: 'GET',
  path: '/V1/store/storeGroups',
  acl: 'Platform_Backend::store',
  summary: 'Store groups',
  name: 'listStoreGroups',
  description: 'A plain list, the admin group (id 0) included.',
  outcomes: [],
  response: z.array(
    z.object({
      id: z.int(),
      website_id: z.int(),
      root_category_id: z.int(),
      default_store_id: z.int(),
      name: z.string(),
      code: z.string(),
    }),
  ),

  async handle({ em }) {
    const groups = await readStoreGroups(em);
    return groups.map(({ group_id, website_id, root_category_id, default_store_id, name, code }) => ({
      id: group_id,
      website_id,
      root_category_id,
      default_store_id,
      name,
      code,
    }));
  },
});
