import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { AttributeSettings } from '../../domain/platform/catalog/product-attributes.ts';
import { type Reply, type ShopFields } from '../../domain/shop.ts';
import {
  addAttributeOption,
  changeAttributeOption,
  deleteProductAttribute,
  isSame,
  lockAttribute,
  removeAttributeOption,
  setDefault,
  takesOptions,
} from '../platform/catalog/attribute-options.ts';
import {
  changeProductAttribute,
  createProductAttribute,
  refuseWrongDefault,
} from '../platform/catalog/attribute-sets.ts';
import { ProductAttributeOption } from '../platform/catalog/product.entity.ts';
import { type AttributeDraft } from '../platform/catalog/search-product-attributes.ts';
import { lookUpProductAttribute } from '../platform/catalog/read-product-attributes.ts';
import { StoreView } from '../platform/stores/store.entity.ts';
import { joined } from '../support/transact.ts';
import { refuseUses, usesOfAttribute, usesOfOption, type Keeper } from './keep-ids.ts';

type AnsweredAttribute = Reply<ShopFields['attribute']>;

/** The attributes of products. Those that products have a value of stay, and so do their options. */
export const attributes: Keeper<'attribute'> = {
  async save(em, { name: code, fields }) {
    const draft = await draftOf(em, code, fields);
    if (await lookUpProductAttribute(em, code)) {
      await refuseOtherInput(joined(em), code, fields.input);
      await changeProductAttribute(em, code, draft);
    } else {
      const made = { ...draft, attributeCode: code, label: fields.label ?? code };
      await createProductAttribute(em, { ...made, frontendInput: fields.input ?? 'text' });
    }
    if (fields.settings) await keepSettings(joined(em), code, fields.settings);
    if (fields.options) await keepOptions(joined(em), code, fields.options);
    if (fields.defaults) await keepDefaults(joined(em), code, fields.defaults);
  },
  async remove(em, code) {
    refuseUses(`attribute ${code}`, await usesOfAttribute.all(em, { code }));
    await deleteProductAttribute(em, code);
  },
};

async function draftOf(em: EntityManager, code: string, fields: AnsweredAttribute): Promise<AttributeDraft> {
  const { label, labels, scope, isRequired, isUnique, input } = fields;
  return {
    ...{ label, scope, isRequired, isUnique, frontendInput: input, settings: {} },
    labels: labels && (await labelsOf(em, code, labels)),
  };
}

async function labelsOf(em: EntityManager, attribute: string, labels: Readonly<Record<string, string>>) {
  const views = await em.find(StoreView, { code: { $in: Object.keys(labels) } });
  return Object.entries(labels).map(([code, label]) => {
    const view = views.find((one) => one.code === code);
    if (!view) throw invalid('Attribute %1: no store view has the code %2.', [attribute, code]);
    return { storeId: view.storeId, label };
  });
}

/** Products have values of the input that there is. One that came with a product may get the first one. */
async function refuseOtherInput(em: EntityManager, code: string, input: string | undefined): Promise<void> {
  const row = await lockAttribute(em, code);
  if (input === undefined || input === row.frontendInput) return;
  if (row.label === null && row.frontendInput !== 'weee') return;
  throw invalid('Attribute %1 is entered as %2, and stays so.', [code, row.frontendInput]);
}

/** Which options a new product has is said elsewhere. */
async function keepSettings(em: EntityManager, code: string, settings: AttributeSettings): Promise<void> {
  const row = await lockAttribute(em, code);
  const { default_value: usual } = row.settings;
  row.settings = { ...settings, ...(takesOptions(row) && usual ? { default_value: usual } : {}) };
  refuseWrongDefault(row);
  await em.flush();
}

async function keepOptions(
  em: EntityManager,
  code: string,
  requested: NonNullable<AnsweredAttribute['options']>,
): Promise<void> {
  const { attributeId } = await lockAttribute(em, code);
  const known = await em.find(ProductAttributeOption, { attribute: attributeId });
  for (const { optionId, label } of known) {
    if (requested.some((one) => isSame(one.label, label))) continue;
    refuseUses(`option ${label} of ${code}`, await usesOfOption.all(em, { code, value: String(optionId) }));
    await removeAttributeOption(em, code, optionId);
  }
  for (const [sortOrder, { label, labels }] of requested.entries()) {
    const option = known.find((one) => isSame(one.label, label));
    const gone = (option?.storeLabels ?? []).map(({ storeId }) => ({ storeId, label: '' }));
    const draft = { label, sortOrder, storeLabels: [...gone, ...(await labelsOf(em, code, labels))] };
    if (option) await changeAttributeOption(em, code, { ...draft, id: option.optionId });
    else await addAttributeOption(em, code, draft);
  }
}

async function keepDefaults(em: EntityManager, code: string, labels: readonly string[]): Promise<void> {
  const row = await lockAttribute(em, code);
  const known = await em.find(ProductAttributeOption, { attribute: row });
  const chosen = labels.map((label) => {
    const option = known.find((one) => isSame(one.label, label));
    if (!option) throw invalid('Attribute %1 has no option %2.', [code, label]);
    return option;
  });
  if (chosen.length > 1 && row.frontendInput !== 'multiselect')
    throw invalid('A product has one value of %1, and so one default.', [code]);
  const { default_value: _usual, ...others } = row.settings;
  row.settings = others;
  if (chosen.length > 0) setDefault(row, chosen);
  await em.flush();
}
