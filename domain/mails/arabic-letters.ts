import type { LetterWords } from './letter-words.ts';

/** The words of letters in Arabic. */
export const arabicLetters: LetterWords = {
  greeting: 'مرحباً،',
  newPassword: ({ shop, hours }) => ({
    subject: `كلمة مرور جديدة لدى ${shop}`,
    before: 'طلب أحدهم كلمة مرور جديدة لحسابكم. يمكنكم تعيينها هنا:',
    after: [
      `يعمل الرابط مرة واحدة، وصلاحيته بالساعات: ${hours}. إن لم تطلبوا ذلك فلا داعي لفعل شيء: تبقى كلمة مروركم كما هي.`,
    ],
  }),
  confirmAccount: ({ shop }) => ({
    subject: `يرجى تأكيد حسابكم لدى ${shop}`,
    before: 'فتح أحدهم حساباً بهذا البريد الإلكتروني. إن كنتم أنتم، فأكدوا ذلك هنا، ثم يمكنكم تسجيل الدخول:',
    after: ['إن لم تكونوا أنتم فلا داعي لفعل شيء: لن يستطيع أحد تسجيل الدخول.'],
  }),
  confirmNewsletter: ({ shop, days }) => ({
    subject: `يرجى تأكيد اشتراككم في نشرة ${shop}`,
    before: `طلب أحدهم إرسال نشرة ${shop} إلى هذا العنوان. إن كنتم تريدونها فأكدوا ذلك هنا:`,
    after: [`صلاحية الرابط بالأيام: ${days}. إن لم تريدوها فلا داعي لفعل شيء: لن تصلكم.`],
  }),
  oneTimeCode: ({ shop, seconds }) => ({
    subject: `رمز تسجيل الدخول لدى ${shop}`,
    before: 'يريد أحدهم تسجيل الدخول ببريدكم الإلكتروني عند أحد أجهزتنا. الرمز هو',
    after: [
      `يعمل مرة واحدة، على ذلك الجهاز، خلال ${durationText(seconds)} من طلبه.`,
      '',
      'إن لم تكونوا أنتم فلا داعي لفعل شيء: لا يستطيع أحد تسجيل الدخول دون الرمز.',
      'لن يطلبه منكم أي من موظفينا أبداً.',
    ],
  }),
  documents: {
    order: { subject: (order) => `طلبكم ${order}`, opening: (order) => `هذا طلبكم ${order}` },
    invoice: {
      subject: (order, invoice) => `الفاتورة ${invoice} لطلبكم ${order}`,
      opening: (order, invoice) => `هذه الفاتورة ${invoice} لطلبكم ${order}`,
    },
    shipment: {
      subject: (order) => `طلبكم ${order} في الطريق`,
      opening: (order, shipment) => `سُلّمت الشحنة ${shipment} من طلبكم ${order}`,
    },
    creditmemo: {
      subject: (order, memo) => `إشعار دائن ${memo} لطلبكم ${order}`,
      opening: (order, memo) => `هذا الإشعار الدائن ${memo} لطلبكم ${order}`,
    },
  },
  more: (lines) => `وأسطر أخرى عددها ${lines}`,
  total: 'الإجمالي',
  tracking: 'رقم التتبع',
  refund: {
    subject: (order) => `استرداد المبلغ لطلبكم ${order}`,
    opening: (sum, order) => `رددنا لكم ${sum} عن طلبكم ${order}`,
    memo: (number) => `رقم الإشعار الدائن ${number}.`,
    went: {
      original_payment: 'إلى البطاقة التي دفعتم بها؛ قد يستغرق ظهوره لدى مصرفكم بضعة أيام',
      terminal: 'إلى بطاقتكم، على الجهاز في المتجر',
      store_credit: 'كرصيد في المتجر',
      cash: 'نقداً',
      exchange: 'مقابل الاستبدال',
      manual_card: 'إلى بطاقتكم',
    },
    backTo: {
      store_credit: 'أُعيد إلى رصيدكم في المتجر',
      gift_card: 'أُعيد إلى بطاقة الهدية',
      reward_points: 'أُعيد إلى نقاط مكافآتكم',
    },
    points: (count) => `${count} نقطة`,
  },
};

const durationText = (seconds: number): string =>
  seconds < 120 ? `${seconds} ثانية` : `${Math.floor(seconds / 60)} دقيقة`;
