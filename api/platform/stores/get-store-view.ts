import { z } from 'zod';
import { readStoreViews } from '../../../db/platform/stores/read-stores.ts';
import { noSuchStore } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { renderStoreView, storeViewAnswer } from './render-store-view.ts';

/** One store view by its code or its id: not of the platform, but clients of it ask for one. Refused with: 404 unknown. */
export const getStoreView = route({
  method: 'GET',
  path: '/V1/store/storeViews/:code',
  acl: 'Platform_Backend::store',
  summary: 'One store view',
  name: 'getStoreView',
  description: 'By its code or its id.',
  outcomes: [
    {
      status: 404,
      message: "The store that was requested wasn't found. Verify the store and try again.",
      when: 'No store view has this code or id.',
    },
  ],
  examples: [
    {
      title: 'The first',
      params: { code: 'default' },
      response: { id: 1, code: 'default', name: 'Default Store View', website_id: 1, store_group_id: 1, is_active: 1 },
    },
  ],
  params: z.object({ code: z.string() }),
  response: storeViewAnswer,

  async handle({ em, params: { code } }) {
    const views = await readStoreViews(em);
    const found = views.find((view) => view.code === code || String(view.store_id) === code);
    if (!found) throw noSuchStore();
    return renderStoreView(found);
  },
});
