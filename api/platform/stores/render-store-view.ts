import { z } from 'zod';
import type { readStoreViews } from '../../../db/platform/stores/read-stores.ts';

export const storeViewAnswer = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    website_id: z.int(),
    store_group_id: z.int(),
    is_active: z.int(),
  })
  .meta({ id: 'StoreView' });

/** A store view as its answers have it (platform facts 11). */
export const renderStoreView = (
  view: Awaited<ReturnType<typeof readStoreViews>>[number],
): z.input<typeof storeViewAnswer> => ({
  id: view.store_id,
  code: view.code,
  name: view.name,
  website_id: view.website_id,
  store_group_id: view.store_group_id,
  is_active: Number(view.is_active),
});
