import { z } from 'zod';
import type { OptionDraft } from '../../../domain/platform/catalog/save-custom-options.ts';
import { flag, idParam, integer, payload, storedMoney, text } from '../../wire/schemas.ts';

/** More values than any option has. */
const mostValues = 1_000;

const ignored = z.unknown().optional();

const price = {
  price: storedMoney.optional(),
  priceType: text(32).optional(),
  sku: text(64).nullish(),
};

const optionValue = payload({
  optionTypeId: idParam.optional(),
  title: text(255).optional(),
  sortOrder: integer.optional(),
  ...price,
  extensionAttributes: ignored,
});

/** An option as a caller sends it (platform facts 9.1). Where options come with their product, its SKU counts. */
export const customOptionPayload = payload({
  productSku: text(64).optional(),
  optionId: idParam.optional(),
  title: text(255).optional(),
  type: text(32).optional(),
  sortOrder: integer.optional(),
  isRequire: flag.optional(),
  ...price,
  fileExtension: text(255).nullish(),
  maxCharacters: integer.optional(),
  imageSizeX: integer.optional(),
  imageSizeY: integer.optional(),
  values: z.array(optionValue).max(mostValues).optional(),
  extensionAttributes: ignored,
}).meta({ id: 'ProductCustomOption' });

/** The catalog's terms. An id of 0 is none, as a form sends it. */
export const toOptionDraft = ({
  optionId,
  productSku: _known,
  extensionAttributes: _ignored,
  values,
  ...draft
}: z.output<typeof customOptionPayload>): OptionDraft => ({
  ...draft,
  optionId: optionId || undefined,
  values: values?.map(({ optionTypeId, extensionAttributes: _none, ...value }) => ({
    ...value,
    optionTypeId: optionTypeId || undefined,
  })),
});
