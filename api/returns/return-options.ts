import { z } from 'zod';
import { builtInProvider } from '../../db/returns/create-return.ts';
import {
  builtInConditions,
  builtInReasons,
  builtInResolutions,
  type ReturnOption,
} from '../../domain/returns/return-options.ts';
import { route } from '../support/route.ts';
import { integer } from '../support/schemas.ts';

const option = z.object({
  id: z.string(),
  label: z.string(),
  behavior: z.string().nullable(),
  is_store_credit: z.boolean().nullable(),
});

/** Reasons, conditions and resolutions to choose from (spec 4.8). The built-in provider's labels are their ids. */
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

  async handle({ query: { storeId }, store }) {
    return {
      provider_code: builtInProvider,
      store_id: storeId ?? store.storeId,
      reasons: builtInReasons.map(render),
      conditions: builtInConditions.map(render),
      resolutions: builtInResolutions.map(render),
    };
  },
});

const render = ({ id, label, behavior, isStoreCredit }: ReturnOption) => ({
  id,
  label,
  behavior,
  is_store_credit: isStoreCredit,
});
