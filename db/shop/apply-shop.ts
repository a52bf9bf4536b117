import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { keyOf, planShop, type ShopChange, type ShopPlan } from '../../domain/shop/plan-shop.ts';
import { nameOf } from '../../domain/shop/show-change.ts';
import type { ShopKind, ShopRecord } from '../../domain/shop/shop-records.ts';
import { beginRenewalOfEverything } from '../content/content-renewals.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { joined, transact } from '../support/transact.ts';
import { attributeSets } from './keep-attribute-sets.ts';
import { attributes } from './keep-attributes.ts';
import { keepIds } from './keep-ids.ts';
import { refuseWithoutStock, sources, stocks } from './keep-inventory.ts';
import { administrators } from './keep-administrators.ts';
import { locations, roles, settings, terminals } from './keep-places.ts';
import { staff } from './keep-staff.ts';
import { pointDefaults, storeGroups, storeViews, websites } from './keep-stores.ts';
import { customerGroups, taxRates } from './keep-terms.ts';
import type { Keeper, ShopTools } from './keeper.ts';
import { readShop } from './read-shop.ts';

export interface WantedShop {
  records: readonly ShopRecord[];
  /** The kinds that the file lists in full. */
  stated: ReadonlySet<ShopKind>;
  /** Whether records of such a kind are removed when the file does not name them. */
  prunes: boolean;
}

/** What was changed, and which administrators are missing. A person creates those, because each needs a password. */
export interface AppliedShop extends ShopPlan {
  missing: readonly ShopRecord<'administrator'>[];
}

const keepers: { [Kind in Exclude<ShopKind, 'administrator'>]: Keeper<Kind> } = {
  website: websites,
  storeGroup: storeGroups,
  storeView: storeViews,
  source: sources,
  stock: stocks,
  taxRate: taxRates,
  customerGroup: customerGroups,
  attribute: attributes,
  attributeSet: attributeSets,
  setting: settings,
  role: roles,
  location: locations,
  terminal: terminals,
  staff,
};

/**
 * Makes the shop as a shop file describes it, in one transaction; an advisory lock lets one call at a time do so. A
 * repeat changes nothing, so a run that broke off is just repeated.
 *
 * Refused with 400 and the reason, with nothing changed: what the shop's own routes refuse, a removal that orders,
 * customers or goods do not allow, two records with one name.
 *
 * @param how a trial does everything and rolls it back, so that it is refused for the same reasons, and keeps no ids
 */
export const applyShop = (
  em: EntityManager,
  wanted: WantedShop,
  how: { tools: ShopTools; isTrial: boolean },
): Promise<AppliedShop> => (how.isTrial ? keepIds(em, () => applied(em, wanted, how)) : applied(em, wanted, how));

async function applied(
  em: EntityManager,
  wanted: WantedShop,
  { tools, isTrial }: { tools: ShopTools; isTrial: boolean },
): Promise<AppliedShop> {
  try {
    return await transact(em, async (tx) => {
      await lockAdvisory(tx, 'shop apply');
      const current = await readShop(tx.fork({ keepTransactionContext: true }));
      refuseTwins(current, wanted.records);
      const missing = wanted.records.filter((record) => isMissing(record, current));
      const plan = {
        ...planShop(
          current,
          wanted.records.filter((record) => !isMissing(record, current)),
          wanted,
        ),
        missing,
      };
      await carryOut(joined(tx), plan.changes, tools);
      if (isTrial) throw new TakenBack(plan);
      return plan;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.plan;
    throw error;
  }
}

/** Rolls back a trial's transaction and carries its result. */
class TakenBack extends Error {
  readonly plan: AppliedShop;
  constructor(plan: AppliedShop) {
    super('a trial is taken back');
    this.plan = plan;
  }
}

const isMissing = (record: ShopRecord, current: readonly ShopRecord[]): record is ShopRecord<'administrator'> =>
  record.kind === 'administrator' && !current.some(({ kind, name }) => kind === record.kind && name === record.name);

function refuseTwins(...lists: readonly (readonly ShopRecord[])[]): void {
  for (const list of lists) {
    const seen = new Set<string>();
    for (const record of list) {
      if (seen.has(keyOf(record))) throw invalid('Two of them are called %1; rename one first.', [nameOf(record)]);
      seen.add(keyOf(record));
    }
  }
}

async function carryOut(em: EntityManager, changes: readonly ShopChange[], tools: ShopTools): Promise<void> {
  const saves = changes.filter(({ verb }) => verb !== 'remove');
  for (const { record } of saves) await keep(em, record, tools);
  await pointDefaults(newSession(em), defaultsOf(saves));
  await refuseWithoutStock(newSession(em), stockWebsites(saves));
  for (const { verb, record } of changes) {
    if (verb !== 'remove' || record.kind === 'administrator') continue;
    await keepers[record.kind].remove(newSession(em), record.name, tools);
  }
  if (changes.some(({ record }) => record.kind === 'website' || record.kind === 'storeView'))
    await beginRenewalOfEverything(em);
}

/** Each step needs a new identity map, so that it reads what the previous step wrote. */
const newSession = (em: EntityManager) => joined(em);

/** TypeScript cannot match a kind to its keeper by an index, so each kind is named. */
function keep(em: EntityManager, record: ShopRecord, tools: ShopTools): Promise<void> {
  const own = newSession(em);
  switch (record.kind) {
    case 'website':
      return websites.save(own, record, tools);
    case 'storeGroup':
      return storeGroups.save(own, record, tools);
    case 'storeView':
      return storeViews.save(own, record, tools);
    case 'source':
      return sources.save(own, record, tools);
    case 'stock':
      return stocks.save(own, record, tools);
    case 'taxRate':
      return taxRates.save(own, record, tools);
    case 'customerGroup':
      return customerGroups.save(own, record, tools);
    case 'attribute':
      return attributes.save(own, record, tools);
    case 'attributeSet':
      return attributeSets.save(own, record, tools);
    case 'setting':
      return settings.save(own, record, tools);
    case 'role':
      return roles.save(own, record, tools);
    case 'location':
      return locations.save(own, record, tools);
    case 'terminal':
      return terminals.save(own, record, tools);
    case 'staff':
      return staff.save(own, record, tools);
    case 'administrator':
      return administrators.save(own, record);
  }
}

function defaultsOf(saves: readonly ShopChange[]) {
  const groupOfWebsite = new Map<string, string>();
  const viewOfGroup = new Map<string, string>();
  for (const { record } of saves) {
    if (record.kind === 'website' && record.fields.defaultGroup)
      groupOfWebsite.set(record.name, record.fields.defaultGroup);
    if (record.kind === 'storeGroup' && record.fields.defaultView)
      viewOfGroup.set(record.name, record.fields.defaultView);
  }
  return { groupOfWebsite, viewOfGroup };
}

const stockWebsites = (saves: readonly ShopChange[]) =>
  new Map(
    saves.flatMap(({ record }) =>
      record.kind === 'stock' && record.fields.websites ? [[record.name, record.fields.websites] as const] : [],
    ),
  );
