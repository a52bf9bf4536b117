import { hasValues, type CustomOption, type OptionPrice } from './custom-option.ts';
import type { EnteredOption } from './entered-options.ts';

/** The options of a product, with what was entered for them. What the product no longer has counts for nothing. */
export interface WithOptions {
  options: readonly CustomOption[];
  entered: readonly EnteredOption[];
}

/** The SKU on the line: the product's, then those of its options, as on the platform. */
export const skuWithOptions = (sku: string, line: WithOptions): string =>
  [sku, ...chosenParts(line).flatMap(({ part }) => part.sku ?? [])].join('-').slice(0, longestSku);

const longestSku = 255;

/** For people: the name of an option, and what was entered. */
export interface ShownOption {
  label: string;
  value: string;
}

/** What was entered for a line, for people. */
export const shownOptions = (line: WithOptions): ShownOption[] =>
  line.entered.flatMap(({ optionId, optionValue }) => {
    const option = line.options.find((one) => one.optionId === optionId);
    if (!option) return [];
    const names = chosenParts({ ...line, entered: [{ optionId, optionValue }] }).flatMap(({ title }) => title ?? []);
    return [{ label: option.title, value: hasValues(option.type) ? names.join(', ') : optionValue }];
  });

interface ChosenPart {
  part: OptionPrice;
  /** Of a value. */
  title?: string;
}

/** What counts for price and SKU: the option itself, or of a choice each of its chosen values. */
export function chosenParts({ options, entered }: WithOptions): ChosenPart[] {
  return entered.flatMap(({ optionId, optionValue }): ChosenPart[] => {
    const option = options.find((one) => one.optionId === optionId);
    if (!option) return [];
    if (!hasValues(option.type)) return [{ part: option }];
    const chosen = optionValue.split(',');
    return option.values
      .filter(({ optionTypeId }) => chosen.includes(String(optionTypeId)))
      .map((value) => ({ part: value, title: value.title }));
  });
}
