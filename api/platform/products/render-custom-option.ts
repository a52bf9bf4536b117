import { z } from 'zod';
import { toWire } from '../../../domain/money/amount.ts';
import {
  optionKinds,
  type CustomOption,
  type OptionPrice,
  type OptionValue,
} from '../../../domain/platform/catalog/custom-option.ts';

const value = z.object({
  title: z.string(),
  sort_order: z.int(),
  price: z.number(),
  price_type: z.string(),
  sku: z.string().optional(),
  option_type_id: z.int(),
});

/** An option of a product in answers (platform facts 9.1). It has the keys of its type only. */
export const customOptionAnswer = z
  .object({
    product_sku: z.string(),
    option_id: z.int(),
    title: z.string(),
    type: z.string(),
    sort_order: z.int(),
    is_require: z.boolean(),
    price: z.number().optional(),
    price_type: z.string().optional(),
    sku: z.string().optional(),
    max_characters: z.int().optional(),
    file_extension: z.string().optional(),
    image_size_x: z.int().optional(),
    image_size_y: z.int().optional(),
    values: z.array(value).optional(),
  })
  .meta({ id: 'ProductCustomOption' });

export function renderCustomOption(option: CustomOption, sku: string): z.input<typeof customOptionAnswer> {
  const kind = optionKinds[option.type];
  return {
    product_sku: sku,
    option_id: option.optionId,
    title: option.title,
    type: option.type,
    sort_order: option.sortOrder,
    is_require: option.isRequire,
    ...(kind === 'select' ? { values: option.values.map(renderValue) } : renderPrice(option)),
    ...(kind === 'text' ? { max_characters: option.maxCharacters } : {}),
    ...(kind === 'file' ? renderFile(option) : {}),
  };
}

const renderPrice = ({ price, priceType, sku }: OptionPrice) => ({
  price: toWire(price),
  price_type: priceType,
  ...(sku === null ? {} : { sku }),
});

const renderFile = ({ fileExtension, imageSizeX, imageSizeY }: CustomOption) => ({
  ...(fileExtension === null ? {} : { file_extension: fileExtension }),
  image_size_x: imageSizeX,
  image_size_y: imageSizeY,
});

const renderValue = (one: OptionValue) => ({
  title: one.title,
  sort_order: one.sortOrder,
  ...renderPrice(one),
  option_type_id: one.optionTypeId,
});
