import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { missingValue, type AttributeDemand } from '../../../domain/platform/catalog/demanded-values.ts';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { emptyAttribute } from './check-attributes.ts';
import type { Product } from './product.entity.ts';

export const noSuchSet = 'Invalid product data: %1';
const isNone = 'Invalid attribute set entity type';

/** 400 for a set that is not there. One that is cannot be deleted before this transaction ends. */
export async function refuseUnknownSet(em: EntityManager, attributeSetId: number): Promise<void> {
  if (attributeSetId === defaultSet) return;
  if (!(await keep.first(em, { attributeSetId }))) throw invalid(noSuchSet, [isNone]);
}

/** 400 for a product without a value that its set demands; `values` are those of the place where it is saved. */
export function refuseMissingValues(
  { typeId, extensionAttributes }: Product,
  demands: readonly AttributeDemand[],
  values: Readonly<Record<string, unknown>>,
): void {
  const chosen = new Set(demands.filter((one) => isChosen(one, extensionAttributes)).map(({ code }) => code));
  const missing = missingValue(demands, { values, typeId, chosen });
  if (missing) throw emptyAttribute(missing.label);
}

/** Ids of the shop's own attributes, as callers have them, are above those of the platform. */
const firstOwnId = 1_000;

/** Whether customers choose a variation by it: then the variations have its values. */
function isChosen({ attributeId, code }: AttributeDemand, extensionAttributes: Readonly<Record<string, unknown>>) {
  const options: unknown = extensionAttributes['configurable_product_options'];
  if (!Array.isArray(options)) return false;
  return options.some((option: unknown) => {
    if (typeof option !== 'object' || option === null || !('attribute_id' in option)) return false;
    return [code, String(firstOwnId + attributeId)].includes(String(option.attribute_id));
  });
}

const keep = statement({
  takes: { attributeSetId: integer },
  gives: { attributeSetId: integer },
  text: 'select attribute_set_id from attribute_set where attribute_set_id = $attributeSetId for key share',
});
