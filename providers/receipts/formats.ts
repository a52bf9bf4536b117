import { languageOf, type Language } from '../../domain/languages.ts';
import { toWire, unitsPerWhole, type Amount, type Quantity } from '../../domain/money.ts';
import { defaultMethodLabels, inWords } from '../../domain/receipts/receipt-payments.ts';

/** How a receipt writes money, counts and dates: by the locale, with `Intl`. */
export interface Formats {
  /** The value of the page's `lang` attribute: `de`. */
  language: string;
  direction: 'ltr' | 'rtl';
  money: (value: Amount) => string;
  /** Of goods or points. */
  count: (value: Quantity | Amount) => string;
  percent: (text: string) => string;
  moment: (value: Date) => string;
  day: (value: Date) => string;
  /** The name of a code of two letters; any other text is a name already. */
  country: (text: string) => string;
}

/** Kept per combination: making the formats costs more than a whole receipt. */
const known = new Map<string, Formats>();
/** More than any shop needs; beyond it formats are made each time. */
const mostKnown = 100;

/** An unknown locale, currency or time zone is ignored, so that a receipt can always be shown. */
export function formatsOf(of: { locale: string; currency: string | null; timeZone: string }): Formats {
  const key = `${of.locale} ${of.currency} ${of.timeZone}`;
  const found = known.get(key);
  if (found) return found;
  const made = makeFormats(localeOf(of.locale), currencyOf(of.currency), zoneOf(of.timeZone));
  if (known.size < mostKnown) known.set(key, made);
  return made;
}

function makeFormats(locale: Intl.Locale, currency: string | null, timeZone: string): Formats {
  const tag = locale.toString();
  const plain = new Intl.NumberFormat(tag, { maximumFractionDigits: 4 });
  const price = (fine: boolean) =>
    currency === null
      ? new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: fine ? 4 : 2 })
      : new Intl.NumberFormat(tag, { style: 'currency', currency, ...(fine ? { maximumFractionDigits: 4 } : {}) });
  const [coins, fine] = [price(false), price(true)];
  const digits = coins.resolvedOptions().maximumFractionDigits ?? 2;
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone });
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 4 });
  return {
    language: tag,
    direction: directionOf(tag),
    // A price finer than the currency's coin is shown with all its decimals.
    money: remembered((value) => (value % 10 ** (4 - digits) === 0 ? coins : fine).format(toWire(value))),
    count: (value) => plain.format(value / unitsPerWhole),
    percent: (text) => share.format(Number(text) / 100),
    moment: (value) => moment.format(value),
    day: (value) => day.format(value),
    country: countriesIn(tag),
  };
}

/** Few receipts name a country, and the names take long to load: they are loaded with the first one, and kept. */
function countriesIn(tag: string): (text: string) => string {
  let names: Intl.DisplayNames | undefined;
  return (text) => {
    if (!/^[A-Z]{2}$/.test(text)) return text;
    names ??= new Intl.DisplayNames(tag, { type: 'region' });
    return names.of(text) ?? text;
  };
}

/** The most amounts whose texts are kept: the prices of a shop's goods come again and again. */
const mostAmounts = 1_000;

function remembered(write: (value: Amount) => string): (value: Amount) => string {
  const texts = new Map<Amount, string>();
  return (value) => {
    const known = texts.get(value);
    if (known !== undefined) return known;
    if (texts.size >= mostAmounts) texts.clear();
    const text = write(value);
    texts.set(value, text);
    return text;
  };
}

function localeOf(text: string): Intl.Locale {
  try {
    return new Intl.Locale(text.replaceAll('_', '-'));
  } catch {
    return new Intl.Locale('en-US');
  }
}

function currencyOf(code: string | null): string | null {
  return code !== null && /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : null;
}

function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** Scripts written from right to left. */
const rightToLeft = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm'];
export const directionOf = (tag: string) =>
  rightToLeft.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';

/** Initials, which are written in capitals. */
const initials = /\b(?:tss|tse|qr|id|vat|url|utc|nif|nie|siret)\b/gi;

/**
 * A register's or the shop's code as words of a receipt's language: a way to pay or to refund, how a card was read, the
 * name of a fiscal field. A code without a word becomes words of its own letters.
 */
export function codeInWords(locale: string, code: string): string {
  const known = byLanguage[languageOf(locale)].get(code.toLowerCase());
  return known ?? inWords(code).replaceAll(initials, (word) => word.toUpperCase());
}

const german = [
  ...of('cash', 'Bar'),
  ...of('card terminal manual_card credit_card creditcard', 'Karte'),
  ...of('cashondelivery', 'Nachnahme'),
  ...of('check checkmo', 'Scheck'),
  ...of('banktransfer bank_transfer', 'Überweisung'),
  ...of('purchaseorder invoice', 'Rechnung'),
  ...of('provider_a', 'Kartenterminal A'),
  ...of('provider_b', 'Kartenterminal B'),
  ...of('original_payment', 'Ursprüngliche Zahlungsart'),
  ...of('exchange', 'Umtausch'),
  ...of('store_credit storecredit', 'Guthaben'),
  ...of('gift_card giftcard', 'Gutschein'),
  ...of('reward_points', 'Bonuspunkte'),
  ...of('contactless nfc', 'Kontaktlos'),
  ...of('chip contact', 'Chip'),
  ...of('swipe swiped magstripe', 'Magnetstreifen'),
  ...of('keyed manual manual_entry', 'Von Hand eingegeben'),
  ...of('tss_serial_number tse_serial_number', 'Seriennummer der TSE'),
  ...of('tss_id tse_id', 'TSE'),
  ...of('transaction_number', 'Transaktionsnummer'),
  ...of('signature_counter', 'Signaturzähler'),
  ...of('start_time', 'Beginn'),
  ...of('end_time', 'Ende'),
  ...of('first_order_time', 'Erste Bestellung'),
  ...of('log_time', 'Protokollzeit'),
  ...of('time_format', 'Zeitformat'),
  ...of('signature', 'Signatur'),
  ...of('signature_algorithm', 'Signaturverfahren'),
  ...of('public_key', 'Öffentlicher Schlüssel'),
  ...of('process_type', 'Vorgangsart'),
  ...of('process_data', 'Vorgangsdaten'),
  ...of('client_id register_id cash_register_id', 'Seriennummer der Kasse'),
  ...of('receipt_number', 'Bon-Nr.'),
  ...of('qr_code_data qr_code qr_data', 'QR-Code'),
];

const arabic = [
  ...of('cash', 'نقداً'),
  ...of('card terminal manual_card credit_card creditcard', 'بطاقة'),
  ...of('cashondelivery', 'الدفع عند الاستلام'),
  ...of('check checkmo', 'شيك'),
  ...of('banktransfer bank_transfer', 'تحويل بنكي'),
  ...of('purchaseorder invoice', 'فاتورة'),
  ...of('provider_a', 'جهاز البطاقات أ'),
  ...of('provider_b', 'جهاز البطاقات ب'),
  ...of('original_payment', 'طريقة الدفع الأصلية'),
  ...of('exchange', 'استبدال'),
  ...of('store_credit storecredit', 'رصيد المتجر'),
  ...of('gift_card giftcard', 'بطاقة هدية'),
  ...of('reward_points', 'نقاط المكافآت'),
  ...of('contactless nfc', 'بدون تلامس'),
  ...of('chip contact', 'شريحة'),
  ...of('swipe swiped magstripe', 'شريط مغناطيسي'),
  ...of('keyed manual manual_entry', 'إدخال يدوي'),
  ...of('tss_serial_number tse_serial_number', 'الرقم التسلسلي لوحدة التوقيع'),
  ...of('tss_id tse_id', 'وحدة التوقيع'),
  ...of('transaction_number', 'رقم العملية'),
  ...of('signature_counter', 'عداد التوقيع'),
  ...of('start_time', 'البداية'),
  ...of('end_time', 'النهاية'),
  ...of('signature', 'التوقيع'),
  ...of('client_id register_id cash_register_id', 'الرقم التسلسلي للصندوق'),
  ...of('receipt_number', 'رقم الإيصال'),
  ...of('qr_code_data qr_code qr_data', 'رمز QR'),
];

const byLanguage: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: defaultMethodLabels,
  de: new Map(german),
  ar: new Map(arabic),
};

/** The same words for several codes. */
function of(codes: string, words: string): (readonly [string, string])[] {
  return codes.split(' ').map((code) => [code, words] as const);
}
