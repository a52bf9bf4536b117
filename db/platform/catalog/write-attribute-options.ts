import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { ofViews } from '../../../domain/platform/catalog/attribute-settings.ts';
import type { AttributeOptionDraft } from './attribute-draft.ts';
import { ProductAttributeOption } from './product-attribute-option.entity.ts';
import type { ProductAttributeRow } from './product-attribute.entity.ts';

export const optionIsNameless = 'The attribute option label is empty. Enter the value and try again.';
export const optionExists = 'Admin store attribute option label "%1" already exists.';
export const noSuchOptionHere = "The '%1' attribute doesn't include an option id '%2'.";

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
  const known = await tx.find(ProductAttributeOption, { attributeId: attribute.attributeId });
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
export function assignOption(
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
    if (!option) throw invalid(noSuchOptionHere, [code, value]);
    return option;
  }
  const name = label?.trim();
  return name ? known.find((one) => isSame(one.label, name)) : undefined;
}

/** A new option; without an order it stands where the caller has it. */
function added(
  tx: EntityManager,
  { attributeId }: ProductAttributeRow,
  { draft, at, known }: { draft: AttributeOptionDraft; at: number; known: ProductAttributeOption[] },
): ProductAttributeOption {
  const option = tx.create(ProductAttributeOption, {
    ...{ attributeId, label: draft.label ?? '', storeLabels: [], sortOrder: at },
  });
  known.push(option);
  return option;
}
