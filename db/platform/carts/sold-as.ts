import { optionsChosen } from '../../../domain/platform/catalog/chosen-options.ts';
import type { EnteredOption } from '../../../domain/platform/catalog/entered-options.ts';
import { skuWithOptions } from '../../../domain/platform/catalog/option-figures.ts';
import type { CartLine } from './read-cart.ts';

/**
 * A line by the name and type under which it is sold: those of the configurable product, where there is one. The SKU is
 * that of the goods, followed by those of the options: stock goes by the first alone.
 */
export const soldAs = ({ variantOf, name, typeId, ...line }: CartLine) => ({
  name: variantOf?.name ?? name,
  typeId: variantOf?.typeId ?? typeId,
  sku: skuWithOptions(line.sku, line),
});

/** What was chosen and entered for a line, under the wire names; undefined: nothing. */
export const productOptionOf = ({ variantOf, entered }: CartLine) =>
  variantOf || entered.length > 0
    ? {
        extension_attributes: {
          ...(entered.length > 0 ? { custom_options: entered.map(optionEntered) } : {}),
          ...(variantOf ? optionsChosen(variantOf.choices) : {}),
        },
      }
    : undefined;

const optionEntered = ({ optionId, optionValue }: EnteredOption) => ({
  option_id: String(optionId),
  option_value: optionValue,
});
