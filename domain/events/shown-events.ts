import type { EventType, ToldEvent } from './event-types.ts';

/**
 * Keys that no event shows, wherever they stand in an object: secrets, card data, and what terminals and gateways said, which
 * may hold either. The object's own route still answers them, to whoever may call it.
 */
const untold =
  /^(?:cc_\w+|protect_code|receipt_token|activation_code|additional_information|payment_additional_info|account_status|last_trans_id|raw_payload|terminal_raw_payload|terminal_info|terminal_payment_id|receipt_model|split_payments|config_overrides|remote_ip|x_forwarded_for)$/;

/** A copy of an object without them. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (untold.test(key) ? [] : [[key, withoutSecrets(inner)]])),
  );
}

/** An event as one sentence, for a chat: `{ "text": "…" }` as Slack and its likes take it. No names, no addresses. */
export function sentenceOf(event: ToldEvent, { publicUrl }: { publicUrl?: string | undefined } = {}): string {
  const fact = (name: string) => plain(event.facts[name]);
  const page = publicUrl !== undefined && isForOperators(event.type) ? ` ${publicUrl}/ops` : '';
  const said = sentences[event.type]?.(fact, event.objectId);
  const named = `${event.objectKind.replaceAll('_', ' ')} ${fact('increment_id') || event.objectId}`;
  return `${said ?? `${event.type}: ${named}`}${page}`;
}

const isForOperators = (type: EventType) => type.startsWith('refund.') || type === 'endpoint.paused';

type Sentence = (fact: (name: string) => string, objectId: string) => string;

const sentences: Partial<Record<EventType, Sentence>> = {
  'refund.uncertain': (fact, id) =>
    `A refund of ${fact('amount')} ${fact('currency')} is in doubt: attempt ${id}. Nothing more is refunded until somebody knows.`,
  'refund.decided': (fact, id) => `The doubt about refund attempt ${id} is over: it is ${fact('state')}.`,
  'endpoint.paused': (fact, id) => `The webhook endpoint ${id} is paused. ${fact('reason')}`,
  'order.placed': (fact) => `Order ${fact('increment_id')} was placed: ${fact('grand_total')} ${fact('currency')}.`,
  'order.refunded': (fact) => `Order ${fact('increment_id')} was refunded: ${fact('refunded')} ${fact('currency')}.`,
  'stock.moved': (fact) =>
    `${fact('sku')} at ${fact('source_code')}: ${fact('quantity_before')} became ${fact('quantity')}.`,
};

/** Chats read marks; a fact has none. */
const plain = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number'
    ? String(fact)
        .replaceAll(/[<>&*_~`|]/g, ' ')
        .slice(0, 200)
    : '';
