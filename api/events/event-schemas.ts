import { z } from 'zod';
import {
  eventTypes,
  objectKinds,
  type EventType,
  type ObjectKind,
  objectOfType,
  reportedWhen,
} from '../../domain/events.ts';

/** The schema of each type's event, in its present version (`domain/events.ts`). */

const text = (description: string) => z.string().meta({ description });
const textOrNull = (description: string) => z.string().nullable().meta({ description });
const whole = (description: string) => z.int().meta({ description });
const wholeOrNull = (description: string) => z.int().nullable().meta({ description });
const figure = (description: string) => z.number().meta({ description });
const figureOrNull = (description: string) => z.number().nullable().meta({ description });

const orderFacts = {
  increment_id: text('The number of the order.'),
  state: text('Its state then.'),
  status: text('Its status then.'),
  currency: text('The currency of the amounts.'),
  grand_total: figure('What the order is worth.'),
  total_paid: figure('What was paid in all.'),
  total_due: figure('What is still due.'),
  total_refunded: figure('What went back in all.'),
  customer_id: wholeOrNull('The customer. Null: a guest.'),
  pos_sale_id: textOrNull('The id of the sale, by the register.'),
  layaway_status: text('Of a layaway: its status then.').optional(),
  layaway_balance_owed: figureOrNull('Of a layaway: what is still owed.').optional(),
  layaway_expires_at: textOrNull('Of a layaway: when it is late.').optional(),
  paid: figure('What this change added to what was paid.').optional(),
};

const returnFacts = {
  increment_id: text('The number of the return.'),
  order_id: whole('Its order.'),
  status: text('Its status then.'),
  location_id: wholeOrNull('Where it is taken in.'),
  credit_memo_id: wholeOrNull('The memo that gave the money back.'),
  refund_method: textOrNull('How the money went back, or will.'),
};

const refundFacts = {
  order_id: whole('The order.'),
  return_id: wholeOrNull('The return. Null: a memo was refunded.'),
  state: text('`uncertain`, `booked` or `failed`.'),
  payment_method: text('The payment of the order.'),
  amount: figure('What was to go back, in the order’s currency.'),
  currency: text('The currency of the amount.'),
  credit_memo_id: wholeOrNull('The memo, once it is booked.'),
};

const creditFacts = {
  entry_id: whole('The entry of the ledger.'),
  delta: figure('What was added; below zero, taken.'),
  balance: figure('What is there now.'),
  website_id: whole('The website.'),
  customer_id: whole('The customer. Absent: a gift card.').optional(),
  currency: text('The base currency of the website. Absent: points.').optional(),
  order_id: wholeOrNull('The order that moved it.').optional(),
};

const receiptFacts = {
  pos_order_id: text('The id of the sale, by the register.'),
  order_increment_id: textOrNull('The order’s number, where it is known.'),
  location_id: wholeOrNull('The location.'),
  terminal_id: wholeOrNull('The terminal.'),
  grand_total: figureOrNull('The total.'),
  currency: textOrNull('The currency of the total.'),
  sale_type: textOrNull('`refund` or `exchange`. Null: a plain sale.'),
  customer_id: wholeOrNull('Who claimed it.'),
  claimed_order_id: wholeOrNull('The order it was claimed with.'),
};

const change = z.enum(['created', 'changed', 'deleted']).meta({ description: 'What was done.' });

const factsByKind: Readonly<Record<ObjectKind, z.ZodRawShape>> = {
  order: orderFacts,
  return: returnFacts,
  refund: refundFacts,
  store_credit: creditFacts,
  gift_card: creditFacts,
  reward_points: creditFacts,
  receipt: receiptFacts,
  stock: {
    sku: text('The product.'),
    source_code: text('The source.'),
    quantity_before: figure('What was there before.'),
    quantity: figure('What is there now.'),
    status: whole('1: sold from there. 0: not.'),
  },
  customer: { change },
  product: {
    sku: text('The product.'),
    change,
    store_view: text(
      'The view whose own values changed. Absent: values of everywhere, or of several views.',
    ).optional(),
  },
  terminal: {
    location_id: wholeOrNull('The location.'),
    is_active: z.boolean().meta({ description: 'Whether the terminal is switched on.' }),
  },
  register_session: {
    closing_id: whole('The closing.'),
    drawer_id: whole('The drawer.'),
    number: whole('The number of the closing in its drawer.'),
    location_id: whole('The location.'),
    terminal_id: whole('The terminal that opened the session.'),
    is_forced: z.boolean().meta({ description: 'The night closed it: nothing was counted.' }),
    has_difference: z.boolean().meta({ description: 'Whether a counted line differs from what should be there.' }),
    replaces: wholeOrNull('The number of the closing that it replaces. Null: none.'),
  },
  content: {
    kind: text('Page, block or another kind.'),
    identifier: text('Its name within the kind.'),
    store_id: whole('The store view; 0: all.'),
    number: whole('The version that is shown.'),
  },
  endpoint: {
    description: text('The endpoint, for people.'),
    failing_since: textOrNull('Since when it took nothing.'),
    reason: textOrNull('The last answer.'),
  },
};

const memoFacts = {
  increment_id: orderFacts.increment_id,
  credit_memo_id: whole('The credit memo.'),
  credit_memo_increment_id: text('Its number.'),
  currency: orderFacts.currency,
  refunded: figure('What went back.'),
  base_refunded: figure('The same in the base currency.'),
  is_online: z.boolean().meta({ description: 'Whether a gateway gave it back.' }),
};

/** What the facts of a type are. */
export const factsOf = (type: EventType): z.ZodObject => {
  const [kind = 'order'] = objectOfType[type];
  return z.strictObject(type === 'order.refunded' ? memoFacts : factsByKind[kind]);
};

/** `OrderPlacedEvent`, for generated clients. */
const nameOf = (type: EventType) =>
  `${type.replaceAll(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;

const schemaOf = (type: EventType): z.ZodType =>
  z
    .object({
      id: text('The same in the feed, in every delivery and in every repeat of one.'),
      sequence: whole('The place in the feed.'),
      type: z.literal(type).meta({ description: reportedWhen[type] }),
      version: whole('The version of this schema.'),
      timestamp: text('When it happened, ISO 8601 in UTC.'),
      object: z
        .object({
          kind: z.enum(objectKinds).meta({ description: 'The kind of object.' }),
          id: text('Its id, as its own route takes it.'),
        })
        .meta({ description: 'What it tells of.' }),
      facts: factsOf(type).meta({ description: 'Ids, figures and states as they were then.' }),
      data: z.record(z.string(), z.unknown()).nullable().meta({
        description: 'The object as its own route answers it, without secrets. Null: it is gone, or the facts say all.',
      }),
    })
    .meta({ id: nameOf(type) });

/** For `webhooks` of the API document: what an endpoint is sent. */
export const reportedEvents = eventTypes.map((type) => ({
  type,
  summary: reportedWhen[type],
  schema: schemaOf(type),
  name: nameOf(type),
}));
