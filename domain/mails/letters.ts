import type { CreditKind } from '../credits/applied-credit.ts';
import type { SettleMethod } from '../returns/resolution.ts';

/** A letter around what only it has: a link, or a code. */
interface Context {
  subject: string;
  before: string;
  after: readonly string[];
}

/** The words of one document, by the numbers of its order and its own. */
interface DocumentWords {
  subject: (order: string, own: string) => string;
  opening: (order: string, own: string) => string;
}

/** The words of all letters to customers in one language. Values come isolated where the language needs that. */
export interface LetterWords {
  greeting: string;
  newPassword: (of: { shop: string; hours: number }) => Context;
  confirmAccount: (of: { shop: string }) => Context;
  confirmNewsletter: (of: { shop: string; days: number }) => Context;
  oneTimeCode: (of: { shop: string; seconds: number }) => Context;
  documents: Readonly<Record<MailedDocument, DocumentWords>>;
  more: (lines: number) => string;
  total: string;
  tracking: string;
  refund: {
    subject: (order: string) => string;
    opening: (sum: string, order: string) => string;
    memo: (number: string) => string;
    /** How the money part went back. */
    went: Readonly<Record<SettleMethod, string>>;
    backTo: Readonly<Record<CreditKind, string>>;
    points: (count: number) => string;
  };
}

/** The words of letters in English. */
export const englishLetters: LetterWords = {
  greeting: 'Hello,',
  newPassword: ({ shop, hours }) => ({
    subject: `A new password for ${shop}`,
    before: 'somebody asked for a new password for your account. You can set one here:',
    after: [
      `The link works once, for ${hours} hours. If you did not ask for it, you need not do anything: your password stays.`,
    ],
  }),
  confirmAccount: ({ shop }) => ({
    subject: `Please confirm your account at ${shop}`,
    before: 'somebody opened an account with this e-mail. If that was you, say so here; then you can sign in:',
    after: ['If it was not you, you need not do anything: nobody can sign in.'],
  }),
  confirmNewsletter: ({ shop, days }) => ({
    subject: `Please confirm your newsletter from ${shop}`,
    before: `somebody asked us to send the newsletter of ${shop} to this address. If you want it, say so here:`,
    after: [`The link works for ${days} days. If you do not want it, you need not do anything: you will not get it.`],
  }),
  oneTimeCode: ({ shop, seconds }) => ({
    subject: `Your sign-in code for ${shop}`,
    before: 'somebody wants to sign in with your e-mail at one of our kiosks. The code is',
    after: [
      `It works once, at that kiosk, within ${durationText(seconds)} of asking for it.`,
      '',
      'If that was not you, you need not do anything: without the code nobody can sign in.',
      'Nobody of our staff will ever ask you for it.',
    ],
  }),
  documents: {
    order: { subject: (order) => `Your order ${order}`, opening: (order) => `this is your order ${order}` },
    invoice: {
      subject: (order, invoice) => `Invoice ${invoice} for your order ${order}`,
      opening: (order, invoice) => `this is invoice ${invoice} for your order ${order}`,
    },
    shipment: {
      subject: (order) => `Your order ${order} is on its way`,
      opening: (order, shipment) => `shipment ${shipment} of your order ${order} was handed over`,
    },
    creditmemo: {
      subject: (order, memo) => `Credit memo ${memo} for your order ${order}`,
      opening: (order, memo) => `this is credit memo ${memo} for your order ${order}`,
    },
  },
  more: (lines) => `and ${lines} more`,
  total: 'Total',
  tracking: 'Tracking',
  refund: {
    subject: (order) => `Your refund for order ${order}`,
    opening: (sum, order) => `we have refunded ${sum} for your order ${order}`,
    memo: (number) => `The number of your credit memo is ${number}.`,
    went: {
      original_payment: 'to the card you paid with; your bank may take some days to show it',
      terminal: 'to your card, at the terminal in the shop',
      store_credit: 'as store credit',
      cash: 'in cash',
      exchange: 'towards your exchange',
      manual_card: 'to your card',
    },
    backTo: {
      store_credit: 'back to your store credit',
      gift_card: 'back to your gift card',
      reward_points: 'back to your reward points',
    },
    points: (count) => `${count} ${count === 1 ? 'point' : 'points'}`,
  },
};

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.floor(seconds / 60)} minutes`;
}

/** The text of a mail; its recipient is kept elsewhere. */
export interface Letter {
  subject: string;
  text: string;
}

export interface PausedEndpoint {
  endpointId: number;
  url: string;
  description: string;
  failingSince: string | null;
  pausedFor: string | null;
  waiting: number;
  /** The operator's page. */
  opsUrl: string;
}

/** The mail to an operator about an endpoint that took no event for a day. */
export function pausedEndpointLetter(endpoint: PausedEndpoint): Letter {
  const { endpointId, url, description, failingSince, pausedFor, waiting } = endpoint;
  const command = 'npm run --silent pos -- events endpoints';
  const lines = [
    `Endpoint ${endpointId} took no event since ${failingSince ?? 'a day'}. It is paused; what waits for it is kept.`,
    '',
    `Address:   ${url}`,
    ...(description === '' ? [] : [`For:       ${description}`]),
    `Waiting:   ${waiting} events`,
    `Why:       ${pausedFor ?? 'not known'}`,
    '',
    'Tell who runs it. When it works again, switch it on; all that waits is sent then:',
    '',
    `  ${command} on ${endpointId}`,
    '',
    'What it answered:',
    '',
    `  ${command} attempts ${endpointId}`,
    '',
    `The operator’s page: ${endpoint.opsUrl}`,
    '',
  ];
  return { subject: `Webhook endpoint ${endpointId} is paused`, text: lines.join('\n') };
}

/** The longest address that a mail server takes. */
const longest = 254;
/** No blank and no control character: nothing that could end the address or begin another. */
const plain =
  /^[^\s\p{C}<>()[\]\\,;:"@]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

/** Whether a text is exactly one recipient's address: no list, no name, no further header. */
export const isOneAddress = (text: string): boolean => text.length <= longest && plain.test(text.normalize('NFC'));

/**
 * What a mail of ours tells of: a refund to its customer, a question that stays open to the operators, a receipt to who
 * asked for it, a kiosk's one-time code, a subscription that waits to be confirmed, a document of an order to its
 * customer, the link to a new password, an account that waits to be confirmed, a webhook endpoint that took nothing for
 * a day.
 */
export const mailKinds = [
  'refund',
  'uncertain_refund',
  'receipt',
  'one_time_code',
  'newsletter_confirmation',
  'document',
  'password_reset',
  'account_confirmation',
  'endpoint_paused',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** What of an order the platform's own routes send to its customer (platform facts 5.4, 6, 7.1). */
export const mailedDocuments = ['order', 'invoice', 'shipment', 'creditmemo'] as const;
export type MailedDocument = (typeof mailedDocuments)[number];

export const mailStates = ['waiting', 'sent', 'dropped'] as const;
export type MailState = (typeof mailStates)[number];

/**
 * What the mail server, or the way to it, says in the words of our mail library. A code that is none of these is
 * `unknown`.
 */
export const mailServerReasons = [
  'EAUTH',
  'ECONNECTION',
  'EDNS',
  'EENVELOPE',
  'EMESSAGE',
  'ENOAUTH',
  'EPROTOCOL',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
  'EABORT',
] as const;

/**
 * Why a mail did not go, as a code: a mail server's sentence may contain the address. The operator's page has words for
 * each.
 */
export const mailReasons = [
  ...mailServerReasons,
  'unknown',
  'no_mail_server',
  'nobody_to_tell',
  'answered_meanwhile',
  'not_one_address',
  'not_prepared',
  'database',
  'restored',
] as const;
export type MailReason = (typeof mailReasons)[number];

/**
 * How long a sender holds a mail; it renews that while it works. One that was silent for so long counts as dead, and
 * the mail is sent again under the same Message-ID.
 */
export const holdSeconds = 8;

/** How long a receipt's mail waits for its PDF, from its posting on. Then it goes without, and says so. */
export const pdfPatienceSeconds = 600;

/** Minutes until the next try after each failure. A mail server that is away longer loses the mail. */
const pauses = [1, 5, 30, 120, 480, 960];

/** Undefined after so many failures that the mail is given up. */
export const nextTryMinutes = (tries: number): number | undefined => pauses[tries - 1];

/** Seconds until the next try of an urgent mail; the last pause repeats until the mail is too old. */
const urgentPauses = [2, 4, 8, 15];
const longestUrgentPause = 30;

export const nextUrgentTrySeconds = (tries: number): number => urgentPauses[tries - 1] ?? longestUrgentPause;

/** Whether a method honours `notifyCustomer`. Where cash or goods cross the counter, no mail is needed (spec 4.8). */
const honoured: Record<SettleMethod, boolean> = {
  original_payment: true,
  store_credit: true,
  terminal: true,
  cash: false,
  exchange: false,
  manual_card: false,
};

export const mailsCustomer = (method: SettleMethod, { notifyCustomer }: { notifyCustomer: boolean }): boolean =>
  notifyCustomer && honoured[method];
