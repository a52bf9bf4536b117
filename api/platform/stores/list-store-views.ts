import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { route } from '../../http/route.ts';
import { renderStoreView, storeViewAnswer } from './render-store-view.ts';

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
  response: z.array(storeViewAnswer),
  handle: async ({ em }) => (await readStoreViews(em)).map(renderStoreView),
});
