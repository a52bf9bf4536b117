import { fillIn } from '../../domain/fill-in.ts';
import type { Refusal } from '../../domain/errors.ts';
import { isolatedIn } from '../../domain/beside.ts';
import { directionOf } from './formats.ts';
import { languageOf, type Language } from '../../domain/languages.ts';

/** What a page says to its visitor: a sentence of ours, with its values. */
export type Reply = Pick<Refusal, 'message' | 'parameters' | 'errors'>;

/**
 * A sentence of a receipt's page in the language of its receipt. A value that is a sentence of ours is translated too;
 * a sentence that has no translation stays as it is.
 */
export function noticeText(locale: string, { message, parameters, errors = [] }: Reply): string {
  const words = byLanguage[languageOf(locale)];
  const direction = directionOf(languageOf(locale));
  const here = (text: unknown) =>
    isolatedIn(direction, typeof text === 'string' ? (words.get(text) ?? text) : String(text));
  return [{ message, parameters }, ...errors]
    .map((one) => {
      const values = Array.isArray(one.parameters) ? one.parameters.map(here) : one.parameters;
      return fillIn(words.get(one.message) ?? one.message, values);
    })
    .join(' ');
}

/** A register has to know which record it asked for; a shopper has a link, or a code. */
const nowhere = 'There is no receipt at this address. Please check the link, or scan the code again.';
const nowhereInGerman =
  'Unter dieser Adresse gibt es keinen Bon. Bitte prüfen Sie den Link, oder scannen Sie den Code noch einmal.';
const nowhereInArabic = 'لا يوجد إيصال في هذا العنوان. يرجى التحقق من الرابط أو مسح الرمز مرة أخرى.';

/** Which part of the shop's own works is away tells a shopper nothing. */
const trouble = 'That is not possible right now. Please try again in a moment.';
const troubleInGerman = 'Das geht gerade nicht. Bitte versuchen Sie es gleich noch einmal.';
const troubleInArabic = 'هذا غير ممكن الآن. يرجى المحاولة بعد قليل.';

const german = {
  'The receipt is in your account now.': 'Der Bon ist jetzt in Ihrem Konto.',
  'The receipt was sent to %1.': 'Der Bon wurde an %1 gesendet.',
  'The receipt is on its way to %1. It arrives within minutes.':
    'Der Bon ist unterwegs an %1. Er kommt in wenigen Minuten an.',
  'Please enter one e-mail address, such as name@example.com.':
    'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  'Please enter your e-mail address and your password.': 'Bitte geben Sie Ihre E-Mail-Adresse und Ihr Passwort ein.',
  'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.':
    'Die Anmeldung war nicht richtig, oder Ihr Konto ist vorübergehend gesperrt. Bitte warten Sie und versuchen ' +
    'Sie es später noch einmal.',
  "This account isn't confirmed. Verify and try again.":
    'Dieses Konto ist noch nicht bestätigt. Bitte bestätigen Sie es und versuchen Sie es noch einmal.',
  'Too many sign-ins at once. Please try again later.':
    'Zu viele Anmeldungen auf einmal. Bitte versuchen Sie es später noch einmal.',
  'This receipt has already been claimed.': 'Dieser Bon ist schon in einem Kundenkonto.',
  'This receipt is already in your account.': 'Dieser Bon ist schon in Ihrem Konto.',
  'This purchase is still being booked. Please try again later.':
    'Dieser Einkauf wird noch gebucht. Bitte versuchen Sie es später noch einmal.',
  'More than one purchase has the number of this receipt. Please ask the shop.':
    'Mehrere Einkäufe haben die Nummer dieses Bons. Bitte fragen Sie im Geschäft nach.',
  'Failed to send receipt email: %1': 'Der Bon konnte nicht gesendet werden: %1',
  'This shop has no mail server.': 'Dieses Geschäft hat keinen Mailserver.',
  'The receipt could not be written into a mail.': 'Der Bon ließ sich nicht in eine Mail schreiben.',
  'The mail server does not answer.': 'Der Mailserver antwortet nicht.',
  'The mail server cannot be reached.': 'Der Mailserver ist nicht erreichbar.',
  'The mail server refused the address.': 'Der Mailserver hat die Adresse abgelehnt.',
  'The mail server refused the shop’s own password.': 'Der Mailserver hat das Passwort des Geschäfts abgelehnt.',
  'The mail server did not take the mail.': 'Der Mailserver hat die Mail nicht angenommen.',
  'The mail server has not answered yet; the receipt may still arrive.':
    'Der Mailserver hat noch nicht geantwortet; der Bon kann noch ankommen.',
  'The destination is not one e-mail address.': 'Das ist keine E-Mail-Adresse.',
  'This receipt is not here.': nowhereInGerman,
  'The POS receipt with this token does not exist.': nowhereInGerman,
  'The receipt does not exist.': nowhereInGerman,
  'This page cannot be asked for in that way.': 'Diese Seite kann so nicht aufgerufen werden.',
  'Too many requests. Please wait some minutes and try again.':
    'Zu viele Anfragen. Bitte warten Sie einige Minuten und versuchen Sie es noch einmal.',
  'The form is too large.': 'Das Formular ist zu groß.',
  'The form could not be read.': 'Das Formular ließ sich nicht lesen.',
  'This shop makes no PDFs at the moment; the receipt itself is on its page.':
    'Dieses Geschäft erstellt zurzeit keine PDFs; der Bon selbst steht auf seiner Seite.',
  'This receipt is too large for a PDF; all of it is on its page.':
    'Dieser Bon ist zu lang für ein PDF; er steht ganz auf seiner Seite.',
  'The receipt has just changed; ask for its PDF again.':
    'Der Bon hat sich gerade geändert; bitte rufen Sie das PDF noch einmal ab.',
  'The request took too long. It may still be carried out; read again before repeating it.':
    'Das hat zu lange gedauert und wird vielleicht noch ausgeführt. Bitte sehen Sie nach, bevor Sie es wiederholen.',
  'The request waited too long, and nothing was done. Try again later.':
    'Das hat zu lange gewartet, und nichts ist geschehen. Bitte versuchen Sie es später noch einmal.',
  'The work is still going on. Read the record again in a moment.':
    'Das ist noch in Arbeit. Bitte sehen Sie gleich noch einmal nach.',
  'The workflow service is busy. Try again in a moment.': troubleInGerman,
  'The workflow service cannot be reached. Try again in a moment.': troubleInGerman,
  'A step took too long. Read the record again in a moment.': troubleInGerman,
  'The database cannot be reached. Read the record again in a moment.': troubleInGerman,
  'The database cannot be reached. Try again later.': troubleInGerman,
  'The shop is too busy for this just now. Try again in a moment.': troubleInGerman,
  'The database was lost while a change was written. It may have been carried out; read again before you repeat it.':
    'Dabei ging die Verbindung verloren; vielleicht ist es schon geschehen. Bitte sehen Sie nach, bevor Sie es ' +
    'wiederholen.',
  'Something went wrong. Please try again.': 'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
  'Receipt not found': 'Bon nicht gefunden',
  'Please wait': 'Bitte warten',
  'Please try again later': 'Bitte später noch einmal',
  'That took too long': 'Das hat zu lange gedauert',
  Sorry: 'Das ging nicht',
  Back: 'Zurück',
} as const;

/** A sentence that a receipt's page can say in each of its languages. */
export type PageSentence = keyof typeof german;

export const pageSentences = Object.keys(german) as readonly PageSentence[];

const arabic: Readonly<Record<PageSentence, string>> = {
  'The receipt is in your account now.': 'الإيصال الآن في حسابكم.',
  'The receipt was sent to %1.': 'أُرسل الإيصال إلى %1.',
  'The receipt is on its way to %1. It arrives within minutes.': 'الإيصال في طريقه إلى %1، ويصل خلال دقائق.',
  'Please enter one e-mail address, such as name@example.com.':
    'يرجى إدخال عنوان بريد إلكتروني واحد، مثل name@example.com.',
  'Please enter your e-mail address and your password.': 'يرجى إدخال البريد الإلكتروني وكلمة المرور.',
  'The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.':
    'بيانات الدخول غير صحيحة أو الحساب موقوف مؤقتاً. يرجى الانتظار والمحاولة لاحقاً.',
  "This account isn't confirmed. Verify and try again.": 'هذا الحساب لم يُؤكَّد بعد. يرجى تأكيده ثم المحاولة.',
  'Too many sign-ins at once. Please try again later.': 'محاولات دخول كثيرة في وقت واحد. يرجى المحاولة لاحقاً.',
  'This receipt has already been claimed.': 'هذا الإيصال محفوظ في حساب من قبل.',
  'This receipt is already in your account.': 'هذا الإيصال موجود في حسابكم.',
  'This purchase is still being booked. Please try again later.': 'لا يزال الشراء قيد التسجيل. يرجى المحاولة لاحقاً.',
  'More than one purchase has the number of this receipt. Please ask the shop.':
    'أكثر من عملية شراء تحمل رقم هذا الإيصال. يرجى سؤال المتجر.',
  'Failed to send receipt email: %1': 'تعذر إرسال الإيصال: %1',
  'This shop has no mail server.': 'ليس لهذا المتجر خادم بريد.',
  'The receipt could not be written into a mail.': 'تعذرت كتابة الإيصال في رسالة.',
  'The mail server does not answer.': 'خادم البريد لا يجيب.',
  'The mail server cannot be reached.': 'يتعذر الوصول إلى خادم البريد.',
  'The mail server refused the address.': 'رفض خادم البريد العنوان.',
  'The mail server refused the shop’s own password.': 'رفض خادم البريد كلمة مرور المتجر.',
  'The mail server did not take the mail.': 'لم يقبل خادم البريد الرسالة.',
  'The mail server has not answered yet; the receipt may still arrive.': 'لم يجب خادم البريد بعد، وقد يصل الإيصال لاحقاً.',
  'The destination is not one e-mail address.': 'هذا ليس عنوان بريد إلكتروني.',
  'This receipt is not here.': nowhereInArabic,
  'The POS receipt with this token does not exist.': nowhereInArabic,
  'The receipt does not exist.': nowhereInArabic,
  'This page cannot be asked for in that way.': 'لا يمكن طلب هذه الصفحة بهذه الطريقة.',
  'Too many requests. Please wait some minutes and try again.': 'طلبات كثيرة جداً. يرجى الانتظار بضع دقائق ثم المحاولة.',
  'The form is too large.': 'النموذج كبير جداً.',
  'The form could not be read.': 'تعذرت قراءة النموذج.',
  'This shop makes no PDFs at the moment; the receipt itself is on its page.':
    'لا ينشئ هذا المتجر ملفات PDF حالياً؛ الإيصال نفسه في صفحته.',
  'This receipt is too large for a PDF; all of it is on its page.': 'هذا الإيصال أطول من أن يُطبع PDF؛ كله في صفحته.',
  'The receipt has just changed; ask for its PDF again.': 'تغيّر الإيصال للتو؛ يرجى طلب ملف PDF مرة أخرى.',
  'The request took too long. It may still be carried out; read again before repeating it.':
    'استغرق الطلب وقتاً طويلاً وقد يُنفذ. يرجى التحقق قبل تكراره.',
  'The request waited too long, and nothing was done. Try again later.':
    'انتظر الطلب طويلاً ولم يُنفذ شيء. يرجى المحاولة لاحقاً.',
  'The work is still going on. Read the record again in a moment.': 'لا يزال العمل جارياً. يرجى التحقق بعد قليل.',
  'The workflow service is busy. Try again in a moment.': troubleInArabic,
  'The workflow service cannot be reached. Try again in a moment.': troubleInArabic,
  'A step took too long. Read the record again in a moment.': troubleInArabic,
  'The database cannot be reached. Read the record again in a moment.': troubleInArabic,
  'The database cannot be reached. Try again later.': troubleInArabic,
  'The shop is too busy for this just now. Try again in a moment.': troubleInArabic,
  'The database was lost while a change was written. It may have been carried out; read again before you repeat it.':
    'انقطع الاتصال أثناء التنفيذ، وربما تم الأمر. يرجى التحقق قبل التكرار.',
  'Something went wrong. Please try again.': 'حدث خطأ ما. يرجى المحاولة مرة أخرى.',
  'Receipt not found': 'الإيصال غير موجود',
  'Please wait': 'يرجى الانتظار',
  'Please try again later': 'يرجى المحاولة لاحقاً',
  'That took too long': 'استغرق ذلك وقتاً طويلاً',
  Sorry: 'عذراً',
  Back: 'رجوع',
};

/** Sentences for registers, as a shopper reads them. */
const english: Readonly<Partial<Record<PageSentence, string>>> = {
  'This receipt is not here.': nowhere,
  'The POS receipt with this token does not exist.': nowhere,
  'The receipt does not exist.': nowhere,
  'The workflow service is busy. Try again in a moment.': trouble,
  'The workflow service cannot be reached. Try again in a moment.': trouble,
  'A step took too long. Read the record again in a moment.': trouble,
  'The database cannot be reached. Read the record again in a moment.': trouble,
  'The database cannot be reached. Try again later.': trouble,
};

const byLanguage: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map(Object.entries(english)),
  de: new Map(Object.entries(german)),
  ar: new Map(Object.entries(arabic)),
};
