import { raw, type Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  backendOf,
  isFixedInSets,
  platformAttributes,
  type AttributeSettings,
  type StoreLabel,
} from '../../../domain/platform/catalog/product-attributes.ts';
import { attributeCodeNotFound } from '../../../domain/refusals/catalog.ts';
import { freshReads } from '../../support/fresh-reads.ts';
import { ProductAttributeRow } from './product.entity.ts';

/** An option of an attribute, as the shop keeps it. */
export interface AttributeOptionFound {
  optionId: number;
  label: string;
  storeLabels: StoreLabel[];
}

export interface ProductAttributeFound {
  attribute_id: number;
  attribute_code: string;
  label: string;
  frontend_input: string;
  backend_type: string;
  scope: string;
  is_required: boolean;
  is_user_defined: boolean;
  is_unique: boolean;
  store_labels: readonly StoreLabel[];
  settings: AttributeSettings;
  /** In their order. */
  options: readonly AttributeOptionFound[];
}

/** Ids of the platform's attributes stay below it, also in later releases. */
export const firstOwnId = 1_000;

type StoredAttribute = Loaded<ProductAttributeRow, 'options'>;

/** 404 for an attribute that neither the platform nor the shop has. */
export const noSuchAttribute = (code: string) => attributeCodeNotFound([code]);

/** One product attribute by its code or its id, whole, in one statement. Refused with: 404 unknown. */
export async function readProductAttribute(em: EntityManager, code: string): Promise<ProductAttributeFound> {
  const { wanted, own } = named(code);
  const row = await freshReads(em).findOne(ProductAttributeRow, isNamed(own?.code ?? wanted), {
    populate: ['options'],
    strategy: 'joined',
  });
  const found = attributeOf(own?.code, row ?? undefined);
  if (!found) throw noSuchAttribute(code);
  return found;
}

/** What the shop has stored of attributes, with their options; in no order. */
export const readProductAttributes = (em: EntityManager, codes: readonly string[]): Promise<StoredAttribute[]> =>
  freshReads(em).find(
    ProductAttributeRow,
    { attributeCode: { $in: [...codes] } },
    { populate: ['options'], strategy: 'joined' },
  );

/** An attribute of the platform's code, with what the shop has changed of it, or one of the shop's own. */
export function attributeOf(code: string | undefined, row: StoredAttribute | undefined) {
  const at = platformAttributes.findIndex((one) => one.code === code);
  const own = platformAttributes[at];
  if (own) return { ...ofPlatform(own, at), ...storedOf(row, own.code) };
  return row && { ...ofShop(row), ...storedOf(row) };
}

type PlatformAttribute = (typeof platformAttributes)[number];

const ofPlatform = ({ code, label, input, backend, scope, isRequired }: PlatformAttribute, at: number) => ({
  ...{ attribute_id: at + 1, attribute_code: code, label, frontend_input: input, backend_type: backend, scope },
  ...{ is_required: isRequired, is_user_defined: !isFixedInSets(code) },
});

const ofShop = ({ attributeId, attributeCode, label, frontendInput, scope, isRequired }: StoredAttribute) => ({
  ...{ attribute_id: firstOwnId + attributeId, attribute_code: attributeCode, label: label ?? attributeCode },
  ...{ frontend_input: frontendInput, backend_type: backendOf(frontendInput), scope },
  ...{ is_required: isRequired, is_user_defined: true },
});

const storedOf = (row: StoredAttribute | undefined, platformCode?: string) => ({
  ...(row?.label ? { label: row.label } : {}),
  is_unique: platformCode === undefined ? row?.isUnique === true : platformCode === 'sku',
  store_labels: row?.storeLabels ?? [],
  settings: row?.settings ?? {},
  options: (row?.options.getItems() ?? []).map(({ optionId, label, storeLabels }) => ({
    optionId,
    label,
    storeLabels,
  })),
});

/** Which attribute is meant. */
export interface AttributeKey {
  attribute_id: number;
  attribute_code: string;
}

/**
 * The id and code of an attribute, by either. The platform's are known without the database. Refused with: 404 unknown.
 */
export async function findProductAttribute(em: EntityManager, code: string): Promise<AttributeKey> {
  const found = await lookUpProductAttribute(em, code);
  if (!found) throw noSuchAttribute(code);
  return found;
}

/** As `findProductAttribute`; undefined: unknown. */
export async function lookUpProductAttribute(em: EntityManager, code: string): Promise<AttributeKey | undefined> {
  const { wanted, at, own } = named(code);
  if (own) return { attribute_id: at + 1, attribute_code: own.code };
  const found = await freshReads(em).findOne(ProductAttributeRow, isNamed(wanted), { fields: ['attributeCode'] });
  return found ? { attribute_id: firstOwnId + found.attributeId, attribute_code: found.attributeCode } : undefined;
}

function named(code: string) {
  const requested = /^\d+$/.test(code) ? String(Number(code)) : code.toLowerCase();
  const at = platformAttributes.findIndex((one, index) => one.code === requested || String(index + 1) === requested);
  return { wanted: requested, at, own: platformAttributes[at] };
}

const isNamed = (wanted: string) => ({
  $or: [
    { [raw((alias) => `lower(${alias}.attribute_code)`)]: wanted },
    { [raw((alias) => `(${firstOwnId} + ${alias}.attribute_id)::text`)]: wanted },
  ],
});
