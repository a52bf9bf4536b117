import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { canonicalResource } from '../../domain/platform/access.ts';
import { defaultSet, isFixedInSets, isOfPlatform } from '../../domain/platform/catalog/product-attributes.ts';
import { regionOf } from '../../domain/platform/directory.ts';
import {
  keyOf,
  nameOf,
  planShop,
  type Reply,
  type ShopChange,
  type ShopFields,
  type ShopKind,
  type ShopPlan,
  type ShopRecord,
} from '../../domain/shop.ts';
import { beginRenewalOfEverything } from '../content/render-places.ts';
import { AdminUser } from '../platform/access/access.entity.ts';
import {
  assignToSet,
  changeAttributeSet,
  createAttributeSet,
  deleteAttributeSet,
  saveAttributeGroup,
} from '../platform/catalog/attributes-of-set.ts';
import { AttributeGroup, AttributeInSet, AttributeSet, Product } from '../platform/catalog/product.entity.ts';
import { Source, Stock, StockSourceLink } from '../platform/inventory/stock.entity.ts';
import {
  linkSources,
  saveSource,
  stocks as allStocks,
  unlinkSources,
} from '../platform/inventory/stock-source-links.ts';
import { definedFields } from '../support/defined-fields.ts';
import { lockAdvisory } from '../support/lock-advisory.ts';
import { joined, transact } from '../support/transact.ts';
import { keepIds, refuseUses, usesOfSource, type Keeper, type ShopTools } from './keep-ids.ts';
import { attributes } from './keep-attributes.ts';
import { staff } from './keep-staff.ts';
import { customerGroups, taxRates } from './keep-terms.ts';
import {
  locations,
  pointDefaults,
  roles,
  settings,
  storeGroups,
  storeViews,
  terminals,
  websites,
} from './keep-stores.ts';
import { readShop } from './read-shop.ts';

/** The attribute sets of products. One that products have stays. */
const attributeSets: Keeper<'attributeSet'> = {
  async save(em, { name, fields: { sortOrder, groups } }) {
    const known = await em.findOne(AttributeSet, { attributeSetName: name });
    const id = known?.attributeSetId ?? (await createAttributeSet(em, { skeletonId: defaultSet, name }, noDefault));
    await changeAttributeSet(em, id, { sortOrder });
    if (groups) await keepGroups(em, { id, name, groups });
  },
  async remove(em, name) {
    const { attributeSetId } = await em.findOneOrFail(AttributeSet, { attributeSetName: name });
    refuseUses(`attribute set ${name}`, [{ what: 'products', times: await em.count(Product, { attributeSetId }) }]);
    await deleteAttributeSet(em, attributeSetId);
  },
};

const noDefault = () => new Error('The default attribute set is not there.');

interface RequestedGroups {
  id: number;
  name: string;
  groups: ShopFields['attributeSet']['groups'];
}

/** Groups are the same by their code. Products keep the values of an attribute that leaves the set. */
async function keepGroups(em: EntityManager, { id, name, groups }: RequestedGroups): Promise<void> {
  const requested = groups.flatMap((group) => group.attributes);
  const twice = requested.find((code, at) => requested.indexOf(code) !== at);
  if (twice !== undefined) throw invalid('Attribute set %1 names %2 twice.', [name, twice]);
  const placed = await em.find(AttributeInSet, { attributeSetId: id });
  const leaving = placed.map(({ attributeCode }) => attributeCode).filter((code) => !requested.includes(code));
  const fixed = leaving.filter((code) => isOfPlatform(code) && isFixedInSets(code));
  if (fixed.length > 0) throw invalid('Attribute set %1 needs %2.', [name, fixed.join(', ')]);
  const known = await em.find(AttributeGroup, { attributeSetId: id });
  for (const { code, name: label, sortOrder, attributes } of groups) {
    const group = known.find((one) => one.attributeGroupCode === code);
    const { attributeGroupId } = await saveAttributeGroup(em, {
      ...{ attributeSetId: id, attributeGroupId: group?.attributeGroupId, name: label, code, sortOrder },
    });
    for (const [at, attributeCode] of attributes.entries())
      await assignToSet(em, { attributeSetId: id, attributeGroupId, attributeCode, sortOrder: (at + 1) * step });
  }
  await em.nativeDelete(AttributeInSet, { attributeSetId: id, attributeCode: { $in: leaving } });
  const codes = groups.map(({ code }) => code);
  await em.nativeDelete(AttributeGroup, { attributeSetId: id, attributeGroupCode: { $nin: codes } });
}

/** Room for attributes that are put between. */
const step = 10;

const sources: Keeper<'source'> = {
  async save(em, { name: sourceCode, fields: { region, countryId, ...fields } }) {
    const known = await em.findOne(Source, { sourceCode });
    const country = countryId ?? known?.countryId;
    await saveSource(em, {
      sourceCode,
      ...fields,
      countryId: countryId ?? undefined,
      ...(region === undefined ? {} : regionOf(country, region)),
    });
  },
  async remove(em, sourceCode) {
    refuseUses(`source ${sourceCode}`, await usesOfSource.all(em, { sourceCode }));
    await em.nativeDelete(Source, { sourceCode });
  },
};

const stocks: Keeper<'stock'> = {
  async save(em, { name, fields: { websites, sources: codes } }) {
    const stock = await em.findOne(Stock, { name });
    // A website that leaves this stock joins another one later; `refuseWithoutStock` checks at the end that it did.
    const stored = stock?.websiteCodes ?? [];
    const { stockId } = await allStocks.save(em, {
      id: stock?.stockId,
      draft: { name, websiteCodes: websites === undefined ? undefined : [...new Set([...stored, ...websites])] },
    });
    if (codes === undefined) return;
    const links = codes.map((sourceCode, at) => ({ stockId, sourceCode, priority: at + 1 }));
    if (links.length > 0) await linkSources(em, links);
    const linked = await em.find(StockSourceLink, { stockId });
    const gone = linked.filter(({ sourceCode }) => !codes.includes(sourceCode));
    if (gone.length > 0) await unlinkSources(em, gone);
  },
  async remove(em, name) {
    const { stockId } = await em.findOneOrFail(Stock, { name });
    await allStocks.remove(em, stockId);
  },
};

/** Called when every stock is saved. It refuses a website that no stock sells to. */
async function refuseWithoutStock(em: EntityManager, requested: ReadonlyMap<string, readonly string[]>): Promise<void> {
  for (const { name, websiteCodes } of await em.find(Stock, {}, { refresh: true })) {
    const codes = requested.get(name);
    const left = codes && websiteCodes.find((code) => !codes.includes(code));
    if (left !== undefined)
      throw invalid('Website %1 would have no stock to sell from; name it in another stock.', [left]);
  }
}

/** Existing administrators get the rights of the file. None is created here, and none is removed. */
const administrators = {
  async save(
    em: EntityManager,
    { name: username, fields }: { name: string; fields: Reply<ShopFields['administrator']> },
  ): Promise<void> {
    const { resources, ...plain } = fields;
    const user = await em.findOneOrFail(AdminUser, { username });
    em.assign(user, definedFields({ ...plain, resources: resources?.map(canonicalResource) }));
    await em.flush();
  },
};

export interface RequestedShop {
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
  requested: RequestedShop,
  how: { tools: ShopTools; isTrial: boolean },
): Promise<AppliedShop> => (how.isTrial ? keepIds(em, () => applied(em, requested, how)) : applied(em, requested, how));

async function applied(
  em: EntityManager,
  requested: RequestedShop,
  { tools, isTrial }: { tools: ShopTools; isTrial: boolean },
): Promise<AppliedShop> {
  try {
    return await transact(em, async (tx) => {
      await lockAdvisory(tx, 'shop apply');
      const current = await readShop(tx.fork({ keepTransactionContext: true }));
      refuseTwins(current, requested.records);
      const missing = requested.records.filter((record) => isMissing(record, current));
      const plan = {
        ...planShop(
          current,
          requested.records.filter((record) => !isMissing(record, current)),
          requested,
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
