import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import {
  hasOptions,
  isOfPlatform,
  ofViews,
  platformAttribute,
} from '../../../domain/platform/catalog/product-attributes.ts';
import { optionOfAttributeMissing } from '../../../domain/refusals/catalog.ts';
import { transact } from '../../support/transact.ts';
import { AttributeInSet, ProductAttributeOption, ProductAttributeRow } from './product.entity.ts';
import { keepOfPlatform, refuseUnknownViews, type AttributeOptionDraft } from './search-product-attributes.ts';
import { findProductAttribute, noSuchAttribute } from './read-product-attributes.ts';
import { forgetAttribute, forgetOption, isChosenBy } from './unique-values.ts';

/** Attributes of the platform whose options are the shop's. The other choices come from elsewhere. */
const openChoices: readonly string[] = ['color', 'manufacturer'];

/** Whether the shop decides what can be chosen. */
export const takesOptions = ({
  attributeCode,
  frontendInput,
}: Pick<ProductAttributeRow, 'attributeCode' | 'frontendInput'>) =>
  hasOptions(frontendInput) && (!platformAttribute(attributeCode) || openChoices.includes(attributeCode));

/**
 * Locks what the shop keeps of an attribute, by its code or its id. One of the platform's gets a row with the first
 * change. Refused with: 404 unknown.
 */
export async function lockAttribute(tx: EntityManager, code: string): Promise<ProductAttributeRow> {
  const { attribute_code: attributeCode } = await findProductAttribute(tx, code);
  const own = platformAttribute(attributeCode);
  if (own) await keepOfPlatform(tx, attributeCode, own);
  const row = await tx.findOne(ProductAttributeRow, { attributeCode }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw noSuchAttribute(code);
  return row;
}

export const optionIsNameless = 'The attribute option label is empty. Enter the value and try again.';
export const optionExists = 'Admin store attribute option label "%1" already exists.';
/**
 * Writes options of a locked attribute (platform facts 9.1): those with a known id, or with the label of one, change;
 * the others are new. The others that the attribute has stay. A repeat changes nothing.
 *
 * Refused with 400: no label · the label of another option, in any case of letters · an id of no option.
 */
export async function writeAttributeOptions(
  tx: EntityManager,
  attribute: ProductAttributeRow,
  drafts: readonly AttributeOptionDraft[],
): Promise<void> {
  const known = await tx.find(ProductAttributeOption, { attribute });
  const chosen: ProductAttributeOption[] = [];
  for (const [at, draft] of drafts.filter((one) => !isBlank(one)).entries()) {
    const option = meantBy(draft, known, attribute.attributeCode) ?? added(tx, attribute, { draft, at, known });
    assignOption(option, draft, known);
    if (draft.isDefault) chosen.push(option);
  }
  await tx.flush();
  if (chosen.length > 0) setDefault(attribute, chosen);
  await tx.flush();
}

/** The default of a choice is the id of an option; of several choices, their ids. */
export function setDefault(attribute: ProductAttributeRow, chosen: readonly ProductAttributeOption[]): void {
  const ids = chosen.map(({ optionId }) => String(optionId));
  const value = attribute.frontendInput === 'multiselect' ? ids.join(',') : (ids.at(-1) ?? '');
  attribute.settings = { ...attribute.settings, default_value: value };
}

/** Changes the fields sent of an option. Refused with 400: as `writeAttributeOptions`. */
function assignOption(
  option: ProductAttributeOption,
  { label, sortOrder, storeLabels }: AttributeOptionDraft,
  known: readonly ProductAttributeOption[],
): void {
  const name = label?.trim();
  if (!name) throw invalid(optionIsNameless);
  if (known.some((one) => one !== option && isSame(one.label, name))) throw invalid(optionExists, [name]);
  option.label = name;
  option.sortOrder = sortOrder ?? option.sortOrder;
  if (storeLabels) option.storeLabels = ofViews([...option.storeLabels, ...storeLabels]);
}

/** Labels are compared without regard to case, as on the platform. */
export const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase();

/** The empty choice that every list of options begins with: an answer may be sent back. */
const isBlank = ({ label, value }: AttributeOptionDraft) => !value && label !== undefined && /^\s+$/.test(label);

function meantBy({ value, label }: AttributeOptionDraft, known: readonly ProductAttributeOption[], code: string) {
  if (value && /^\d+$/.test(value)) {
    const option = known.find(({ optionId }) => optionId === Number(value));
    if (!option) throw optionOfAttributeMissing([code, value]);
    return option;
  }
  const name = label?.trim();
  return name ? known.find((one) => isSame(one.label, name)) : undefined;
}

/** A new option; without an order it stands where the caller has it. */
function added(
  tx: EntityManager,
  attribute: ProductAttributeRow,
  { draft, at, known }: { draft: AttributeOptionDraft; at: number; known: ProductAttributeOption[] },
): ProductAttributeOption {
  const option = tx.create(ProductAttributeOption, {
    ...{ attribute, label: draft.label ?? '', storeLabels: [], sortOrder: at },
  });
  known.push(option);
  return option;
}

export const takesNone = 'The "%1" attribute doesn\'t work with options.';
export const noSuchOption = 'The "%1" attribute doesn\'t include an option with "%2" ID.';

/**
 * Adds an option to an attribute (platform facts 9.1). A repeat is refused, because its label is taken; of eight
 * concurrent ones, one is carried out.
 *
 * Refused with: 404 unknown attribute · 400 an attribute without options, no label, a label that is taken, an unknown
 * store view.
 *
 * @returns the option's id
 */
export const addAttributeOption = (em: EntityManager, code: string, draft: AttributeOptionDraft): Promise<number> =>
  withOptions(em, code, async (tx, attribute, known) => {
    const option = tx.create(ProductAttributeOption, {
      ...{ attribute, label: '', storeLabels: [], sortOrder: 0 },
    });
    await assign(tx, { attribute, option, draft, known });
    return option.optionId;
  });

/**
 * Changes the fields sent of an option; a label is always needed (platform facts 9.1). A repeat changes nothing.
 *
 * Refused with: 404 unknown attribute · 400 an attribute without options, an unknown option, no label, the label of
 * another option, an unknown store view.
 */
export const changeAttributeOption = (
  em: EntityManager,
  code: string,
  { id, ...draft }: AttributeOptionDraft & { id: number },
): Promise<void> =>
  withOptions(em, code, async (tx, attribute, known) => {
    const option = known.find(({ optionId }) => optionId === id);
    if (!option) throw optionOfAttributeMissing([attribute.attributeCode, id]);
    await assign(tx, { attribute, option, draft, known });
  });

/**
 * Removes an option, and takes it from the products that have it, as on the platform. A repeat finds nothing.
 *
 * Refused with: 404 unknown attribute or option · 400 an attribute without options.
 */
export const removeAttributeOption = (em: EntityManager, code: string, id: number): Promise<void> =>
  withOptions(em, code, async (tx, attribute, known) => {
    const option = known.find(({ optionId }) => optionId === id);
    if (!option) throw notFound(noSuchOption, [attribute.attributeCode, id]);
    tx.remove(option);
    const { default_value: usual, ...settings } = attribute.settings;
    const left = (usual ?? '').split(',').filter((one) => one !== '' && one !== String(id));
    attribute.settings = { ...settings, ...(left.length === 0 ? {} : { default_value: left.join(',') }) };
    await tx.flush();
    await forgetOption(tx, { code: attribute.attributeCode, value: String(id) });
  });

type Change<Result> = (
  tx: EntityManager,
  attribute: ProductAttributeRow,
  known: readonly ProductAttributeOption[],
) => Promise<Result>;

/** Locks the attribute and reads its options. */
const withOptions = <Result>(em: EntityManager, code: string, change: Change<Result>): Promise<Result> =>
  transact(em, async (tx) => {
    const attribute = await lockAttribute(tx, code);
    if (!takesOptions(attribute)) throw invalid(takesNone, [attribute.attributeCode]);
    const known = await tx.find(ProductAttributeOption, { attribute });
    return change(tx, attribute, known);
  });

interface Input {
  attribute: ProductAttributeRow;
  option: ProductAttributeOption;
  draft: AttributeOptionDraft;
  known: readonly ProductAttributeOption[];
}

async function assign(tx: EntityManager, { attribute, option, draft, known }: Input): Promise<void> {
  await refuseUnknownViews(
    tx,
    (draft.storeLabels ?? []).map(({ storeId }) => storeId),
  );
  assignOption(option, draft, known);
  await tx.flush();
  if (draft.isDefault) setDefault(attribute, [option]);
  await tx.flush();
}

export const attributeIsOfSystem = "The system attribute can't be deleted.";
export const attributeIsUsed = 'This attribute is used in configurable products.';

/**
 * Deletes an attribute of the shop's own with its options, and takes it from every product (platform facts 9.1). A
 * repeat finds nothing.
 *
 * Refused with: 404 unknown · 400 one of the platform's, or one by which customers choose a product.
 */
export const deleteProductAttribute = (em: EntityManager, code: string): Promise<void> =>
  transact(em, async (tx) => {
    const { attribute_id: id, attribute_code: attributeCode } = await findProductAttribute(tx, code);
    if (isOfPlatform(attributeCode)) throw invalid(attributeIsOfSystem);
    const row = await lockAttribute(tx, attributeCode);
    if (await isChosenBy(tx, { id: String(id), code: attributeCode })) throw invalid(attributeIsUsed);
    tx.remove(row);
    await tx.flush();
    await tx.nativeDelete(AttributeInSet, { attributeCode });
    await forgetAttribute(tx, attributeCode);
  });
