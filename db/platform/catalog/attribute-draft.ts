import type { AttributeSettings, StoreLabel } from '../../../domain/platform/catalog/attribute-settings.ts';
import type { AttributeScope } from '../../../domain/platform/catalog/product-attributes.ts';

/** An option as a caller sends it. On a change, absent fields stay. */
export interface AttributeOptionDraft {
  /** The id of an option that exists; anything else means a new one. */
  value?: string | undefined;
  label?: string | undefined;
  sortOrder?: number | undefined;
  isDefault?: boolean | undefined;
  storeLabels?: readonly StoreLabel[] | undefined;
}

/** An attribute as a caller sends it. On a change, absent fields stay. */
export interface AttributeDraft {
  attributeCode?: string | undefined;
  frontendInput?: string | undefined;
  /** The label above all store views; else that of view 0 among `labels`. */
  label?: string | undefined;
  /** Replaces the labels of all store views. */
  labels?: readonly StoreLabel[] | undefined;
  scope?: AttributeScope | undefined;
  isRequired?: boolean | undefined;
  isUnique?: boolean | undefined;
  settings: AttributeSettings;
  /** Options that are not named stay. */
  options?: readonly AttributeOptionDraft[] | undefined;
}
