import type { Amount } from '../../../domain/money/amount.ts';
import type { OptionDraft } from '../../../domain/platform/catalog/save-custom-options.ts';
import type { Quantity } from '../../../domain/money/quantity.ts';
import type { LinkDraft } from '../../../domain/platform/catalog/product-links.ts';
import type { GivenRule, StockRules } from '../../../domain/platform/stock-rules.ts';
import type { TierPrice, productTypes } from './product.entity.ts';
import type { MediaDraft } from './media-draft.ts';

/** The stock fields of a product in single-source mode; the quantity is that of the default source. */
export interface StockItemDraft {
  quantity?: Quantity | undefined;
  isInStock?: boolean | undefined;
  managesStock?: boolean | undefined;
  isQtyDecimal?: boolean | undefined;
  minQty?: Quantity | undefined;
  rules?: { readonly [Name in keyof StockRules]: GivenRule<StockRules[Name]> };
}

/** A product as a caller sends it; an absent field is kept on a change (platform facts 9.1). */
export interface ProductDraft {
  /** Null in a store view: the global value; so for status and visibility. */
  name?: string | null | undefined;
  attributeSetId?: number | undefined;
  price?: Amount | undefined;
  status?: number | null | undefined;
  visibility?: number | null | undefined;
  typeId?: (typeof productTypes)[number] | undefined;
  weight?: Quantity | null | undefined;
  websiteIds?: number[] | undefined;
  /** Replaces the whole list. */
  tierPrices?: TierPrice[] | undefined;
  /** Each named attribute; null removes it. Lists of fixed taxes become separate rows. */
  customAttributes?: Record<string, unknown> | undefined;
  extensionAttributes?: Record<string, unknown> | undefined;
  /** Replaces the whole list. */
  options?: readonly OptionDraft[] | undefined;
  /** Replaces the whole list. */
  productLinks?: readonly LinkDraft[] | undefined;
  /** Replaces the whole gallery. */
  mediaGalleryEntries?: readonly MediaDraft[] | undefined;
  stockItem?: StockItemDraft | undefined;
}
