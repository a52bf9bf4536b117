import { z } from 'zod';
import { refuseUnknownStore } from '../../db/platform/stores/refuse-unknown-store.ts';
import type { ReturnOption } from '../../domain/returns/return-options.ts';
import { route } from '../http/route.ts';
import { integer } from '../wire/schemas.ts';
import { activeProvider } from './active-provider.ts';
import { providerAway } from './return-outcomes.ts';

const option = z
  .object({
    id: z.string(),
    label: z.string(),
    behavior: z.string().nullable(),
    is_store_credit: z.boolean().nullable(),
  })
  .meta({ id: 'ReturnOption' });

/**
 * Reasons, conditions and resolutions to choose from, as the store view's returns provider has them (spec 4.8);
 * nothing where there is none.
 */
export const returnOptions = route({
  method: 'GET',
  path: '/V1/pos/rma/options',
  acl: 'Vendor_Pos::locations',
  summary: 'Reasons, conditions and resolutions of returns',
  name: 'getReturnOptions',
  description: `What the cashier chooses from when goods come back. \`behavior\` says what a resolution does:
    \`refund\`, \`exchange\` or \`unsupported\`. Without \`storeId\`, or with 0, the store view of the path. A store
    without a returns provider has empty lists.`,
  outcomes: [
    {
      status: 404,
      message: "The store that was requested wasn't found. Verify the store and try again.",
      when: '`storeId` is no store view.',
    },
    providerAway,
  ],
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
