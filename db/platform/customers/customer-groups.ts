import { fieldRequired, invalidValue, noSuchEntity } from '../../../domain/errors.ts';
import { customerGroupExists } from '../../../domain/refusals/customers.ts';
import { records, type Records } from '../../support/records.ts';
import { refuseTaken } from '../../support/refuse-taken.ts';
import { refuseUnknownWebsites } from '../stores/refuse-unknown-websites.ts';
import { holdTaxClasses } from '../tax/lock-tax-rows.ts';
import { CustomerGroup } from './customer.entity.ts';
import { deleteCustomerGroup, nextGroupId } from './find-customer-groups.ts';
import { readCustomerGroup, searchCustomerGroups } from './read-customer-groups.ts';

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

const saved = records<CustomerGroup, CustomerGroupDraft, number>({
  entity: CustomerGroup,
  key: 'id',
  fields: {},
  unknown: (id) => noSuchEntity('id', id),
  taken: () => customerGroupExists(),

  async check(tx, draft, id) {
    codeOf(draft);
    const taxClassId = id === undefined ? draft.taxClassId || retailTaxClassId : draft.taxClassId;
    // The class cannot be deleted before the group is saved.
    const held = taxClassId === undefined ? [] : await holdTaxClasses(tx, [taxClassId]);
    if (taxClassId !== undefined && held[0]?.classType !== 'CUSTOMER') throw invalidValue('taxClassId', taxClassId);
    await refuseUnknownWebsites(tx, 'exclude_website_ids', draft.excludeWebsiteIds ?? []);
  },

  async write(tx, { taxClassId, excludeWebsiteIds, ...draft }, known) {
    const code = codeOf(draft);
    const websites = excludeWebsiteIds && { excludeWebsiteIds: [...new Set(excludeWebsiteIds)] };
    if (known) return tx.assign(known, { code, taxClassId: taxClassId ?? known.taxClassId, ...websites });
    const id = await nextGroupId(tx);
    return tx.create(CustomerGroup, {
      ...{ id, code, taxClassId: taxClassId || retailTaxClassId, excludeWebsiteIds: [] },
      ...websites,
    });
  },
});

/**
 * Customer groups (platform facts 8), read with the names of their tax classes. The number of a new group is never that
 * of a deleted one. Of concurrent creates with one code, in any case of letters, one succeeds.
 *
 * Refused with: 404 `id` unknown group · 400 no code, a code that is taken, an unknown tax class of customers, an
 * unknown website; a deletion as in `deleteCustomerGroup`.
 */
export const customerGroups: Records<CustomerGroup, CustomerGroupDraft, number> = {
  search: searchCustomerGroups,
  find: readCustomerGroup,
  save: async (em, save) => readCustomerGroup(em, (await saved.save(em, save)).id),
  remove: deleteCustomerGroup,
};

/** As the platform counts them: by characters, not by UTF-16 units. */
function codeOf({ code }: Pick<CustomerGroupDraft, 'code'>): string {
  if (code === undefined || code.trim() === '') throw fieldRequired('code');
  return Array.from(code).slice(0, codeLength).join('');
}

/** Refuses with 400 where the database's constraint finds the code taken. */
export const refusingTakenCodes = <Result>(save: () => Promise<Result>): Promise<Result> =>
  refuseTaken(save, () => customerGroupExists(), 'customer_group_code_once');
