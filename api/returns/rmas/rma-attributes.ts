import { z } from 'zod';
import type { ReturnOption } from '../../../domain/returns/return-status.ts';
import { route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { attributeOption } from '../../wire/attribute-words.ts';
import { providerAway } from '../return-outcomes.ts';
import { attributeCodeNotFound } from '../../../domain/refusals/catalog.ts';
import { activeProvider } from '../ask-provider.ts';

const access = { acl: 'Platform_Rma::rma_attribute' } as const;

const attributeAnswer = z
  .object({
    frontend_input: z.string(),
    input_filter: z.string(),
    store_label: z.string(),
    validation_rules: z.array(z.unknown()),
    multiline_count: z.int(),
    visible: z.boolean(),
    required: z.boolean(),
    data_model: z.string(),
    options: z.array(attributeOption),
    frontend_class: z.string(),
    user_defined: z.boolean(),
    sort_order: z.int(),
    frontend_label: z.string(),
    note: z.string(),
    system: z.boolean(),
    backend_type: z.string(),
    attribute_code: z.string(),
  })
  .meta({ id: 'RmaAttribute' });

type Attribute = z.input<typeof attributeAnswer>;

/** What an item of a return is asked for, in the platform's order. */
const query = [
  ['resolution', 'Resolution'],
  ['condition', 'Item Condition'],
  ['reason', 'Reason to Return'],
] as const;

const attribute = (
  [code, label]: (typeof query)[number],
  place: number,
  offered: readonly ReturnOption[],
): Attribute => ({
  ...{ frontend_input: 'select', input_filter: '', store_label: label, validation_rules: [], multiline_count: 0 },
  ...{ visible: true, required: false, data_model: '' },
  options: offered.map((option) => ({ label: option.label, value: option.id })),
  ...{ frontend_class: '', user_defined: false, sort_order: (place + 1) * 10, frontend_label: label, note: '' },
  ...{ system: true, backend_type: 'int', attribute_code: code },
});

const example = attribute(query[0], 0, [{ id: 'Refund', label: 'Refund', behavior: 'refund', isStoreCredit: false }]);

/** The attributes with the choices of the store view's provider; without one, without choices. */
async function attributesOf({ providers, store }: RouteContext): Promise<Attribute[]> {
  const provider = await activeProvider({ providers }, store.storeId);
  const options = await provider?.options(store.storeId);
  const offered = {
    ...{ resolution: options?.resolutions ?? [], condition: options?.conditions ?? [], reason: options?.reasons ?? [] },
  };
  return query.map((one, place) => attribute(one, place, offered[one[0]]));
}

/** What an item of a return is asked for (platform facts 11). */
const listRmaAttributes = route({
  ...access,
  method: 'GET',
  path: '/V1/returnsAttributeMetadata',
  name: 'listRmaAttributes',
  summary: 'List what an item of a return is asked for',
  description: 'With the choices of the store view of the path.',
  outcomes: [providerAway],
  examples: [{ title: 'The first', response: [example] }],
  response: z.array(attributeAnswer),
  handle: attributesOf,
});

/** One of them (platform facts 11). Refused with: 404 unknown. */
const getRmaAttribute = route({
  ...access,
  method: 'GET',
  path: '/V1/returnsAttributeMetadata/:attributeCode',
  name: 'getRmaAttribute',
  summary: 'Read one thing that an item of a return is asked for',
  description: '`resolution`, `condition` or `reason`.',
  outcomes: [attributeCodeNotFound.because('An item of a return is not asked for it.'), providerAway],
  examples: [{ title: 'Resolution', params: { attributeCode: 'resolution' }, response: example }],
  params: z.object({ attributeCode: z.string() }),
  response: attributeAnswer,

  async handle(request) {
    const { attributeCode } = request.params;
    const found = (await attributesOf(request)).find((one) => one.attribute_code === attributeCode);
    if (!found) throw attributeCodeNotFound([attributeCode]);
    return found;
  },
});

/** The choices of returns, in the shape that clients of the platform know. */
export const rmaAttributeRoutes: readonly AnyRoute[] = [listRmaAttributes, getRmaAttribute];
