import { fieldRequired } from '../../../domain/errors.ts';
import { alreadyExists, noSuchRecord } from '../../../domain/refusals/platform.ts';
import { couponNotSaved } from '../../../domain/refusals/sales.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { records, type Records } from '../../support/records.ts';
import { readCoupon, searchCoupons } from './read-sales-rules.ts';
import { lockCouponRule } from './search-sales-rules.ts';
import { SalesCoupon } from './sales-rule.entity.ts';

/** The fields of a coupon that are sent. Its limits are those of its promotion. */
export interface CouponDraft {
  ruleId?: number | undefined;
  code?: string | undefined;
  isPrimary?: boolean | undefined;
  isGenerated?: boolean | undefined;
}

const saved = records<SalesCoupon, CouponDraft, number>({
  entity: SalesCoupon,
  key: 'couponId',
  fields: {},
  unknown: () => noSuchRecord(),
  taken: (_draft, { message }) => alreadyExists([takenWhat(message)]),

  async write(tx, draft, known) {
    const code = (draft.code ?? known?.code ?? '').trim();
    const ruleId = draft.ruleId ?? known?.rule.ruleId;
    if (code === '') throw fieldRequired('code');
    if (ruleId === undefined) throw fieldRequired('rule_id');
    const isGenerated = draft.isGenerated ?? known?.isGenerated ?? false;
    refuseClosed(ruleId, await lockCouponRule(tx, ruleId), isGenerated);
    const columns = { rule: ruleId, code, isGenerated, ...definedFields({ isPrimary: draft.isPrimary }) };
    return known ? tx.assign(known, columns) : tx.create(SalesCoupon, columns);
  },
});

/**
 * The coupons of promotions (platform facts 9.4), read with the limits of the promotion and their uses so far, which
 * stay with the code. A repeat of a creation is refused, because the code is taken.
 *
 * Refused with: 404 unknown coupon · 400 no code, an unknown promotion, one that takes no coupons or only others, a
 * code that is taken in any case of letters.
 */
export const coupons: Records<SalesCoupon, CouponDraft, number> = {
  search: searchCoupons,
  find: readCoupon,
  save: async (em, save) => readCoupon(em, (await saved.save(em, save)).couponId),
  remove: saved.remove,
};

const takenWhat = (message: string) =>
  message.includes('sales_coupon_one_primary') ? 'A primary coupon of the rule' : 'Coupon with the same code';

type CouponRule = Awaited<ReturnType<typeof lockCouponRule>>;

/** The promotion is locked, so that it cannot stop taking coupons meanwhile. */
function refuseClosed(ruleId: number, rule: CouponRule, isGenerated: boolean): void {
  if (!rule) throw couponNotSaved([`No such entity with rule_id = ${ruleId}`]);
  if (rule.couponType === 'NO_COUPON') throw couponNotSaved(['Specified rule does not allow coupons']);
  if (rule.useAutoGeneration && !isGenerated)
    throw couponNotSaved(['Specified rule only allows auto generated coupons']);
  if (!rule.useAutoGeneration && isGenerated)
    throw couponNotSaved(['Specified rule does not allow auto generated coupons']);
}
