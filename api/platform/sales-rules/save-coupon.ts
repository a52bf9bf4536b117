import { z } from 'zod';
import { salesRuleDoor } from './sales-rule-door.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { codeIsTaken, deleteCoupon, notSaved, saveCoupon } from '../../../db/platform/sales-rules/save-coupon.ts';
import { readCoupon } from '../../../db/platform/sales-rules/search-coupons.ts';
import { noSuchRule } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { route, type Outcome } from '../../http/route.ts';
import { eachOf } from '../../wire/each-of.ts';
import { flag, idParam, integer, payload, text } from '../../wire/schemas.ts';
import { couponAnswer, exampleCoupon, renderCoupon } from './render-coupon.ts';

const maxText = 255;

/** A coupon as it is sent: what a read answered may be sent back. Its limits are those of the promotion. */
const couponPayload = payload({
  coupon_id: idParam.optional(),
  rule_id: idParam.optional(),
  code: text(maxText).optional(),
  is_primary: flag.optional(),
  type: integer.optional(),
  ...eachOf(
    ['usage_limit', 'usage_per_customer', 'times_used', 'expiration_date', 'created_at'],
    z.unknown().optional(),
  ),
  extension_attributes: z.unknown().optional(),
}).meta({ id: 'Coupon' });

async function save(em: EntityManager, couponId: number | undefined, sent: z.output<typeof couponPayload>) {
  const { rule_id: ruleId, code, is_primary: isPrimary, type } = sent;
  const isGenerated = type === undefined ? undefined : type === 1;
  return renderCoupon(
    await readCoupon(em, await saveCoupon(em, { couponId, draft: { ruleId, code, isPrimary, isGenerated } })),
  );
}

const unknownCoupon: Outcome = { status: 404, message: noSuchRule, when: 'There is no coupon of this id.' };

const refusedCoupon: readonly Outcome[] = [
  unknownCoupon,
  {
    status: 400,
    message: '"%fieldName" is required. Enter and try again.',
    when: 'The code or the promotion is missing.',
  },
  {
    status: 400,
    message: notSaved,
    when: 'The promotion does not exist, takes no coupons, or takes only generated ones, `type` 1. `%1` says which.',
  },
  { status: 400, message: codeIsTaken, when: 'Another coupon has the code, in any case of letters.' },
];

/**
 * Creates a coupon; with a `coupon_id` it changes that one, as on the platform (platform facts 9.4). A repeat without an
 * id is refused, because its code is taken. Refused as `saveCoupon`.
 */
export const createCoupon = route({
  ...salesRuleDoor,
  method: 'POST',
  path: '/V1/coupons',
  name: 'createCoupon',
  summary: 'Create a coupon',
  description: `For a promotion that needs one. Its limits and its last day are those of the promotion, and count for
nothing here. \`type\` is 1 for a generated code.`,
  outcomes: refusedCoupon,
  examples: [{ title: 'It holds once', body: { coupon: { rule_id: 1, code: 'ONCE' } }, response: exampleCoupon }],
  body: z.object({ coupon: couponPayload }),
  response: couponAnswer,

  handle: ({ em, body: { coupon } }) => save(em, coupon.coupon_id || undefined, coupon),
});

/** Changes what is sent of a coupon (platform facts 9.4). A repeat leaves the same one. Refused as above. */
export const updateCoupon = route({
  ...salesRuleDoor,
  method: 'PUT',
  path: '/V1/coupons/:couponId',
  name: 'updateCoupon',
  summary: 'Change a coupon',
  description: 'Fields that are not sent stay. A new code begins to count its uses anew.',
  outcomes: refusedCoupon,
  examples: [
    {
      title: 'Another code',
      params: { couponId: 1 },
      body: { coupon: { code: 'TWICE' } },
      response: { ...exampleCoupon, code: 'TWICE' },
    },
  ],
  params: z.object({ couponId: idParam }),
  body: z.object({ coupon: couponPayload }),
  response: couponAnswer,

  handle: ({ em, params: { couponId }, body: { coupon } }) => save(em, couponId, coupon),
});

/** Deletes a coupon. A repeat is a 404. Refused with 404: an unknown one. */
export const removeCoupon = route({
  ...salesRuleDoor,
  method: 'DELETE',
  path: '/V1/coupons/:couponId',
  name: 'deleteCoupon',
  summary: 'Delete a coupon',
  description: 'Carts with its code cannot be ordered until it is taken out. Orders keep their discount.',
  outcomes: [unknownCoupon],
  examples: [{ title: 'Deleted', params: { couponId: 1 }, response: true }],
  params: z.object({ couponId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { couponId } }) {
    await deleteCoupon(em, couponId);
    return true as const;
  },
});
