import { z } from 'zod';
import type { ContentWish } from '../../db/content/save-content.ts';
import { pageFields, type ContentFields } from '../../domain/content/content-kind.ts';
import { flag, idParam, integer, payload, text } from '../wire/schemas.ts';
import type { ContentType } from './content-type.ts';

/** Half of the largest body. */
const longestContent = 500_000;
const longestCss = 100_000;
const longestField = 65_536;

const readOver = z.unknown().optional();

const pageKeys = Object.fromEntries(pageFields.map((key) => [key, text(longestField).optional()]));

const extensionAttributes = payload({
  css: text(longestCss).optional(),
  liveview: flag.optional(),
  revision: integer.optional(),
  storeId: readOver,
  version: readOver,
  publishedVersion: readOver,
  changedBy: readOver,
});

/** Content that an editor sends. Fields that only the server sets are ignored, so that an answer can be sent back. */
export const contentPayload = ({ kind }: ContentType) =>
  payload({
    id: idParam.optional(),
    identifier: text(100).optional(),
    attributeCode: text(60).optional(),
    productId: idParam.optional(),
    categoryId: idParam.optional(),
    title: text(255).optional(),
    content: text(longestContent).optional(),
    active: flag.optional(),
    isActive: flag.optional(),
    creationTime: readOver,
    updateTime: readOver,
    extensionAttributes: extensionAttributes.optional(),
    ...(kind === 'page' ? pageKeys : {}),
  });

export type ContentPayload = z.output<ReturnType<typeof contentPayload>>;

/** Translates the request into the shop's terms. */
export function toContentWish({ identifierKey }: ContentType, given: ContentPayload): ContentWish {
  const { css, liveview } = given.extensionAttributes ?? {};
  return {
    identifier: identifierKey === 'identifier' ? given.identifier : given.attributeCode,
    title: given.title,
    content: given.content,
    css,
    liveview,
    isActive: given.active ?? given.isActive,
    fields: fieldsIn(given),
  };
}

function fieldsIn(given: object): ContentFields {
  const fields: ContentFields = {};
  for (const key of pageFields) {
    const value: unknown = Reflect.get(given, key);
    if (typeof value === 'string') fields[key] = value;
  }
  return fields;
}
