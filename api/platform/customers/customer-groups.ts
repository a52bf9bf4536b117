import { z } from 'zod';
import { customerGroups } from '../../../db/platform/customers/customer-groups.ts';
import { setDefaultGroup } from '../../../db/platform/customers/find-customer-groups.ts';
import { isGroupReadOnly, readDefaultGroup } from '../../../db/platform/customers/read-customer-groups.ts';
import { customerGroupExists, groupNotDeletable } from '../../../domain/refusals/customers.ts';
import { noSuchEntityOfTwo } from '../../../domain/refusals/platform.ts';
import { resource } from '../../http/resource.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { unknownEntity, requiredField, invalidField } from '../../wire/outcomes.ts';
import { derived, perhaps, fieldsOf, keptAs, named, ownId, reference, text, unkept } from '../../wire/fields.ts';
import { idParam, payload, recordId } from '../../wire/schemas.ts';

const mostWebsites = 1_000;

const acl = 'Platform_Customer::group';
const unknownGroup: Outcome = unknownEntity('There is no group of this id.');

interface ReadGroup {
  excludeWebsiteIds: readonly number[];
}

const { answer, ...groupFields } = fieldsOf({
  id: ownId('id'),
  code: text(),
  tax_class_id: reference(),
  /** Follows from the class: what is sent is ignored. */
  tax_class_name: unkept(text()),
  extension_attributes: named(
    'excludeWebsiteIds',
    perhaps(
      derived(
        ({ excludeWebsiteIds: ids }: ReadGroup) => (ids.length === 0 ? undefined : { exclude_website_ids: ids }),
        keptAs(
          {
            sent: payload({ exclude_website_ids: z.array(recordId).max(mostWebsites).optional() }),
            answer: z.object({ exclude_website_ids: z.array(z.int()) }),
          },
          (sent) => sent.exclude_website_ids,
        ),
      ),
    ),
  ),
});

const customerGroupAnswer = answer.meta({ id: 'CustomerGroup' });

const group = resource({
  records: customerGroups,
  acl,
  unknown: unknownGroup,
  body: 'group',
  /** What a read answered may be sent back. */
  ...groupFields,
  answer: customerGroupAnswer,
  idOf: ({ id }) => id,
});

const refusedGroup: readonly Outcome[] = [
  requiredField('The code is missing or empty.'),
  customerGroupExists,
  invalidField('No tax class of customers has the id `tax_class_id`, or no website one of `exclude_website_ids`.'),
];

const exampleGroup = { id: 4, code: 'Club', tax_class_id: 3, tax_class_name: 'Retail Customer' };
const general = { id: 1, code: 'General', tax_class_id: 3, tax_class_name: 'Retail Customer' };

const missingGroup: Outcome = noSuchEntityOfTwo.because(
  'The setting of the store view names a group that does not exist.',
  'Set another, `PUT /V1/customerGroups/default/:id`.',
);

/** The group of new accounts in the store view of the path (platform facts 8). Refused with 404: it does not exist. */
const getDefaultGroup = route({
  acl,
  method: 'GET',
  path: '/V1/customerGroups/default',
  name: 'getDefaultCustomerGroup',
  summary: 'The customer group of new accounts',
  description: 'Of the store view in the path. Without a setting it is group 1, "General".',
  outcomes: [missingGroup],
  examples: [{ title: 'The usual one', response: general }],
  response: customerGroupAnswer,

  handle: async ({ em, store: { storeId } }) => group.render(await readDefaultGroup(em, storeId)),
});

/** The group of new accounts in a store view (platform facts 8). Refused with 404: an unknown view, or group. */
const getDefaultGroupOfStore = route({
  acl,
  method: 'GET',
  path: '/V1/customerGroups/default/:storeId',
  name: 'getDefaultCustomerGroupOfStore',
  summary: 'The customer group of new accounts in a store view',
  description: 'Store view 0 is the default scope. Without a setting it is group 1, "General".',
  outcomes: [unknownEntity('There is no store view of this id.'), missingGroup],
  examples: [{ title: 'The usual one', params: { storeId: 1 }, response: general }],
  params: z.object({ storeId: idParam }),
  response: customerGroupAnswer,

  handle: async ({ em, params: { storeId } }) => group.render(await readDefaultGroup(em, storeId)),
});

/**
 * Makes a group that of new accounts (platform facts 8). A repeat changes nothing. Refused with: 404 `id` unknown · 400
 * guests.
 */
const setDefaultGroupRoute = route({
  acl,
  method: 'PUT',
  path: '/V1/customerGroups/default/:id',
  name: 'setDefaultCustomerGroup',
  summary: 'Set the customer group of new accounts',
  description: `In the default scope: a website or a store view with a setting of its own keeps it. Existing accounts
keep their group. The answer is the id.`,
  outcomes: [unknownGroup, invalidField('It is group 0, that of guests: an account is no guest.')],
  examples: [{ title: 'Everybody new is in the club', params: { id: 4 }, response: 4 }],
  params: z.object({ id: idParam }),
  response: z.int(),

  async handle({ em, params: { id } }) {
    await setDefaultGroup(em, id);
    return id;
  },
});

/** Whether a group cannot be deleted (platform facts 8). Refused with 404 `groupId`: an unknown group. */
const isGroupReadOnlyRoute = route({
  acl,
  method: 'GET',
  path: '/V1/customerGroups/:id/permissions',
  name: 'isCustomerGroupReadOnly',
  summary: 'Whether a customer group cannot be deleted',
  description: 'True for the group of guests, and for each group that new accounts of a store view get.',
  outcomes: [unknownGroup],
  examples: [{ title: 'It can be deleted', params: { id: 4 }, response: false }],
  params: z.object({ id: idParam }),
  response: z.boolean(),

  handle: ({ em, params: { id } }) => isGroupReadOnly(em, id),
});

/** Groups of customers, and which of them new accounts get; 0 is the group of guests (platform facts 8). */
export const customerGroupRoutes: readonly AnyRoute[] = [
  group.list({
    path: '/V1/customerGroups/search',
    name: 'listCustomerGroups',
    summary: 'Search customer groups',
    description: `Group 0 is everybody who has not signed in. \`searchCriteria\` is required: send
      \`searchCriteria[current_page]=1\` for all.`,
  }),

  group.get({
    path: '/V1/customerGroups/:id',
    name: 'getCustomerGroup',
    summary: 'One customer group',
    description: 'With the tax class of its customers.',
  }),

  group.create({
    path: '/V1/customerGroups',
    name: 'createCustomerGroup',
    summary: 'Create a customer group',
    description: `A code longer than 32 characters is cut. Without \`tax_class_id\` the class is 3, "Retail Customer".
With
an \`id\`, that group is changed instead. Promotions for every group hold for a new one within seconds.
\`exclude_website_ids\` is kept and answered for callers that follow it; a cart here does not.`,
    outcomes: refusedGroup,
    examples: [{ title: 'A club', body: { group: { code: 'Club', tax_class_id: 3 } }, response: exampleGroup }],
    after: followPrices,
  }),

  group.update({
    path: '/V1/customerGroups/:id',
    name: 'updateCustomerGroup',
    summary: 'Change a customer group',
    description: `The id of the path counts, not that of the body. \`code\` is always needed; without \`tax_class_id\`
the
group keeps its class. A repeat leaves the same group.`,
    outcomes: refusedGroup,
    examples: [
      {
        title: 'Another name',
        params: { id: 4 },
        body: { group: { code: 'Members' } },
        response: { ...exampleGroup, code: 'Members' },
      },
    ],
  }),

  group.remove({
    path: '/V1/customerGroups/:id',
    name: 'deleteCustomerGroup',
    summary: 'Delete a customer group',
    description: `Its customers get the default group of their store view. Its tier prices are deleted. Promotions no
longer
name it; one that was for this group alone is switched off. Orders keep the id.`,
    outcomes: [
      groupNotDeletable.because('It is the group of guests, or new accounts get it.'),
      noSuchEntityOfTwo.because(
        'A customer of it is in a store view whose default group does not exist.',
        'Set the default group, `PUT /V1/customerGroups/default/:id`.',
      ),
    ],
    examples: [{ title: 'Deleted', params: { id: 4 }, response: true }],
    after: followPrices,
  }),

  isGroupReadOnlyRoute,
  getDefaultGroup,
  getDefaultGroupOfStore,
  setDefaultGroupRoute,
];
