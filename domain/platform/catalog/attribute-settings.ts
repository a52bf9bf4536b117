/** A text in one store view. */
export interface StoreLabel {
  storeId: number;
  label: string;
}

/** What callers keep with an attribute and read back; its keys are those of the wire (platform facts 9.1). */
export interface AttributeSettings {
  default_value?: string;
  note?: string;
  frontend_class?: string;
  apply_to?: string[];
  validation_rules?: unknown[];
  is_searchable?: boolean;
  is_visible_in_advanced_search?: boolean;
  is_comparable?: boolean;
  is_used_for_promo_rules?: boolean;
  is_visible_on_front?: boolean;
  used_in_product_listing?: boolean;
  is_visible?: boolean;
  is_filterable?: boolean;
  is_filterable_in_search?: boolean;
  is_used_in_grid?: boolean;
  is_visible_in_grid?: boolean;
  is_filterable_in_grid?: boolean;
  used_for_sort_by?: boolean;
  is_wysiwyg_enabled?: boolean;
  is_html_allowed_on_front?: boolean;
  position?: number;
}

/** What holds where nobody said otherwise: promotions may use any attribute, and lists may be sorted by it. */
export const usualSettings = {
  ...{ apply_to: [], is_searchable: false, is_visible_in_advanced_search: false, is_comparable: false },
  ...{ is_used_for_promo_rules: true, is_visible_on_front: false, used_in_product_listing: true, is_visible: true },
  ...{ is_filterable: false, is_filterable_in_search: false, used_for_sort_by: true },
  ...{ is_wysiwyg_enabled: false, is_html_allowed_on_front: false, position: 0 },
} satisfies AttributeSettings;

/** The label in a store view; the one of all views where it has none. */
export const labelIn = (
  { label, storeLabels }: { label: string; storeLabels: readonly StoreLabel[] },
  storeId: number,
): string => storeLabels.find((one) => one.storeId === storeId)?.label ?? label;

/** Labels by store view, without those of all views (0): the last one of a view counts. */
export const ofViews = (labels: readonly StoreLabel[]): StoreLabel[] =>
  [...new Map(labels.map((one) => [one.storeId, one])).values()].filter(
    ({ storeId, label }) => storeId > 0 && label !== '',
  );

/** The label above all store views, among those of views. */
export const labelAbove = (labels: readonly StoreLabel[] = []): string | undefined =>
  labels.findLast(({ storeId }) => storeId === 0)?.label;
