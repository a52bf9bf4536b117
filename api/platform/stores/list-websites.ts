import { z } from 'zod';
import { readWebsites } from '../../../db/platform/stores/read-stores.ts';
import { route } from '../../http/route.ts';

/** Every website, the admin one (id 0) included; a plain list (platform facts 11). */
export const listWebsites = route({
  method: 'GET',
  path: '/V1/store/websites',
  acl: 'Platform_Backend::store',
  summary: 'Websites',
  name: 'listWebsites',
  description: 'A plain list, the admin website (id 0) included. A website has its own base currency and customers.',
  outcomes: [],
  response: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(), default_group_id: z.int() })),

  async handle({ em }) {
    const websites = await readWebsites(em);
    return websites.map(({ website_id, code, name, default_group_id }) => ({
      id: website_id,
      code,
      name,
      default_group_id,
    }));
  },
});
