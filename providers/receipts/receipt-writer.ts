import { create, type QRCode } from 'qrcode';
import { besideIn, type Beside } from '../../domain/beside.ts';
import { languageOf, type Language } from '../../domain/languages.ts';
import { negate, type Amount } from '../../domain/money.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import { formatsOf, type Formats } from './formats.ts';

/** The words of a receipt in Arabic. */
export const arabic: Words = {
  receipt: 'إيصال',
  refund: 'استرداد',
  exchange: 'استبدال',
  deposit: 'دفعة مقدمة للحجز',
  top_up: 'دفعة للحجز',
  settlement: 'سداد الحجز بالكامل',
  credit_due: 'إيصال دفع',
  paidNow: 'المدفوع اليوم',
  receiptNumber: 'رقم الإيصال',
  orderNumber: 'الطلب',
  originalOrder: 'الطلب الأصلي',
  saleReference: 'المرجع',
  staff: 'خدمكم',
  terminal: 'الصندوق',
  customer: 'العميل',
  items: 'الأصناف',
  subtotal: 'المجموع الفرعي',
  discount: 'الخصم',
  shipping: 'الشحن',
  rounding: 'التقريب',
  tax: 'الضريبة',
  taxOn: 'على',
  total: 'الإجمالي',
  totalRefunded: 'إجمالي المسترد',
  reverseCharge: 'احتساب عكسي: العميل يتحمل الضريبة.',
  shippingRefund: 'استرداد الشحن',
  adjustmentPositive: 'تسوية',
  adjustmentNegative: 'رسوم',
  refundMethod: 'استُرد إلى',
  reason: 'السبب',
  payment: 'الدفع',
  change: 'الباقي',
  storeCredit: 'رصيد المتجر',
  giftCard: 'بطاقة هدية',
  rewardPoints: 'نقاط المكافآت',
  credit: 'رصيد',
  points: 'نقطة',
  pointsEarned: 'النقاط المكتسبة',
  approval: 'رمز الموافقة',
  application: 'AID',
  yes: 'نعم',
  no: 'لا',
  layaway: 'الحجز بالتقسيط',
  balance: 'الرصيد',
  totalPaid: 'المدفوع حتى الآن',
  balanceOwed: 'المتبقي',
  remainingDue: 'المتبقي',
  paidInFull: 'مدفوع بالكامل',
  payBy: 'يُدفع قبل',
  shipTo: 'الشحن إلى',
  backorder: 'يصل لاحقاً',
  expected: 'متوقع',
  method: 'طريقة الشحن',
  fiscal: 'البيانات الضريبية',
  was: 'بدلاً من',
  moreItems: 'أصناف أخرى غير مذكورة هنا',
  phone: 'هاتف',
  vat: 'الرقم الضريبي',
  scan: 'امسح الرمز لفتح هذا الإيصال',
  forReturns: 'للإرجاع والاستبدال',
  view: 'عرض الإيصال',
  attached: 'إيصالكم مرفق بصيغة PDF.',
  notAttached: 'تعذر إنشاء ملف PDF هذه المرة؛ الإيصال كامل في هذه الرسالة.',
  download: 'تنزيل PDF',
  email: 'البريد الإلكتروني',
  sendByEmail: 'إرسال بالبريد الإلكتروني',
  send: 'إرسال',
  claim: 'إضافة إلى حسابي',
  claimHint: 'سجّل الدخول لحفظ هذا الإيصال مع مشترياتك.',
  password: 'كلمة المرور',
  signIn: 'تسجيل الدخول والإضافة',
  claimed: 'هذا الإيصال محفوظ في حساب عميل.',
};

/** The words of a receipt in German. */
export const german: Words = {
  receipt: 'Kassenbon',
  refund: 'Erstattung',
  exchange: 'Umtausch',
  deposit: 'Anzahlung',
  top_up: 'Teilzahlung',
  settlement: 'Restzahlung',
  credit_due: 'Zahlungsbeleg',
  paidNow: 'Heute bezahlt',
  receiptNumber: 'Bon-Nr.',
  orderNumber: 'Bestellung',
  originalOrder: 'Ursprüngliche Bestellung',
  saleReference: 'Referenz',
  staff: 'Es bediente Sie',
  terminal: 'Kasse',
  customer: 'Kunde',
  items: 'Artikel',
  subtotal: 'Zwischensumme',
  discount: 'Rabatt',
  shipping: 'Versand',
  rounding: 'Rundung',
  tax: 'Steuer',
  taxOn: 'auf',
  total: 'Summe',
  totalRefunded: 'Erstattet',
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers.',
  shippingRefund: 'Erstattung Versand',
  adjustmentPositive: 'Ausgleich',
  adjustmentNegative: 'Gebühr',
  refundMethod: 'Erstattet auf',
  reason: 'Grund',
  payment: 'Zahlung',
  change: 'Rückgeld',
  storeCredit: 'Guthaben',
  giftCard: 'Gutschein',
  rewardPoints: 'Bonuspunkte',
  credit: 'Gutschrift',
  points: 'Punkte',
  pointsEarned: 'Gesammelte Punkte',
  approval: 'Genehmigung',
  application: 'AID',
  yes: 'Ja',
  no: 'Nein',
  layaway: 'Ratenkauf',
  balance: 'Kontostand',
  totalPaid: 'Bisher bezahlt',
  balanceOwed: 'Noch offen',
  remainingDue: 'Noch offen',
  paidInFull: 'Vollständig bezahlt',
  payBy: 'Zahlbar bis',
  shipTo: 'Versand an',
  backorder: 'Wird nachgeliefert',
  expected: 'Voraussichtlich',
  method: 'Versandart',
  fiscal: 'Angaben zur Kassensicherung',
  was: 'statt',
  moreItems: 'Weitere Artikel, die hier nicht stehen',
  phone: 'Tel.',
  vat: 'USt-IdNr.',
  scan: 'Code scannen, um diesen Bon zu öffnen',
  forReturns: 'Für Umtausch und Rückgabe',
  view: 'Bon ansehen',
  attached: 'Ihr Bon liegt als PDF bei.',
  notAttached: 'Das PDF ließ sich diesmal nicht erstellen; der Bon steht vollständig in dieser Mail.',
  download: 'PDF herunterladen',
  email: 'E-Mail-Adresse',
  sendByEmail: 'Per E-Mail senden',
  send: 'Senden',
  claim: 'Zu meinem Konto hinzufügen',
  claimHint: 'Melden Sie sich an, um diesen Bon bei Ihren Einkäufen zu haben.',
  password: 'Passwort',
  signIn: 'Anmelden und hinzufügen',
  claimed: 'Dieser Bon gehört zu einem Kundenkonto.',
};

/** The words of a receipt in English. */
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

/** What every language has a word for. */
export type Words = Readonly<Record<keyof typeof english, string>>;

const byLanguage: Readonly<Record<Language, Words>> = { en: english, de: german, ar: arabic };

const wordsOf = (locale: string): Words => byLanguage[languageOf(locale)];

/** What the parts of a receipt need to write texts. */
export interface ReceiptWriter {
  formats: Formats;
  words: Words;
  /** Joins texts of several sources. */
  beside: Beside;
}

export const receiptWriterOf = (view: Pick<ReceiptView, 'locale' | 'currency' | 'timeZone'>): ReceiptWriter => {
  const formats = formatsOf(view);
  return { formats, words: wordsOf(formats.language), beside: besideIn(formats.direction) };
};

export interface Labelled {
  label: string;
  value: string;
}

/** An amount that is subtracted. */
export const asSubtracted = (value: Amount) => (value > 0 ? negate(value) : value);

/** A QR code's dark squares as strokes of one path, in units of a square, with its quiet zone. */
export interface DrawnCode {
  size: number;
  path: string;
}

/** The width of the quiet zone. */
const quiet = 4;
/** Codes are kept, because the same address is drawn at each view of a receipt. */
const mostStored = 1_000;
const stored = new Map<string, DrawnCode>();

/**
 * How a code is made. The standard's way looks for the shortest mix of alphabets, tries all eight masks, and takes the
 * one that scanners read best: that is most of the work. The quick way writes bytes and takes the third mask. Of
 * addresses with 64 hexadecimal characters it is the best one in three of four, and never much worse; the size of a
 * random one is the same.
 */
export type Mask = 'best' | 'quick';
const quickMask = 2;
const errorCorrectionLevel = 'M';

/** Draws a text as a QR code; medium correction, as a till's paper gets creased. Undefined where it does not fit in. */
export function squaresOf(text: string, mask: Mask): DrawnCode | undefined {
  const known = stored.get(text);
  if (known) return known;
  const drawn = draw(text, mask);
  if (drawn === undefined) return undefined;
  const [oldest] = stored.keys();
  if (stored.size >= mostStored && oldest !== undefined) stored.delete(oldest);
  stored.set(text, drawn);
  return drawn;
}

function draw(text: string, mask: Mask): DrawnCode | undefined {
  try {
    const { modules } = mask === 'best' ? bestCode(text) : quickCode(text);
    let path = '';
    for (let row = 0; row < modules.size; row++) path += rowPath(modules, row);
    return { size: modules.size + 2 * quiet, path };
  } catch {
    return undefined;
  }
}

const bestCode = (text: string) => create(text, { errorCorrectionLevel });

const quickCode = (text: string) =>
  create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel, maskPattern: quickMask });

/**
 * Adjacent squares are one stroke, so that no fine lines show between them. Steps are relative: half as many letters.
 */
function rowPath({ size, data }: QRCode['modules'], row: number): string {
  const first = row * size;
  let path = '';
  let pen = 0;
  for (let start = 0; start < size; start++) {
    if (!data[first + start]) continue;
    let end = start + 1;
    while (end < size && data[first + end]) end++;
    path += path === '' ? `M${start + quiet} ${row + quiet}.5h${end - start}` : stroke(start - pen, end - start);
    pen = end;
    start = end;
  }
  return path;
}

/** A code has hundreds of strokes and few different ones: looking one up is quicker than writing it. */
const strokes: string[] = [];
const mostKnown = 64;

function stroke(step: number, length: number): string {
  if (step >= mostKnown || length >= mostKnown) return `m${step} 0h${length}`;
  return (strokes[step * mostKnown + length] ??= `m${step} 0h${length}`);
}
