import { z } from 'zod';
import {
  deleteAttributeGroup,
  groupIsOfAnother,
  groupIsOfSystem,
  saveAttributeGroup,
  searchAttributeGroups,
  type GroupDraft,
} from '../../../db/platform/catalog/attributes-of-set.ts';
import { attributeGroupNotFound, attributeGroupNotSaved } from '../../../domain/refusals/catalog.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { done, route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { listOfOne } from '../../wire/criteria.ts';
import { requiredField, unknownEntity } from '../../wire/outcomes.ts';
import { fieldsOf, reference, text, within } from '../../wire/fields.ts';
import { growing, idParam, integer as sentInteger } from '../../wire/schemas.ts';
import { ofSet, setAccess, setOfOthers } from './attribute-sets.ts';

/** A group; what a read answered may be sent back. Its numbers are texts. */
const group = fieldsOf(
  {
    attribute_group_id: { sent: idParam, answer: z.string(), show: String },
    attribute_group_name: text(),
    attribute_set_id: reference(),
    extension_attributes: within(
      { attribute_group_code: text(), sort_order: { sent: sentInteger, answer: z.string(), show: String } },
      growing,
    ),
  },
  { sent: 'AttributeGroupToSave', answer: 'AttributeGroup' },
  growing,
);

const toDraft = (sent: z.output<typeof group.sent>, setOfPath?: number): GroupDraft => {
  const { attributeGroupName, attributeGroupCode, attributeSetId = 0, ...draft } = group.draft(sent);
  return { ...draft, attributeSetId: setOfPath ?? attributeSetId, name: attributeGroupName, code: attributeGroupCode };
};

const example = group.render({
  ...{ attributeGroupId: 21, attributeGroupName: 'Sizes', attributeSetId: 9 },
  ...{ attributeGroupCode: 'sizes', sortOrder: 5 },
});

const unknownGroup: Outcome = attributeGroupNotFound.because('There is no group of this id.');

const savingOutcomes: readonly Outcome[] = [
  unknownEntity('There is no set, or no group, of this id.'),
  setOfOthers,
  { status: 400, message: groupIsOfAnother, when: 'The group is one of another set.' },
  attributeGroupNotSaved.because('There is no name, or another group of the set has it, or the code.'),
];

/** The groups of one set (platform facts 3, 9.1). Refused as `searchAttributeGroups`. */
const listGroups = listRoute({
  ...setAccess,
  path: '/V1/products/attribute-sets/groups/list',
  name: 'listAttributeGroups',
  summary: 'Search the groups of an attribute set',
  description: 'In their order. A filter by `attribute_set_id` is needed.',
  outcomes: [
    attributeNameNotValid,
    requiredField('No filter names the set.'),
    unknownEntity('There is no set of this id.'),
  ],
  examples: [
    {
      title: 'Of one set',
      query:
        'searchCriteria[filter_groups][0][filters][0][field]=attribute_set_id' +
        '&searchCriteria[filter_groups][0][filters][0][value]=9',
      response: listOfOne(example),
    },
  ],
  answer: group.answer,
  find: searchAttributeGroups,
  render: group.render,
});

/** Creates a group, or changes the one with the id sent. Refused as `saveAttributeGroup`. */
const createGroup = route({
  ...setAccess,
  method: 'POST',
  path: '/V1/products/attribute-sets/groups',
  name: 'createAttributeGroup',
  summary: 'Create a group of an attribute set',
  description: 'With an `attribute_group_id` it changes that group. Without a code it gets one from its name.',
  outcomes: savingOutcomes,
  examples: [
    {
      title: 'Sizes',
      body: {
        group: { attribute_group_name: 'Sizes', attribute_set_id: 9, extension_attributes: { sort_order: 5 } },
      },
      response: example,
    },
  ],
  body: z.object({ group: group.sent }),
  response: group.answer,
  handle: async ({ em, body }) => group.render(await saveAttributeGroup(em, toDraft(body.group))),
});

/** Changes a group of the set. Refused as `saveAttributeGroup`. A repeat with the id changes nothing. */
const updateGroup = route({
  ...setAccess,
  method: 'PUT',
  path: '/V1/products/attribute-sets/:attributeSetId/groups',
  name: 'updateAttributeGroup',
  summary: 'Change a group of an attribute set',
  description:
    'The set of the path counts. What is not sent stays. Without an `attribute_group_id` it creates a group.',
  outcomes: savingOutcomes,
  examples: [
    {
      title: 'Another name',
      params: { attributeSetId: 9 },
      body: { group: { attribute_group_id: 21, attribute_group_name: 'Sizes', attribute_set_id: 9 } },
      response: example,
    },
  ],
  params: ofSet,
  body: z.object({ group: group.sent }),
  response: group.answer,
  handle: async ({ em, params: { attributeSetId }, body }) =>
    group.render(await saveAttributeGroup(em, toDraft(body.group, attributeSetId))),
});

/** Deletes a group. Refused as `deleteAttributeGroup`; a repeat is a 404. */
const deleteGroup = route({
  ...setAccess,
  method: 'DELETE',
  path: '/V1/products/attribute-sets/groups/:groupId',
  name: 'deleteAttributeGroup',
  summary: 'Delete a group of an attribute set',
  description: 'The attributes of the shop in it leave the set; products keep their values. A repeat is a 404.',
  outcomes: [
    unknownGroup,
    { status: 400, message: groupIsOfSystem, when: 'The group has an attribute that every set has.' },
  ],
  examples: [{ title: 'Gone', params: { groupId: 21 }, response: true }],
  params: z.object({ groupId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { groupId } }) => done(deleteAttributeGroup(em, groupId)),
});

/** The groups of attribute sets (platform facts 9.1). */
export const attributeGroupRoutes: readonly AnyRoute[] = [listGroups, createGroup, updateGroup, deleteGroup];
