import { z } from 'zod';
import type { SheetRow } from '../../db/platform/orders/read-order-comments.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import { zero } from '../../domain/money.ts';
import { renderRow } from './outcomes.ts';
import { isObject, toSnakeCase } from './read-json.ts';
import { flag, growing, idParam, integer, money, payload, quantity, text } from './schemas.ts';

/** What addresses of customers and of carts have in common, as a caller sends them (platform facts 8, 11). */

export const maxStreetLines = 8;

export const optionalText = text(255).nullish();

/** The region as an object or as text, as on the platform. */
const region = z
  .union([
    payload({
      region: optionalText,
      regionCode: optionalText,
      regionId: integer.nullish(),
      extensionAttributes: z.unknown().optional(),
    }),
    text(255).transform((name) => ({ region: name, regionCode: undefined, regionId: undefined })),
  ])
  .optional();

export const place = {
  region,
  regionId: integer.nullish(),
  regionCode: optionalText,
  countryId: text(255).optional(),
  city: text(255).optional(),
};

interface Place {
  region?:
    | {
        region?: string | null | undefined;
        regionCode?: string | null | undefined;
        regionId?: number | null | undefined;
      }
    | undefined;
  regionId?: number | null | undefined;
  regionCode?: string | null | undefined;
}

/** What is said beside the region wins over what it says itself. */
export const regionOf = ({ region: of, regionId, regionCode }: Place) => ({
  region: of?.region,
  regionCode: regionCode ?? of?.regionCode,
  regionId: regionId ?? of?.regionId,
});

/** An option of an attribute (platform facts 9.1). */
export const attributeOption = z.object({ label: z.string(), value: z.string() });

/** The keys of every attribute, whatever it belongs to (platform facts 9.1). */
export const attributeKeys = {
  attribute_id: z.int(),
  attribute_code: z.string(),
  frontend_input: z.string(),
  entity_type_id: z.string(),
  is_required: z.boolean(),
  options: z.array(attributeOption),
  is_user_defined: z.boolean(),
  default_frontend_label: z.string(),
  backend_type: z.string(),
  is_unique: z.string(),
};

/** 404, for the outcomes of a route. */
export const unknownAttribute = (when: string) => ({
  status: 404,
  message: 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.',
  when,
});

/** The same schema under several names, for documents with dozens of similar fields. */
export const eachOf = <const Name extends string, Schema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> =>
  // The names come from the argument, which the compiler cannot derive through `fromEntries`.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** Comments of an invoice, a shipment or a credit memo in answers (platform facts 5.5, 6, 7.5). */
const shape: Record<string, z.ZodType> = {
  ...eachOf(['entity_id', 'parent_id', 'is_customer_notified', 'is_visible_on_front'], z.int()),
  ...eachOf(['comment', 'created_at'], z.string()),
};

const columns = Object.keys(shape);

export const documentCommentAnswer = z.strictObject(shape).meta({ id: 'DocumentComment' });
export const renderDocumentComment = (comment: SheetRow): Record<string, unknown> => renderRow(comment, columns);

/** A list of comments as the platform answers it: with its search criteria (platform facts 3.5). */
export const ofParent = <Item>(id: number, items: Item[]) => ({
  items,
  search_criteria: {
    filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
  },
  total_count: items.length,
});

/** Leaves out keys that a request may contain and no code uses. What has none of them is not copied. */
export function without<Name extends PropertyKey, Given extends { [Key in Name]?: unknown }>(
  input: Given,
  names: readonly Name[],
): Omit<Given, Name> {
  if (!names.some((name) => name in input)) return input;
  const stored = { ...input };
  for (const name of names) delete stored[name];
  return stored;
}

/** Gives every key of a value its wire spelling, so that stored keys are answered as the platform spells them. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toSnakeCase(key), inSnakeCase(inner)]));
}

/** An object that is only stored: as posted, with its keys in the spelling of answers. */
export const wireRecord = z
  .record(z.string(), z.unknown())
  .transform((input) =>
    Object.fromEntries(Object.entries(input).map(([key, value]) => [toSnakeCase(key), inSnakeCase(value)])),
  );

/**
 * A list in a query. A single value without brackets, as many clients send it, is a list of one (platform facts 14).
 */
export const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((input) => (typeof input === 'string' ? [input] : input), z.array(item).max(most));

/**
 * A list of objects in a body. An object of them is read as their list: PHP writes a list with keys so, such as lines by
 * their ids (platform facts 14).
 */
export const rowsOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((input: unknown) => (isObject(input) ? Object.values(input) : input), z.array(item).max(most));

/** The request parts that all documents of an order share: goods and a comment (platform facts 5.5, 6, 7.1). */

/** More lines than an order has. */
const maxItems = 1_000;
const maxComment = 65_535;

const goods = { orderItemId: idParam, qty: quantity, extensionAttributes: z.unknown().optional() };

/** Goods by order item; absent or empty means everything that is left. */
export const documentItems = rowsOf(payload(goods), maxItems).default([]);

/** The same of a document that is saved whole: a line that was read is sent back with all it has. */
export const savedItems = rowsOf(growing(goods), maxItems).default([]);

/** The comment of a document; a separate argument says whether the customer is notified. */
export const documentComment = payload({
  comment: text(maxComment).default(''),
  isVisibleOnFront: flag.default(false),
  extensionAttributes: z.unknown().optional(),
});

/** The same argument names in each document's request. */
export const documentArguments = {
  items: documentItems,
  notify: flag.default(false),
  appendComment: flag.default(false),
  comment: documentComment.optional(),
};

/** The comment to store; undefined when none was sent. Refused with 400: card data in it (our choice). */
export function remarkOf({
  comment,
  notify,
  appendComment,
}: {
  comment?: z.output<typeof documentComment> | undefined;
  notify: boolean;
  appendComment: boolean;
}) {
  if (!comment) return undefined;
  refuseCardData(comment.comment);
  return {
    comment: comment.comment,
    isVisibleOnFront: comment.isVisibleOnFront,
    isCustomerNotified: notify && appendComment,
  };
}

/**
 * The three adjustments of a refund (spec 4.8, platform facts 7.1), all ex tax. The point of sale uses the order's
 * currency, the platform's own refunds the base currency. In an order with one currency they look the same, so every
 * schema states its currency.
 */
const adjustmentsIn = (currency: string) => ({
  adjustmentPositive: money.default(zero).meta({ description: `Goodwill that is added, ex tax, in ${currency}` }),
  adjustmentNegative: money.default(zero).meta({ description: `A fee that is taken off, ex tax, in ${currency}` }),
  shippingAmount: money.optional().meta({ description: `Shipping that comes back, ex tax, in ${currency}` }),
});

/** For a settle and a preview. */
export const adjustmentsInOrderCurrency = adjustmentsIn("the order's currency");
/** For the platform's refunds of an order and of an invoice. */
export const adjustmentsInBaseCurrency = adjustmentsIn('the base currency');
