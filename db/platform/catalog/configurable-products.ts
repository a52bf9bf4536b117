import { type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidInput, notFound } from '../../../domain/errors.ts';
import {
  childIds,
  configurableOptions,
  type ConfigurableOption,
} from '../../../domain/platform/catalog/configurable-options.ts';
import { given } from '../../support/given.ts';
import { transact } from '../../support/transact.ts';
import { Product } from './product.entity.ts';
import { readProduct, readProductsById, storedSku, type ProductRow } from './read-products.ts';
import { findProductAttribute } from './search-product-attributes.ts';
import { lockProduct } from './lock-product.ts';

/** An option as a caller sends it. On a change, absent fields stay. */
export interface OptionDraft {
  attributeId?: string | undefined;
  label?: string | undefined;
  position?: number | undefined;
  values?: readonly { valueIndex?: number | undefined }[] | undefined;
}

export const optionsKey = 'configurable_product_options';
export const linksKey = 'configurable_product_links';

/** The options of a configurable product. Refused with: 404 unknown sku · 400 another type of product. */
export async function readOptions(em: EntityManager, sku: string): Promise<ConfigurableOption[]> {
  const row = await readProduct(em, sku);
  if (row.type_id !== 'configurable') throw notConfigurable(sku);
  return configurableOptions(row.extension_attributes[optionsKey], row.entity_id);
}

/** The products among which a customer chooses; of a product of another type none. Refused with: 404 unknown sku. */
export async function readChildren(em: EntityManager, sku: string): Promise<ProductRow[]> {
  const row = await readProduct(em, sku);
  if (row.type_id !== 'configurable') return [];
  return readProductsById(em, childIds(row.extension_attributes[linksKey]));
}

/**
 * Adds an option to a product, which becomes a configurable one (platform facts 9.1). A repeat is refused.
 *
 * Refused with: 404 unknown sku or attribute · 400 what is missing, an attribute that is an option already, a type that
 * has no options.
 *
 * @returns the option's id
 */
export const addOption = (em: EntityManager, sku: string, draft: OptionDraft): Promise<number> =>
  withOptions(em, sku, async (tx, product, options) => {
    refuseMissing(draft);
    if (!['simple', 'virtual', 'configurable'].includes(product.typeId)) throw notConfigurable(sku);
    const { attribute_id: attributeId } = await findProductAttribute(tx, draft.attributeId ?? '');
    const isSame = (option: ConfigurableOption) => option.attribute_id === String(attributeId);
    if (options.some(isSame)) throw invalid('Product already has this option');
    const id = 1 + Math.max(0, ...options.map((option) => option.id));
    const blank = { id, product_id: product.entityId, label: '', position: 0, values: [] };
    product.typeId = 'configurable';
    options.push({ ...blank, ...changes(draft), attribute_id: String(attributeId) });
    return id;
  });

/** Changes an option; safe to repeat. Refused with: 404 unknown sku or option · 400 another type of product. */
export const changeOption = (em: EntityManager, sku: string, { id, ...draft }: OptionDraft & { id: number }) =>
  withOptions(em, sku, async (_tx, product, options) => {
    if (product.typeId !== 'configurable') throw notConfigurable(sku);
    const option = options.find((one) => one.id === id);
    if (!option) throw notFound('Option with id "%1" not found', [id]);
    Object.assign(option, changes(draft));
    return id;
  });

/** Removes an option and all children, as on the platform. A repeat is a 404, as is an unknown sku. */
export const removeOption = (em: EntityManager, sku: string, id: number): Promise<void> =>
  withOptions(em, sku, async (_tx, product, options) => {
    if (product.typeId !== 'configurable') throw notConfigurable(sku);
    const at = options.findIndex((one) => one.id === id);
    if (at < 0) throw noSuchOption();
    options.splice(at, 1);
    setLinks(product, []);
  });

/**
 * Adds a product to those among which a customer chooses (platform facts 9.1).
 *
 * Refused with: 404 unknown sku · 400 it is there already, the parent has no options, a value of one is missing.
 */
export const addChild = (em: EntityManager, { sku, childSku }: { sku: string; childSku: string }): Promise<void> =>
  withOptions(em, sku, async (tx, product, options) => {
    const child = await readProduct(tx, childSku);
    const links = childIds(product.extensionAttributes[linksKey]);
    if (links.includes(child.entity_id)) throw invalid('The product is already attached.');
    if (options.length === 0) throw invalid("The parent product doesn't have configurable product options.");
    for (const option of options) {
      const { attribute_code: code } = await findProductAttribute(tx, option.attribute_id);
      if (!child.custom_attributes[code])
        throw invalid('The child product doesn\'t have the "%1" attribute value. Verify the value and try again.', [
          code,
        ]);
    }
    setLinks(product, [...links, child.entity_id]);
  });

/** Takes a child off. Refused with: 404 unknown sku, no such child, and so a repeat · 400 another type of product. */
export const removeChild = (em: EntityManager, { sku, childSku }: { sku: string; childSku: string }): Promise<void> =>
  withOptions(em, sku, async (tx, product) => {
    if (product.typeId !== 'configurable')
      throw invalid('The product with the "%1" SKU isn\'t a configurable product.', [sku]);
    const stored = (await storedSku(tx, childSku)) ?? childSku;
    const child = await tx.findOne(Product, { sku: stored }, { fields: ['entityId'] });
    const links = childIds(product.extensionAttributes[linksKey]);
    if (!child || !links.includes(child.entityId)) throw noSuchOption();
    setLinks(
      product,
      links.filter((id) => id !== child.entityId),
    );
  });

type Change<Result> = (tx: EntityManager, product: Product, options: ConfigurableOption[]) => Promise<Result>;

/** Locks the product; what `change` does to its options is saved. */
const withOptions = <Result>(em: EntityManager, sku: string, change: Change<Result>): Promise<Result> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    const options = configurableOptions(product.extensionAttributes[optionsKey], product.entityId);
    const result = await change(tx, product, options);
    product.extensionAttributes = { ...product.extensionAttributes, [optionsKey]: options };
    await tx.flush();
    return result;
  });

function setLinks(product: Product, ids: readonly number[]): void {
  product.extensionAttributes = { ...product.extensionAttributes, [linksKey]: ids };
}

const changes = ({ label, position, values }: OptionDraft) =>
  given({ label, position, values: values?.map(({ valueIndex = 0 }) => ({ value_index: valueIndex })) });

function refuseMissing({ attributeId, label, values = [] }: OptionDraft): void {
  const faults = [
    ...(attributeId ? [] : ['Option attribute ID is not specified.']),
    ...(label ? [] : ['Option label is not specified.']),
    ...(values.length > 0 ? [] : ['Option values are not specified.']),
    ...values.filter(({ valueIndex }) => !valueIndex).map(() => 'Value index is not specified for an option.'),
  ];
  if (faults.length > 0) throw invalidInput(faults.map((message) => ({ message, parameters: [] })));
}

const notConfigurable = (sku: string) => invalid('This is implemented for the "%1" configurable product only.', [sku]);

/** 404: an option or a child that the product does not have. */
const noSuchOption = () => notFound("The option that was requested doesn't exist. Verify the entity and try again.");
