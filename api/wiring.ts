import { giveBackWithMemo } from '../db/credits/give-credits-back.ts';
import { lowerCreditDue } from '../db/orders/lower-credit-due.ts';
import { giveBackOnCancel } from '../db/credits/give-back-on-cancel.ts';
import { createCreditSpender } from '../db/credits/spend-credits.ts';
import type { Spending } from '../db/credits/conclude-spending.ts';
import type { RefundHooks } from '../db/platform/credit-memos/refund-invoice.ts';
import type { CancelHook } from '../db/platform/orders/cancel-order.ts';
import type { CartTenderSource } from '../db/platform/carts/promote-cart.ts';
import type { OrderHook } from '../db/platform/orders/saved-order.ts';
import { dateLayaway, mirrorLayaway } from '../db/layaways/read-layaway.ts';
import { postAccountConfirmationMail, postPasswordResetMail } from '../db/mails/post-receipt-mail.ts';
import { postConfirmationMail } from '../db/mails/post-document-mail.ts';
import { keepClaimedCustomer, createReceiptLinker } from '../db/receipts/link-receipt.ts';
import { readReturned } from '../db/returns/read-returned.ts';
import { checkPosTenders } from '../db/tenders/check-pos-tenders.ts';
import { walletTender } from '../db/store-credit/cart-wallet.ts';
import type { Log } from '../providers/log.ts';
import { sendMailSoon, sendUrgentMailSoon } from './temporal/send-mail-soon.ts';
import { walletActor } from './http/route-kinds.ts';
import type { Caller } from './http/route.ts';
import { createPlaceSale } from './credits/place-sale.ts';
import { followSavedInvoice, followSavedOrder } from './layaways/capture-layaway-payment.ts';
import { mailDocument } from './mails.ts';
import { reportUntrackedPayment } from './orders.ts';
import { askDocumentRefund } from './refunds/preview-refund.ts';
import type { AccountMails } from './platform/customers/password-reset.ts';
import type { SubscriberHooks } from './platform/customers/own-account.ts';
import type { PlatformHooks } from './platform-routes.ts';
import type { AfterInvoiceSave } from './platform/invoices.ts';
import type { AfterOrderSave } from './platform/orders/orders.ts';

/** The point of sale's hooks for a saved order. The platform knows only that there is a list. */
export const orderSaveHooks = (log: Log, caller: Caller, spentOutside?: readonly Spending[]): readonly OrderHook[] => [
  createCreditSpender(walletActor(caller), spentOutside),
  checkPosTenders,
  mirrorLayaway,
  dateLayaway,
  keepClaimedCustomer,
  createReceiptLinker(log),
];

/** How an order is placed: outside credit is spent first, and a card payment that cannot be refunded is noted. */
export const placeOrder = reportUntrackedPayment(createPlaceSale(orderSaveHooks));

/** Its hooks for a credit memo or a cancelled order of the platform's own routes. */
export const memoHooks = (caller: Caller): RefundHooks => ({
  hooks: [giveBackWithMemo(walletActor(caller)), lowerCreditDue],
  readReturned,
});
export const cancelHooks = (caller: Caller): readonly CancelHook[] => [giveBackOnCancel(walletActor(caller))];

/** The tenders of a customer's cart beside money, in this order. */
export const cartTenders: readonly CartTenderSource[] = [walletTender];

/** How a subscriber is asked to confirm the newsletter after a save of the account. */
export const subscriberHooks: SubscriberHooks = { ask: postConfirmationMail, send: sendMailSoon };

/** How an account is mailed: the link to a new password comes before all that can wait. */
export const accountMails: AccountMails = {
  postReset: postPasswordResetMail,
  postConfirmation: postAccountConfirmationMail,
  sendReset: sendUrgentMailSoon,
  sendConfirmation: sendMailSoon,
};

/** What follows a saved order or invoice: the layaway's workflow. */
export const afterOrderSave: AfterOrderSave = followSavedOrder;
export const afterInvoiceSave: AfterInvoiceSave = followSavedInvoice;

/** All that happens with the platform's own records: money goes back through its gateway, documents are mailed. */
export const platformHooks: PlatformHooks = {
  orderSaveHooks,
  placeOrder,
  memoHooks,
  refundOnline: askDocumentRefund,
  mailDocument,
  ownModules: ['Vendor_Pos'],
  cancelHooks,
  cartTenders,
  subscriberHooks,
  accountMails,
  afterOrderSave,
  afterInvoiceSave,
};
