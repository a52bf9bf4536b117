import { arabic } from './arabic.ts';
import { german } from './german.ts';

/** The words of a receipt, by language. */
export const english = {
  receipt: 'Receipt',
  refund: 'Refund',
  exchange: 'Exchange',
  deposit: 'Layaway deposit',
  top_up: 'Layaway payment',
  settlement: 'Layaway paid in full',
  credit_due: 'Payment receipt',
  paidNow: 'Paid today',
  receiptNumber: 'Receipt',
  orderNumber: 'Order',
  originalOrder: 'Original order',
  saleReference: 'Reference',
  staff: 'Served by',
  terminal: 'Register',
  customer: 'Customer',
  items: 'Items',
  subtotal: 'Subtotal',
  discount: 'Discount',
  shipping: 'Shipping',
  rounding: 'Rounding',
  tax: 'Tax',
  taxOn: 'on',
  total: 'Total',
  totalRefunded: 'Total refunded',
  reverseCharge: 'Reverse charge: the customer accounts for the tax.',
  shippingRefund: 'Shipping refund',
  adjustmentPositive: 'Adjustment',
  adjustmentNegative: 'Fee',
  refundMethod: 'Refunded to',
  reason: 'Reason',
  payment: 'Payment',
  change: 'Change',
  storeCredit: 'Store credit',
  giftCard: 'Gift card',
  rewardPoints: 'Reward points',
  credit: 'Credit',
  points: 'points',
  pointsEarned: 'Points earned',
  approval: 'Auth',
  application: 'AID',
  yes: 'Yes',
  no: 'No',
  layaway: 'Layaway',
  balance: 'Balance',
  totalPaid: 'Paid so far',
  balanceOwed: 'Still to pay',
  remainingDue: 'Remaining due',
  paidInFull: 'Paid in full',
  payBy: 'Pay by',
  shipTo: 'Ships to',
  backorder: 'To follow',
  expected: 'Expected',
  method: 'Method',
  fiscal: 'Fiscal data',
  was: 'was',
  moreItems: 'Further items that are not listed here',
  phone: 'Phone',
  vat: 'VAT',
  scan: 'Scan to open this receipt',
  forReturns: 'For returns and exchanges',
  view: 'View your receipt',
  attached: 'Your receipt is attached as a PDF.',
  notAttached: 'The PDF could not be made this time; the receipt itself is complete in this mail.',
  download: 'Download PDF',
  email: 'E-mail address',
  sendByEmail: 'Send by e-mail',
  send: 'Send',
  claim: 'Add to my account',
  claimHint: 'Sign in to keep this receipt with your purchases.',
  password: 'Password',
  signIn: 'Sign in and add',
  claimed: 'This receipt is in a customer account.',
} as const;

export type Words = Readonly<Record<keyof typeof english, string>>;

/** The languages that receipts and their pages are written in. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];

const byLanguage: Readonly<Record<Language, Words>> = { en: english, de: german, ar: arabic };

/** English for a language without a word list. */
export function languageOf(locale: string): Language {
  const [spoken] = locale.toLowerCase().split(/[-_]/);
  return languages.find((one) => one === spoken) ?? 'en';
}

export const wordsOf = (locale: string): Words => byLanguage[languageOf(locale)];
