import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, notFound } from '../../../domain/errors.ts';
import { given } from '../../support/given.ts';
import { integer, integers, texts } from '../../support/kinds.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { SalesCoupon } from './coupon.entity.ts';
import { SalesRule } from './sales-rule.entity.ts';
import { noSuchRule } from './search-sales-rules.ts';

/** The fields of a coupon that are sent. Its limits are those of its promotion. */
export interface CouponDraft {
  ruleId?: number | undefined;
  code?: string | undefined;
  isPrimary?: boolean | undefined;
  isGenerated?: boolean | undefined;
}

export const notSaved = 'Error occurred when saving coupon: %1';
export const codeIsTaken = '%1 already exists.';
export const someAreInvalid = 'Some coupons are invalid.';

/**
 * Creates a coupon, or changes what is sent of one (platform facts 9.4). A repeat of a change leaves the same coupon; of
 * a creation it is refused, because the code is taken. Its uses so far stay with the code.
 *
 * Refused with: 404 unknown coupon · 400 no code, an unknown promotion, one that takes no coupons or only others, a code
 * that is taken in any case of letters.
 *
 * @returns the coupon's id
 */
export const saveCoupon = (
  em: EntityManager,
  { couponId, draft }: { couponId: number | undefined; draft: CouponDraft },
): Promise<number> => {
  const save = () =>
    transact(em, async (tx) => {
      const known = couponId === undefined ? undefined : await lockedCoupon(tx, couponId);
      const code = (draft.code ?? known?.code ?? '').trim();
      const ruleId = draft.ruleId ?? known?.ruleId;
      if (code === '') throw fieldRequired('code');
      if (ruleId === undefined) throw fieldRequired('rule_id');
      const isGenerated = draft.isGenerated ?? known?.isGenerated ?? false;
      await requireOpenRule(tx, ruleId, isGenerated);
      const columns = { ruleId, code, isGenerated, ...given({ isPrimary: draft.isPrimary }) };
      const saved = known ? tx.assign(known, columns) : tx.create(SalesCoupon, columns);
      await tx.flush();
      return saved.couponId;
    });
  return refuseTaken(save, (taken) => invalid(codeIsTaken, [takenWhat(taken.message)]));
};

/** Deletes a coupon; a repeat finds nothing. Refused with 404: an unknown one. */
export async function deleteCoupon(em: EntityManager, couponId: number): Promise<void> {
  const gone = await removeByIds.all(em, { ids: [couponId] });
  if (gone.length === 0) throw notFound(noSuchRule);
}

/**
 * Deletes coupons by id or by code, all in one transaction (platform facts 9.4). A repeat finds none of them.
 *
 * Refused with 400, and nothing deleted: one of them is unknown and `ignoresUnknown` is off.
 *
 * @returns those that were not there, as they were sent
 */
export const deleteCoupons = (
  em: EntityManager,
  { wanted, ignoresUnknown }: { wanted: { ids: number[] } | { codes: string[] }; ignoresUnknown: boolean },
): Promise<string[]> =>
  transact(em, async (tx) => {
    const gone = 'ids' in wanted ? await removeByIds.all(tx, wanted) : await removeByCodes.all(tx, wanted);
    const asked = 'ids' in wanted ? wanted.ids.map(String) : wanted.codes;
    const found = new Set(gone.map(({ couponId, code }) => ('ids' in wanted ? String(couponId) : code.toLowerCase())));
    const missing = asked.filter((one) => !found.has(one.toLowerCase()));
    if (missing.length > 0 && !ignoresUnknown) throw invalid(someAreInvalid);
    return missing;
  });

const takenWhat = (message: string) =>
  message.includes('sales_coupon_one_primary') ? 'A primary coupon of the rule' : 'Coupon with the same code';

async function lockedCoupon(tx: EntityManager, couponId: number): Promise<SalesCoupon> {
  const coupon = await tx.findOne(SalesCoupon, { couponId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!coupon) throw notFound(noSuchRule);
  return coupon;
}

/** Locks the promotion, so that it cannot stop taking coupons meanwhile. */
async function requireOpenRule(em: EntityManager, ruleId: number, isGenerated: boolean): Promise<void> {
  const rule = await lockCouponRule(em, ruleId);
  if (!rule) throw invalid(notSaved, [`No such entity with rule_id = ${ruleId}`]);
  if (rule.couponType === 'NO_COUPON') throw invalid(notSaved, ['Specified rule does not allow coupons']);
  if (rule.useAutoGeneration && !isGenerated)
    throw invalid(notSaved, ['Specified rule only allows auto generated coupons']);
  if (!rule.useAutoGeneration && isGenerated)
    throw invalid(notSaved, ['Specified rule does not allow auto generated coupons']);
}

/** The terms of a promotion for its coupons, locked until the transaction ends; undefined: there is none. */
export const lockCouponRule = (em: EntityManager, ruleId: number) => lockRule.first(em, { ruleId });

const lockRule = statement({
  takes: { ruleId: integer },
  gives: of(SalesRule, 'couponType', 'useAutoGeneration'),
  text: 'select coupon_type, use_auto_generation from sales_rule where rule_id = $ruleId for share',
});

const gives = of(SalesCoupon, 'couponId', 'code');
const removeByIds = statement({
  takes: { ids: integers },
  gives,
  text: 'delete from sales_coupon where coupon_id = any($ids::integer[]) returning coupon_id, code',
});
const removeByCodes = statement({
  takes: { codes: texts },
  gives,
  text: `
    delete from sales_coupon where lower(code) in (select lower(one) from unnest($codes::text[]) as one)
    returning coupon_id, code`,
});
