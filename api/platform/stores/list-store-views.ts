import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { route } from '../../http/route.ts';

/** Every store view, the admin one (id 0) included; a plain list (platform facts 11). */
export const listStoreViews = route({
  method: 'GET',
  path: '/V1/store/storeViews',
  acl: 'Platform_Backend::store',
  summary: 'Store views',
  name: 'listStoreViews',
  description: `A plain list, the admin view (id 0) included. Put a \`code\` into the path, \`/rest/<code>/V1/…\`,
    to work in that view.`,
  outcomes: [],
  response: z.array(
    z.object({
      id: z.int(),
      code: z.string(),
      name: z.string(),
      website_id: z.int(),
      store_group_id: z.int(),
      is_active: z.int(),
    }),
  ),

  async handle({ em }) {
    const views = await readStoreViews(em);
    return views.map((view) => ({
      id: view.store_id,
      code: view.code,
      name: view.name,
      website_id: view.website_id,
      store_group_id: view.store_group_id,
      is_active: Number(view.is_active),
    }));
  },
});
