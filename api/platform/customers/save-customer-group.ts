import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createCustomerGroup, updateCustomerGroup } from '../../../db/platform/customers/save-customer-group.ts';
import { readCustomerGroup } from '../../../db/platform/customers/search-customer-groups.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route } from '../../http/route.ts';
import { idParam, integer, payload, text } from '../../wire/schemas.ts';
import { customerGroupDoor, exampleGroup, refusedGroup, unknownGroup } from './customer-group-words.ts';
import { customerGroupAnswer, renderCustomerGroup } from './render-customer-group.ts';

/** As wide as the platform's texts; a code is cut to 32 characters. */
const maxText = 255;
const mostWebsites = 1_000;

/** A group as it is sent: what a read answered may be sent back. */
const customerGroupPayload = payload({
  id: idParam.optional(),
  code: text(maxText).optional(),
  tax_class_id: integer.optional(),
  /** Follows from the class: it counts for nothing. */
  tax_class_name: text(maxText).optional(),
  extension_attributes: payload({ exclude_website_ids: z.array(integer).max(mostWebsites).optional() }).optional(),
});

type SentGroup = z.output<typeof customerGroupPayload>;

const draftOf = ({ code, tax_class_id, extension_attributes }: SentGroup) => ({
  code,
  taxClassId: tax_class_id,
  excludeWebsiteIds: extension_attributes?.exclude_website_ids,
});

async function change(em: EntityManager, id: number, sent: SentGroup) {
  await updateCustomerGroup(em, { id, draft: draftOf(sent) });
  return renderCustomerGroup(await readCustomerGroup(em, id));
}

/**
 * Creates a customer group; with an `id` it changes that group, as on the platform (platform facts 8). A repeat
 * without an id is refused, because its code is taken.
 *
 * Refused with: 404 `id` an unknown group · 400 no code, a code that is taken, an unknown tax class of customers.
 */
export const createGroup = route({
  ...customerGroupDoor,
  method: 'POST',
  path: '/V1/customerGroups',
  name: 'createCustomerGroup',
  summary: 'Create a customer group',
  description: `A code longer than 32 characters is cut. Without \`tax_class_id\` the class is 3, "Retail Customer". With
an \`id\`, that group is changed instead. Promotions for every group hold for a new one within seconds.
\`exclude_website_ids\` is kept and answered for callers that follow it; a cart here does not.`,
  outcomes: [...refusedGroup, unknownGroup],
  examples: [{ title: 'A club', body: { group: { code: 'Club', tax_class_id: 3 } }, response: exampleGroup }],
  body: z.object({ group: customerGroupPayload }),
  response: customerGroupAnswer,

  async handle({ em, body: { group }, workflows, log }) {
    if (group.id !== undefined) return change(em, group.id, group);
    const id = await createCustomerGroup(em, draftOf(group));
    await followPrices({ em, workflows, log });
    return renderCustomerGroup(await readCustomerGroup(em, id));
  },
});

/**
 * Changes a customer group (platform facts 8). A repeat leaves the same group.
 *
 * Refused with: 404 `id` an unknown group · 400 no code, a code that is taken, an unknown tax class of customers.
 */
export const updateGroup = route({
  ...customerGroupDoor,
  method: 'PUT',
  path: '/V1/customerGroups/:id',
  name: 'updateCustomerGroup',
  summary: 'Change a customer group',
  description: `The id of the path counts, not that of the body. \`code\` is always needed; without \`tax_class_id\` the
group keeps its class. A repeat leaves the same group.`,
  outcomes: [unknownGroup, ...refusedGroup],
  examples: [
    {
      title: 'Another name',
      params: { id: 4 },
      body: { group: { code: 'Members' } },
      response: { ...exampleGroup, code: 'Members' },
    },
  ],
  params: z.object({ id: idParam }),
  body: z.object({ group: customerGroupPayload }),
  response: customerGroupAnswer,

  handle: ({ em, params: { id }, body: { group } }) => change(em, id, group),
});
