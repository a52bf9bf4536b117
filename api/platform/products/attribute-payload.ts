import { z } from 'zod';
import type { AttributeDraft, AttributeOptionDraft } from '../../../db/platform/catalog/attribute-draft.ts';
import { given } from '../../../db/support/given.ts';
import { flag, growing, integer, text } from '../../wire/schemas.ts';

/** More options than any attribute has; more are sent one by one. */
const mostOptions = 1_000;
/** More store views than any shop has. */
const mostViews = 1_000;
const mostTypes = 100;

const storeLabels = z.array(growing({ storeId: integer, label: text(255).default('') })).max(mostViews);

/** An option of an attribute, as it is sent. */
export const optionPayload = growing({
  label: text(255).optional(),
  value: text(255).optional(),
  sortOrder: integer.optional(),
  isDefault: flag.optional(),
  storeLabels: storeLabels.optional(),
});

export const toOptionDraft = (sent: z.output<typeof optionPayload>): AttributeOptionDraft => sent;

const settings = {
  default_value: text(4_000).optional(),
  note: text(255).optional(),
  frontend_class: text(255).optional(),
  apply_to: z.array(text(32)).max(mostTypes).optional(),
  validation_rules: z.array(z.unknown()).max(mostTypes).optional(),
  is_searchable: flag.optional(),
  is_visible_in_advanced_search: flag.optional(),
  is_comparable: flag.optional(),
  is_used_for_promo_rules: flag.optional(),
  is_visible_on_front: flag.optional(),
  used_in_product_listing: flag.optional(),
  is_visible: flag.optional(),
  is_filterable: flag.optional(),
  is_filterable_in_search: flag.optional(),
  is_used_in_grid: flag.optional(),
  is_visible_in_grid: flag.optional(),
  is_filterable_in_grid: flag.optional(),
  used_for_sort_by: flag.optional(),
  is_wysiwyg_enabled: flag.optional(),
  is_html_allowed_on_front: flag.optional(),
  position: integer.optional(),
};

/** An attribute as it is sent; what a read answered may be sent back. Only the server knows its id and its column. */
export const attributePayload = growing({
  attribute_code: text(255).optional(),
  frontend_input: text(50).optional(),
  default_frontend_label: text(255).optional(),
  frontend_labels: storeLabels.optional(),
  scope: z.enum(['global', 'website', 'store']).optional(),
  is_required: flag.optional(),
  is_unique: flag.optional(),
  options: z.array(optionPayload).max(mostOptions).optional(),
  ...settings,
});

export function toAttributeDraft(sent: z.output<typeof attributePayload>): AttributeDraft {
  const {
    attribute_code,
    frontend_input,
    default_frontend_label,
    frontend_labels,
    scope,
    is_required,
    is_unique,
    ...others
  } = sent;
  const { options, ...settings } = others;
  return {
    attributeCode: attribute_code,
    frontendInput: frontend_input,
    label: default_frontend_label,
    labels: frontend_labels,
    scope,
    isRequired: is_required,
    isUnique: is_unique,
    settings: given(settings),
    options: options?.map(toOptionDraft),
  };
}
