import { z } from 'zod';
import { salesRuleDoor } from './sales-rule-door.ts';
import { generateCoupons, notGenerated } from '../../../db/platform/sales-rules/generate-coupons.ts';
import { deleteCoupons, someAreInvalid } from '../../../db/platform/sales-rules/save-coupon.ts';
import { couponAlphabets, isCouponFormat } from '../../../domain/platform/sales-rules/coupon-codes.ts';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { flag, idParam, integer, payload, text } from '../../wire/schemas.ts';

/** As many as are inserted in some seconds. */
const mostAtOnce = 10_000;
const longestCode = 64;
const longestPart = 32;

const couponSpec = payload({
  rule_id: idParam.optional(),
  quantity: integer.optional(),
  length: integer.optional(),
  format: text(longestPart).optional(),
  prefix: text(longestPart).optional(),
  suffix: text(longestPart).optional(),
  delimiter: text(1).optional(),
  delimiter_at_every: integer.optional(),
  extension_attributes: z.unknown().optional(),
});

/** Refused with 400 in the platform's words: what it needs is missing or out of bounds. */
function requestOf(spec: z.output<typeof couponSpec>) {
  const { rule_id: ruleId = 0, quantity = 0, length = 0, format = 'alphanum', delimiter_at_every: every = 0 } = spec;
  if (ruleId <= 0 || quantity <= 0 || length <= 0) throw invalid('One or more input exceptions have occurred.');
  if (quantity > mostAtOnce)
    throw invalid('Maximum items of type "%type" is %max', { type: 'coupon', max: mostAtOnce });
  if (length > longestCode) throw invalidValue('length', length);
  if (!isCouponFormat(format)) throw invalidValue('format', format);
  if (every < 0) throw invalidValue('delimiter_at_every', every);
  const { prefix = '', suffix = '', delimiter = '-' } = spec;
  return { ruleId, quantity, form: { format, length, prefix, suffix, delimiter, delimiterEvery: every } };
}

/**
 * Draws new coupons of a promotion (platform facts 9.4). Each call draws others.
 *
 * Refused with 400: a promotion, quantity or length that is missing · too many, too long, an unknown format · what
 * `generateCoupons` refuses.
 */
export const generateCouponsRoute = route({
  ...salesRuleDoor,
  method: 'POST',
  path: '/V1/coupons/generate',
  name: 'generateCoupons',
  summary: 'Generate coupons',
  description: `Up to 10,000 at once, of up to 64 drawn characters. \`format\` is \`${Object.keys(couponAlphabets).join('`, `')}\`.
Codes that would be easy to guess are made longer. The answer is the list of codes. Send an \`Idempotency-Key\`, because
each call draws others.`,
  outcomes: [
    {
      status: 400,
      message: 'One or more input exceptions have occurred.',
      when: 'The promotion, the quantity or the length is missing or not above 0.',
    },
    { status: 400, message: 'Maximum items of type "%type" is %max', when: 'More than 10,000 are asked for.' },
    {
      status: 400,
      message: 'Invalid value of "%value" provided for the %fieldName field.',
      when: 'The length or the format cannot be.',
    },
    {
      status: 400,
      message: notGenerated,
      when: 'The promotion does not exist, takes no generated coupons, or no codes of the form are left.',
    },
  ],
  examples: [
    {
      title: 'Two codes',
      body: { couponSpec: { rule_id: 1, quantity: 2, length: 8, format: 'alphanum', prefix: 'MAY-' } },
      response: ['MAY-7H2K9QXA', 'MAY-ZP41MB0C'],
    },
  ],
  body: z.object({ couponSpec }),
  response: z.array(z.string()),

  handle: ({ em, body: { couponSpec: spec } }) => generateCoupons(em, requestOf(spec)),
});

const deletedAnswer = z.object({ failed_items: z.array(z.string()), missing_items: z.array(z.string()) });

const refusedDeletion = [
  { status: 400, message: someAreInvalid, when: 'One is unknown, and unknown ones are not ignored. None is deleted.' },
];

/** Deletes coupons by id (platform facts 9.4). A repeat answers all as missing. Refused with 400: an unknown one. */
export const deleteCouponsByIds = route({
  ...salesRuleDoor,
  method: 'POST',
  path: '/V1/coupons/deleteByIds',
  name: 'deleteCouponsByIds',
  summary: 'Delete coupons by id',
  description:
    'All or none. Ids that do not exist are answered in `missing_items`, or refused without `ignoreInvalidIds`.',
  outcomes: refusedDeletion,
  examples: [{ title: 'One was there', body: { ids: [1, 99] }, response: { failed_items: [], missing_items: ['99'] } }],
  body: z.object({ ids: z.array(idParam).max(mostAtOnce), ignoreInvalidIds: flag.default(true) }),
  response: deletedAnswer,

  handle: async ({ em, body: { ids, ignoreInvalidIds } }) => ({
    failed_items: [],
    missing_items: await deleteCoupons(em, { wanted: { ids }, ignoresUnknown: ignoreInvalidIds }),
  }),
});

/** Deletes coupons by code (platform facts 9.4). A repeat answers all as missing. Refused with 400: an unknown one. */
export const deleteCouponsByCodes = route({
  ...salesRuleDoor,
  method: 'POST',
  path: '/V1/coupons/deleteByCodes',
  name: 'deleteCouponsByCodes',
  summary: 'Delete coupons by code',
  description: `All or none, in any case of letters. Codes that do not exist are answered in \`missing_items\`, or refused
without \`ignoreInvalidCodes\`.`,
  outcomes: refusedDeletion,
  examples: [{ title: 'It was there', body: { codes: ['ONCE'] }, response: { failed_items: [], missing_items: [] } }],
  body: z.object({ codes: z.array(text(255)).max(mostAtOnce), ignoreInvalidCodes: flag.default(true) }),
  response: deletedAnswer,

  handle: async ({ em, body: { codes, ignoreInvalidCodes } }) => ({
    failed_items: [],
    missing_items: await deleteCoupons(em, { wanted: { codes }, ignoresUnknown: ignoreInvalidCodes }),
  }),
});
