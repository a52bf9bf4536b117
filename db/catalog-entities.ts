import { CreditLimit } from './credit-limits/credit-limit.entity.ts';
import {
  CatalogRule,
  CatalogRuleDue,
  CatalogRuleIndex,
  CatalogRulePrice,
} from './platform/catalog-rules/catalog-rule.entity.ts';
import { AttributeGroup } from './platform/catalog/attribute-group.entity.ts';
import { AttributeInSet } from './platform/catalog/attribute-in-set.entity.ts';
import { AttributeSet } from './platform/catalog/attribute-set.entity.ts';
import { FeedVersion } from './platform/catalog/feed-version.entity.ts';
import { FixedProductTax } from './platform/catalog/fixed-product-tax.entity.ts';
import { ProductAttributeOption } from './platform/catalog/product-attribute-option.entity.ts';
import { ProductAttributeRow } from './platform/catalog/product-attribute.entity.ts';
import { ProductPicture } from './platform/catalog/product-picture.entity.ts';
import { Product } from './platform/catalog/product.entity.ts';
import { UniqueValue } from './platform/catalog/unique-value.entity.ts';
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
