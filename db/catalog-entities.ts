import { CreditLimit } from './credit-limits/credit-limit.entity.ts';
import {
  CatalogRule,
  CatalogRuleDue,
  CatalogRuleIndex,
  CatalogRulePrice,
} from './platform/catalog-rules/catalog-rule.entity.ts';
import {
  AttributeGroup,
  AttributeInSet,
  AttributeSet,
  FeedVersion,
  FixedProductTax,
  ProductAttributeOption,
  ProductAttributeRow,
  ProductPicture,
  Product,
  UniqueValue,
} from './platform/catalog/product.entity.ts';
import { WishlistItem } from './platform/wishlists/wishlist-item.entity.ts';

/** Tables of the catalog, its prices, contract prices and wish lists. */
export const catalogEntities = [
  Product,
  ProductPicture,
  ProductAttributeRow,
  ProductAttributeOption,
  AttributeSet,
  AttributeGroup,
  AttributeInSet,
  UniqueValue,
  FixedProductTax,
  FeedVersion,
  CatalogRule,
  CatalogRulePrice,
  CatalogRuleDue,
  CatalogRuleIndex,
  WishlistItem,
  CreditLimit,
] as const;
