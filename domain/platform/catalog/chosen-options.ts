/** What a customer chooses of a configurable product: a value of one option, such as the size M. Pure. */
export interface ChosenOption {
  /** The attribute of the option, by its id or its code. */
  optionId: string;
  optionValue: number;
}

/** An option among which a customer chooses. */
export interface OfferedOption {
  attributeId: number;
  attributeCode: string;
  label: string;
}

/** A choice as it is kept: the attribute by its id. */
export interface KeptChoice extends ChosenOption {
  label: string;
}

/**
 * One choice for each option, in the options' order. Undefined: one is missing, one is made twice, or one is of no option
 * of the product.
 */
export function choicesOf(
  options: readonly OfferedOption[],
  chosen: readonly ChosenOption[],
): KeptChoice[] | undefined {
  if (options.length === 0 || chosen.length !== options.length) return undefined;
  const choices = options.flatMap(({ attributeId, attributeCode, label }) => {
    const one = chosen.find(({ optionId }) => optionId === String(attributeId) || optionId === attributeCode);
    return one === undefined ? [] : [{ optionId: String(attributeId), optionValue: one.optionValue, label }];
  });
  return choices.length === options.length ? choices : undefined;
}

/** The choices of a line, under their wire names. */
export const optionsChosen = (choices: readonly KeptChoice[]) => ({
  configurable_item_options: choices.map(({ optionId, optionValue }) => ({
    option_id: optionId,
    option_value: optionValue,
  })),
});
