import { z } from 'zod';
import type { CategoryWish } from '../../../db/platform/categories/save-category.ts';
import { flag, idParam, integerBetween, payload, text } from '../../wire/schemas.ts';

const readOver = z.unknown().optional();
const most = 200;
/** The highest position that a caller may send. */
const mostSiblings = 1_000_000;

/** A category that a caller sends. Fields that only the server sets are ignored, so that an answer can be sent back. */
export const categoryPayload = payload({
  id: idParam.optional(),
  parentId: idParam.optional(),
  name: text(255).optional(),
  isActive: flag.optional(),
  position: integerBetween(0, mostSiblings).optional(),
  includeInMenu: flag.optional(),
  availableSortBy: z.array(text(64)).max(most).optional(),
  customAttributes: z
    .array(payload({ attributeCode: text(60), value: z.unknown() }))
    .max(most)
    .optional(),
  ...{ level: readOver, children: readOver, path: readOver, createdAt: readOver, updatedAt: readOver },
  extensionAttributes: readOver,
}).meta({ id: 'Category' });

type CategoryPayload = z.output<typeof categoryPayload>;

/** Translates the request into the catalog's terms. */
export const toCategoryWish = (given: CategoryPayload): CategoryWish => ({
  name: given.name,
  isActive: given.isActive,
  position: given.position,
  includeInMenu: given.includeInMenu,
  availableSortBy: given.availableSortBy,
  customAttributes:
    given.customAttributes &&
    Object.fromEntries(given.customAttributes.map(({ attributeCode, value }) => [attributeCode, value ?? null])),
});
