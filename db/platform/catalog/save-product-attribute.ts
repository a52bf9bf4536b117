import { type EntityManager } from '@mikro-orm/postgresql';
import { fieldRequired, invalid, invalidValue } from '../../../domain/errors.ts';
import { codeOf, isAttributeCode, isReservedCode } from '../../../domain/platform/catalog/attribute-code.ts';
import { isAttributeInput } from '../../../domain/platform/catalog/attribute-inputs.ts';
import { labelAbove, ofViews } from '../../../domain/platform/catalog/attribute-settings.ts';
import { isOfPlatform } from '../../../domain/platform/catalog/product-attributes.ts';
import { typedValue } from '../../../domain/platform/catalog/typed-values.ts';
import { given } from '../../support/given.ts';
import { text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import type { AttributeDraft } from './attribute-draft.ts';
import { lockAttribute, takesOptions } from './lock-attribute.ts';
import type { ProductAttributeRow } from './product-attribute.entity.ts';
import { refuseUnknownViews } from './refuse-unknown-views.ts';
import { forgetUniqueValues, noteUniqueValues } from './unique-values.ts';
import { writeAttributeOptions } from './write-attribute-options.ts';

export const codeIsReserved = "The attribute code '%1' is reserved by system. Please try another attribute code";
export const codeIsTaken = '%1 already exists.';

/**
 * Creates an attribute of the shop's own, with its options (platform facts 9.1). Without a code it gets one from its
 * label. A repeat is refused, because its code is taken; of eight concurrent ones, one is carried out.
 *
 * Refused with 400: no label · a code of the wrong form, reserved or taken · an unknown input or store view · a default
 * that no product could have · an option without a label. Options of one label are one option.
 *
 * @returns its code
 */
export const createProductAttribute = (em: EntityManager, draft: AttributeDraft): Promise<string> =>
  transact(em, async (tx) => {
    const { labels = [], frontendInput: input } = draft;
    const label = draft.label || labelAbove(labels);
    if (!label && labels.length === 0) throw fieldRequired('frontend_label');
    if (!label) throw invalidValue('frontend_label', null);
    const code = draft.attributeCode || codeOf(label);
    if (!isAttributeCode(code)) throw invalidValue('attribute_code', code);
    if (!input || !isAttributeInput(input)) throw invalidValue('frontend_input', input ?? null);
    if (isReservedCode(code)) throw invalid(codeIsReserved, [code]);
    if (isOfPlatform(code) || (await add.run(tx, { code, input })) === 0) throw taken();
    await assign(tx, await lockAttribute(tx, code), { ...draft, label, options: asNew(draft.options) });
    return code;
  });

/**
 * Changes the fields sent of an attribute, by its code or its id (platform facts 9.1). The input stays, as on the
 * platform, unless the attribute came with a product and nobody has named it. Of one of the platform's only labels,
 * options and settings change. A repeat changes nothing.
 *
 * Refused with: 404 unknown · 400 an unknown input or store view, a default that no product could have, an option that
 * `writeAttributeOptions` refuses.
 */
export const changeProductAttribute = (em: EntityManager, code: string, draft: AttributeDraft): Promise<void> =>
  transact(em, async (tx) => {
    const row = await lockAttribute(tx, code);
    const { frontendInput: input } = draft;
    if (input && row.label === null && row.frontendInput !== 'weee') {
      if (!isAttributeInput(input)) throw invalidValue('frontend_input', input);
      row.frontendInput = input;
    }
    await assign(tx, row, draft);
  });

async function assign(tx: EntityManager, row: ProductAttributeRow, draft: AttributeDraft): Promise<void> {
  const { labels, options = [], scope, isRequired, isUnique } = draft;
  const views = [...(labels ?? []), ...options.flatMap(({ storeLabels = [] }) => storeLabels)];
  await refuseUnknownViews(
    tx,
    views.map(({ storeId }) => storeId),
  );
  row.label = draft.label || labelAbove(labels) || (row.label ?? row.attributeCode);
  if (labels) row.storeLabels = ofViews(labels);
  row.settings = { ...row.settings, ...given(draft.settings) };
  if (!isOfPlatform(row.attributeCode)) {
    row.scope = scope ?? row.scope;
    row.isRequired = isRequired ?? row.isRequired;
    await setUnique(tx, row, isUnique ?? row.isUnique);
  }
  refuseWrongDefault(row);
  await tx.flush();
  if (takesOptions(row)) await writeAttributeOptions(tx, row, options);
}

/** 400 for a default that no product could have. Those of choices are options. */
export function refuseWrongDefault(row: ProductAttributeRow): void {
  const { attributeCode: code, frontendInput: input, settings } = row;
  if (takesOptions(row) || typedValue({ code, input }, settings.default_value) !== undefined) return;
  if (settings.default_value) throw invalidValue('default_value', settings.default_value);
}

/** A product that is saved at the same moment is asked with its next save. */
async function setUnique(tx: EntityManager, row: ProductAttributeRow, isUnique: boolean): Promise<void> {
  const { attributeId, attributeCode: code } = row;
  if (isUnique && !row.isUnique) await noteUniqueValues(tx, { attributeId, code });
  if (!isUnique && row.isUnique) await forgetUniqueValues(tx, attributeId);
  row.isUnique = isUnique;
}

/** Ids of options are those of another shop, or none: a new attribute has no options yet. */
const asNew = (options: AttributeDraft['options']) => options?.map(({ value: _value, ...option }) => option);

const taken = () => invalid(codeIsTaken, ['Attribute with the same code']);

const add = statement({
  takes: { code: text, input: text },
  text: `
    insert into product_attribute (attribute_code, frontend_input) values ($code, $input)
    on conflict (attribute_code) do nothing`,
});
