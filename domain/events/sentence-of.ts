import type { ToldEvent } from './event-types.ts';

/** An event as one sentence, for a chat: `{ "text": "…" }` as Slack and its likes take it. No names, no addresses. */
export function sentenceOf(event: ToldEvent, { publicUrl }: { publicUrl?: string | undefined } = {}): string {
  const page = publicUrl === undefined ? '' : ` ${publicUrl}/ops`;
  return `${words(event)}${event.type.startsWith('refund.') || event.type === 'endpoint.paused' ? page : ''}`;
}

function words({ type, objectId, objectKind, facts }: ToldEvent): string {
  const fact = (name: string) => plain(facts[name]);
  const money = `${fact('amount')} ${fact('currency')}`;
  switch (type) {
    case 'refund.uncertain':
      return `A refund of ${money} is in doubt: attempt ${objectId}. Nothing more is refunded until somebody knows.`;
    case 'refund.decided':
      return `The doubt about refund attempt ${objectId} is over: it is ${fact('state')}.`;
    case 'endpoint.paused':
      return `The webhook endpoint ${objectId} is paused. ${fact('reason')}`;
    case 'order.placed':
      return `Order ${fact('increment_id')} was placed: ${fact('grand_total')} ${fact('currency')}.`;
    case 'order.refunded':
      return `Order ${fact('increment_id')} was refunded: ${fact('refunded')} ${fact('currency')}.`;
    case 'stock.moved':
      return `${fact('sku')} at ${fact('source_code')}: ${fact('quantity_before')} became ${fact('quantity')}.`;
    default:
      return `${type}: ${objectKind.replaceAll('_', ' ')} ${fact('increment_id') || objectId}`;
  }
}

/** Chats read marks; a fact has none. */
const plain = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact).replaceAll(/[<>&*_~`|]/g, ' ').slice(0, 200) : '';
