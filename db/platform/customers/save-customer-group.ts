import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { count, integer } from '../../support/kinds.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { refuseUnknownWebsites } from '../stores/refuse-unknown-websites.ts';
import { TaxClass } from '../tax/tax-class.entity.ts';
import { CustomerGroup } from './customer-group.entity.ts';

/** The fields of a group that are sent. */
export interface CustomerGroupDraft {
  code: string | undefined;
  /** Absent: a new group gets that of retail customers, an existing one keeps its own. */
  taxClassId: number | undefined;
  /** Absent: a new group gets none, an existing one keeps its own. */
  excludeWebsiteIds: readonly number[] | undefined;
}

/** The longest code; the platform cuts a longer one. */
const codeLength = 32;
/** "Retail Customer". */
const retailTaxClassId = 3;

/**
 * Creates a customer group (platform facts 8). Its number is never that of a deleted group.
 *
 * The database's own constraint refuses a second group with the code, in any case of letters: of concurrent creates
 * one succeeds. Refused with 400: no code · a code that is taken · an unknown tax class of customers · an unknown website.
 *
 * @returns the new group's id
 */
export const createCustomerGroup = (em: EntityManager, draft: CustomerGroupDraft): Promise<number> =>
  refusingTakenCodes(() =>
    transact(em, async (tx) => {
      const code = codeOf(draft);
      const taxClassId = draft.taxClassId || retailTaxClassId;
      await refuseOtherClasses(tx, taxClassId);
      await refuseUnknownWebsites(tx, 'exclude_website_ids', draft.excludeWebsiteIds ?? []);
      const id = await nextGroupId(tx);
      tx.create(CustomerGroup, { id, code, taxClassId, excludeWebsiteIds: [...new Set(draft.excludeWebsiteIds)] });
      await tx.flush();
      return id;
    }),
  );

/**
 * Changes a customer group (platform facts 8). A repeat leaves the same group.
 *
 * Refused with: 404 `id` unknown group · 400 as for a new group.
 */
export const updateCustomerGroup = (
  em: EntityManager,
  { id, draft }: { id: number; draft: CustomerGroupDraft },
): Promise<void> =>
  refusingTakenCodes(() =>
    transact(em, async (tx) => {
      const code = codeOf(draft);
      if (draft.taxClassId !== undefined) await refuseOtherClasses(tx, draft.taxClassId);
      await refuseUnknownWebsites(tx, 'exclude_website_ids', draft.excludeWebsiteIds ?? []);
      const group = await tx.findOne(CustomerGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!group) throw noSuchEntity('id', id);
      tx.assign(group, { code, taxClassId: draft.taxClassId ?? group.taxClassId });
      if (draft.excludeWebsiteIds) group.excludeWebsiteIds = [...new Set(draft.excludeWebsiteIds)];
      await tx.flush();
    }),
  );

/** The number of a new group, in the caller's transaction: one above every group there is or was. */
export async function nextGroupId(tx: EntityManager): Promise<number> {
  await lockAdvisory(tx, 'number of a customer group');
  const row = await drawId.first(tx);
  return row?.id ?? 1;
}

/** 32000 means all groups, in tier prices. */
const drawId = statement({
  takes: {},
  gives: { id: count },
  text: `
    select case drawn.id when 32000 then 32001 else drawn.id end as id
    from (select greatest(nextval('customer_group_id_seq'), (select max(id) + 1 from customer_group)) as id) drawn`,
});

/** As the platform counts them: by characters, not by UTF-16 units. */
function codeOf({ code }: CustomerGroupDraft): string {
  if (code === undefined || code.trim() === '') throw fieldRequired('code');
  return Array.from(code).slice(0, codeLength).join('');
}

async function refuseOtherClasses(em: EntityManager, taxClassId: number): Promise<void> {
  if (!(await lockClass.first(em, { taxClassId }))) throw invalidValue('taxClassId', taxClassId);
}

/** The class cannot be deleted before the group is saved. */
const lockClass = statement({
  takes: { taxClassId: integer },
  gives: of(TaxClass, 'classId'),
  text: `
    select class_id from tax_class where class_id = $taxClassId and class_type = 'CUSTOMER' for key share`,
});

/** Refuses with 400 where the database's constraint finds the code taken. */
export const refusingTakenCodes = <Result>(save: () => Promise<Result>): Promise<Result> =>
  refuseTaken(save, () => invalid('Customer Group already exists.'), 'customer_group_code_once');
