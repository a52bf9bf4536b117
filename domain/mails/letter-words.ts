import type { CreditKind } from '../credits/applied-credit.ts';
import type { SettleMethod } from '../returns/refund-method.ts';
import type { MailedDocument } from './mail-life.ts';

/** A letter around what only it has: a link, or a code. */
interface Around {
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
  newPassword: (of: { shop: string; hours: number }) => Around;
  confirmAccount: (of: { shop: string }) => Around;
  confirmNewsletter: (of: { shop: string; days: number }) => Around;
  oneTimeCode: (of: { shop: string; seconds: number }) => Around;
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
