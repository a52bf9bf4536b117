import { defaultMethodLabels, inWords } from '../../domain/receipts/receipt-payments.ts';
import { languageOf, type Language } from '../../domain/languages.ts';

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
