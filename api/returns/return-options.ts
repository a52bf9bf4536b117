import { z } from 'zod';
import { refuseUnknownStore } from '../../db/platform/stores/refuse-unknown-store.ts';
import type { ReturnOption } from '../../domain/returns/return-options.ts';
import { route } from '../http/route.ts';
import { integer } from '../wire/schemas.ts';
import { activeProvider } from './active-provider.ts';

const option = z
  .object({
    id: z.string(),
    label: z.string(),
    behavior: z.string().nullable(),
    is_store_credit: z.boolean().nullable(),
  })
  .meta({ id: 'ReturnOption' });

/**
 * Reasons, conditions and resolutions to choose from, as the store view's returns provider has them (spec 4.8); nothing
 * where there is none. The built-in provider's labels are their ids.
 *
 * Refused with: 404 unknown store · 503 the provider cannot be asked.
 */
export const returnOptions = route({
  method: 'GET',
  path: '/V1/pos/rma/options',
  acl: 'Vendor_Pos::locations',
  summary: 'Reasons, conditions and resolutions of returns',
  query: z.object({ storeId: integer.optional() }),
  response: z.object({
    provider_code: z.string(),
    store_id: z.int(),
    reasons: z.array(option),
    conditions: z.array(option),
    resolutions: z.array(option),
  }),

  async handle({ query, store, em, providers }) {
    // Without one, or with a zero, the store view of the request.
    const storeId = query.storeId || store.storeId;
    if (storeId !== store.storeId) await refuseUnknownStore(em, storeId);
    const provider = await activeProvider({ providers }, storeId);
    const options = await provider?.options(storeId);
    return {
      provider_code: provider?.code ?? '',
      store_id: storeId,
      reasons: (options?.reasons ?? []).map(render),
      conditions: (options?.conditions ?? []).map(render),
      resolutions: (options?.resolutions ?? []).map(render),
    };
  },
});

const render = ({ id, label, behavior, isStoreCredit }: ReturnOption) => ({
  id,
  label,
  behavior,
  is_store_credit: isStoreCredit,
});
