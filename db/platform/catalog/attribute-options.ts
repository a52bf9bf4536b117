import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, notFound } from '../../../domain/errors.ts';
import { transact } from '../../support/transact.ts';
import type { AttributeOptionDraft } from './attribute-draft.ts';
import { forgetOption } from './forget-values.ts';
import { lockAttribute, takesOptions } from './lock-attribute.ts';
import { ProductAttributeOption } from './product-attribute-option.entity.ts';
import type { ProductAttributeRow } from './product-attribute.entity.ts';
import { refuseUnknownViews } from './refuse-unknown-views.ts';
import { assignOption, noSuchOptionHere, setDefault } from './write-attribute-options.ts';

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
    const { attributeId } = attribute;
    const option = tx.create(ProductAttributeOption, {
      ...{ attributeId, label: '', storeLabels: [], sortOrder: 0 },
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
    if (!option) throw invalid(noSuchOptionHere, [attribute.attributeCode, id]);
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
    const known = await tx.find(ProductAttributeOption, { attributeId: attribute.attributeId });
    return change(tx, attribute, known);
  });

interface Wish {
  attribute: ProductAttributeRow;
  option: ProductAttributeOption;
  draft: AttributeOptionDraft;
  known: readonly ProductAttributeOption[];
}

async function assign(tx: EntityManager, { attribute, option, draft, known }: Wish): Promise<void> {
  await refuseUnknownViews(
    tx,
    (draft.storeLabels ?? []).map(({ storeId }) => storeId),
  );
  assignOption(option, draft, known);
  await tx.flush();
  if (draft.isDefault) setDefault(attribute, [option]);
  await tx.flush();
}
