import { z } from 'zod';
import { isAttributeCode } from '../../domain/platform/catalog/attribute-code.ts';
import { isOfPlatform } from '../../domain/platform/catalog/product-attributes.ts';
import { attributeInputs } from '../../domain/platform/catalog/attribute-inputs.ts';

const code = z.string().regex(/^[a-zA-Z]\w{0,31}$/, 'is no code: a letter, then letters, digits and _');
const name = z.string().trim().min(1).max(255);

const flag = z.boolean().optional();

/** The settings of an attribute, by the keys that callers of the platform have (platform facts 9.1). */
const attributeSettings = z.strictObject({
  default_value: z.string().max(4_000).optional().describe('What a new product has. Of a choice: see `defaults`.'),
  note: z.string().max(255).optional(),
  frontend_class: z.string().max(255).optional(),
  apply_to: z.array(z.string().max(32)).max(100).optional().describe('The types of products that have it; none: all.'),
  validation_rules: z.array(z.unknown()).max(100).optional(),
  is_searchable: flag,
  is_visible_in_advanced_search: flag,
  is_comparable: flag,
  is_used_for_promo_rules: flag,
  is_visible_on_front: flag,
  used_in_product_listing: flag,
  is_visible: flag,
  is_filterable: flag,
  is_filterable_in_search: flag,
  is_used_in_grid: flag,
  is_visible_in_grid: flag,
  is_filterable_in_grid: flag,
  used_for_sort_by: flag,
  is_wysiwyg_enabled: flag,
  is_html_allowed_on_front: flag,
  position: z.int().optional(),
});

const viewLabels = z.record(code, name).describe('By the codes of store views.');
const attributeCode = z
  .string()
  .refine(isAttributeCode, 'is no code: a small letter, then small letters, digits and _');

/** What the platform says of its own attributes. */
const platformsOwn = ['input', 'scope', 'isRequired', 'isUnique'] as const;

const attributeFields = z.strictObject({
  code: attributeCode,
  input: z
    .enum(attributeInputs.map(({ value }) => value))
    .optional()
    .describe('How its values are typed in; without one: a line of text. It stays as it is.'),
  label: name.optional(),
  labels: viewLabels.optional(),
  scope: z.enum(['global', 'website', 'store']).optional().describe('How far a value holds.'),
  isRequired: z.boolean().optional().describe('New products of its sets need a value.'),
  isUnique: z.boolean().optional().describe('One product alone may have a value.'),
  settings: attributeSettings.optional().describe('All of them; one that is left out is as usual.'),
  options: z
    .array(z.strictObject({ label: name, labels: viewLabels.optional() }))
    .max(1_000)
    .optional()
    .describe('All of them, in their order. One that products have stays.'),
  defaults: z.array(name).max(1_000).optional().describe('The labels of the options that a new product has.'),
});

/** An attribute of products in a shop file. */
export const attribute = attributeFields.superRefine((said, context) => {
  if (!isOfPlatform(said.code)) return;
  for (const field of platformsOwn)
    if (said[field] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `is the platform’s to say of ${said.code}: leave it out`,
      });
});

/** A set of attributes in a shop file. */
export const attributeSet = z.strictObject({
  name,
  sortOrder: z.int().min(0).optional(),
  groups: z
    .array(
      z.strictObject({
        name,
        code: z
          .string()
          .regex(/^[\w-]{1,255}$/, 'is no code')
          .optional()
          .describe('Without one: made from the name.'),
        sortOrder: z.int().min(0).optional(),
        attributes: z.array(attributeCode).max(1_000).describe('All of them, in their order.'),
      }),
    )
    .max(200)
    .optional()
    .describe('All of them. A new set without groups has those of the default set.'),
});
