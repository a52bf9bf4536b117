import { z } from 'zod';
import { coupons } from '../../../db/platform/sales-rules/coupons.ts';
import type { SalesCoupon } from '../../../db/platform/sales-rules/sales-rule.entity.ts';
import { deleteCoupons, generateCoupons, someAreInvalid } from '../../../db/platform/sales-rules/search-sales-rules.ts';
import { invalidValue } from '../../../domain/errors.ts';
import { couponAlphabets, isCouponFormat } from '../../../domain/platform/sales-rules/coupon-codes.ts';
import { alreadyExists, noSuchRecord, severalInputErrors, tooManyItems } from '../../../domain/refusals/platform.ts';
import { couponNotSaved, couponsNotGenerated } from '../../../domain/refusals/sales.ts';
import { resource } from '../../http/resource.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import {
  derived,
  fieldsOf,
  flag,
  integer,
  keptAs,
  moment,
  named,
  ownId,
  perhaps,
  setByServer,
  text,
} from '../../wire/fields.ts';
import { flag as sentFlag, idParam, integer as sentInteger, payload, text as sentText } from '../../wire/schemas.ts';
import { requiredField, invalidField } from '../../wire/outcomes.ts';

const acl = 'Platform_SalesRule::quote';

const coupon = resource({
  records: coupons,
  acl,
  unknown: noSuchRecord.because('There is no coupon of this id.'),
  body: 'coupon',
  /** What a read answered may be sent back. Its limits are those of the promotion. */
  ...fieldsOf(
    {
      coupon_id: ownId('couponId'),
      rule_id: derived(({ rule }: SalesCoupon) => rule.ruleId, { sent: idParam, answer: z.int() }),
      code: text(),
      usage_limit: derived(({ rule }: SalesCoupon) => rule.usesPerCoupon, setByServer(z.int())),
      usage_per_customer: derived(({ rule }: SalesCoupon) => rule.usesPerCustomer, setByServer(z.int())),
      times_used: setByServer(z.int()),
      expiration_date: perhaps({
        ...derived(({ rule }: SalesCoupon) => rule.toDate, setByServer(z.string())),
        show: (day: string) => `${day} 00:00:00`,
      }),
      is_primary: flag(),
      created_at: moment(),
      /** 0: typed in by a person; 1: generated. */
      type: {
        ...named(
          'isGenerated',
          keptAs(integer(), (type) => type === 1),
        ),
        show: Number,
      },
      extension_attributes: {},
    },
    'Coupon',
  ),
  idOf: ({ coupon_id }) => coupon_id || undefined,
});

const exampleCoupon = {
  ...{ coupon_id: 1, rule_id: 1, code: 'ONCE', usage_limit: 1, usage_per_customer: 0, times_used: 0 },
  ...{ is_primary: true, created_at: '2026-11-21 09:00:00', type: 0 },
};

const refusedCoupon: readonly Outcome[] = [
  requiredField('The code or the promotion is missing.'),
  couponNotSaved.because(
    'The promotion does not exist, takes no coupons, or takes only generated ones, `type` 1. `%1` says which.',
  ),
  alreadyExists.because('Another coupon has the code, in any case of letters.'),
];

/** As many as are inserted in some seconds. */
const mostAtOnce = 10_000;
const longestCode = 64;
const longestPart = 32;

const couponSpec = payload({
  rule_id: idParam.optional(),
  quantity: sentInteger.optional(),
  length: sentInteger.optional(),
  format: sentText(longestPart).optional(),
  prefix: sentText(longestPart).optional(),
  suffix: sentText(longestPart).optional(),
  delimiter: sentText(1).optional(),
  delimiter_at_every: sentInteger.optional(),
  extension_attributes: z.unknown().optional(),
});

/** Refused with 400 in the platform's words: what it needs is missing or out of bounds. */
function requestOf(spec: z.output<typeof couponSpec>) {
  const { rule_id: ruleId = 0, quantity = 0, length = 0, format = 'alphanum', delimiter_at_every: every = 0 } = spec;
  if (ruleId <= 0 || quantity <= 0 || length <= 0) throw severalInputErrors();
  if (quantity > mostAtOnce) throw tooManyItems({ type: 'coupon', max: mostAtOnce });
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
const generateCouponsRoute = route({
  acl,
  method: 'POST',
  path: '/V1/coupons/generate',
  name: 'generateCoupons',
  summary: 'Generate coupons',
  description: `Up to 10,000 at once, of up to 64 drawn characters. \`format\` is
\`${Object.keys(couponAlphabets).join('`, `')}\`.
Codes that would be easy to guess are made longer. The answer is the list of codes. Send an \`Idempotency-Key\`, because
each call draws others.`,
  outcomes: [
    severalInputErrors.because('The promotion, the quantity or the length is missing or not above 0.'),
    tooManyItems.because('More than 10,000 are asked for.'),
    invalidField('The length or the format cannot be.'),
    couponsNotGenerated.because(
      'The promotion does not exist, takes no generated coupons, or no codes of the form are left.',
    ),
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
const deleteCouponsByIds = route({
  acl,
  method: 'POST',
  path: '/V1/coupons/deleteByIds',
  name: 'deleteCouponsByIds',
  summary: 'Delete coupons by id',
  description:
    'All or none. Ids that do not exist are answered in `missing_items`, or refused without `ignoreInvalidIds`.',
  outcomes: refusedDeletion,
  examples: [{ title: 'One was there', body: { ids: [1, 99] }, response: { failed_items: [], missing_items: ['99'] } }],
  body: z.object({ ids: z.array(idParam).max(mostAtOnce), ignoreInvalidIds: sentFlag.default(true) }),
  response: deletedAnswer,

  handle: async ({ em, body: { ids, ignoreInvalidIds } }) => ({
    failed_items: [],
    missing_items: await deleteCoupons(em, { wanted: { ids }, ignoresUnknown: ignoreInvalidIds }),
  }),
});

/** Deletes coupons by code (platform facts 9.4). A repeat answers all as missing. Refused with 400: an unknown one. */
const deleteCouponsByCodes = route({
  acl,
  method: 'POST',
  path: '/V1/coupons/deleteByCodes',
  name: 'deleteCouponsByCodes',
  summary: 'Delete coupons by code',
  description: `All or none, in any case of letters. Codes that do not exist are answered in \`missing_items\`, or
refused
without \`ignoreInvalidCodes\`.`,
  outcomes: refusedDeletion,
  examples: [{ title: 'It was there', body: { codes: ['ONCE'] }, response: { failed_items: [], missing_items: [] } }],
  body: z.object({ codes: z.array(sentText(255)).max(mostAtOnce), ignoreInvalidCodes: sentFlag.default(true) }),
  response: deletedAnswer,

  handle: async ({ em, body: { codes, ignoreInvalidCodes } }) => ({
    failed_items: [],
    missing_items: await deleteCoupons(em, { wanted: { codes }, ignoresUnknown: ignoreInvalidCodes }),
  }),
});

/** Coupons and how often they were used (platform facts 9.4, 14). A save with a `coupon_id` changes that one. */
export const couponRoutes: readonly AnyRoute[] = [
  coupon.list({
    path: '/V1/coupons/search',
    name: 'listCoupons',
    summary: 'Search coupons',
    description: `Coupons and how often they were used. A limit of 0 is no limit. \`searchCriteria\` is required: send
      \`searchCriteria[current_page]=1\` for all.`,
  }),

  coupon.get({
    path: '/V1/coupons/:couponId',
    name: 'getCouponById',
    summary: 'One coupon',
    description: 'A limit of 0 is no limit. `type` is 1 for a generated code.',
    examples: [{ title: 'It holds once', params: { couponId: 1 }, response: exampleCoupon }],
  }),

  coupon.create({
    path: '/V1/coupons',
    name: 'createCoupon',
    summary: 'Create a coupon',
    description: `For a promotion that needs one. Its limits and its last day are those of the promotion, and count for
nothing here. \`type\` is 1 for a generated code.`,
    outcomes: refusedCoupon,
    examples: [{ title: 'It holds once', body: { coupon: { rule_id: 1, code: 'ONCE' } }, response: exampleCoupon }],
  }),

  coupon.update({
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
  }),

  coupon.remove({
    path: '/V1/coupons/:couponId',
    name: 'deleteCoupon',
    summary: 'Delete a coupon',
    description: 'Carts with its code cannot be ordered until it is taken out. Orders keep their discount.',
    examples: [{ title: 'Deleted', params: { couponId: 1 }, response: true }],
  }),

  generateCouponsRoute,
  deleteCouponsByIds,
  deleteCouponsByCodes,
];
