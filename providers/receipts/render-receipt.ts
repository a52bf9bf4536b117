import type { Letter } from '../../domain/mails/letter.ts';
import { logoPath } from '../../domain/receipts/receipt-path.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { Log } from '../log.ts';
import { mailText } from './mail-text.ts';
import { printReceipt } from './printed-receipt.ts';
import type { ReceiptActions, ReceiptNotice } from './receipt-actions.ts';
import { nameMissingIn, ownTemplate, styleSource, templateOf } from './templates.ts';

const page = templateOf('page');
const noticePage = templateOf('notice');
const mail = templateOf('mail');

/** Hears that a receipt was written by our template where the shop has its own. */
type FallbackLog = Pick<Log, 'warn'>;

/** What the public page's policy must let through: one style sheet, its own pictures, its own forms. */
export const receiptPagePolicy =
  `default-src 'none'; style-src ${styleSource}; img-src 'self' data:; form-action 'self'; ` +
  `base-uri 'none'; frame-ancestors 'none'`;

/** A receipt as a page: on a phone, on paper of 80 mm, in print. No script, nothing fetched but the shop's own logo. */
export const renderReceiptPage = (
  view: ReceiptView,
  { actions, log }: { actions?: ReceiptActions; log?: FallbackLog } = {},
): string => written(view, { logo: view.shop.logo && logoPath(view.shop.logo.digest), actions: whole(actions), log });

/**
 * A receipt as a document that fetches nothing, for the PDF.
 *
 * @param logo the picture itself, as a `data:` address of a type of ours
 */
export const renderReceiptDocument = (
  view: ReceiptView,
  { logo, log }: { logo: string | null; log?: FallbackLog },
): string => written(view, { logo, actions: null, log });

/** By the shop's own template where it has one; a name in it that no receipt has is no reason to lose the receipt. */
function written(
  view: ReceiptView,
  { logo, actions, log }: { logo: string | null; actions: object | null; log: FallbackLog | undefined },
): string {
  const data = { ...printReceipt(view, { logo }), actions };
  const own = ownTemplate(view.shop.template);
  try {
    if (own) return page(data, own);
    if (view.shop.template !== null) fellBack('not of the dialect');
  } catch (error) {
    fellBack(nameMissingIn(error) ?? 'unknown');
  }
  return page(data);

  /** Never what the fault says: it may repeat what the receipt shows. */
  function fellBack(reason: string): void {
    log?.warn({ 'receipt.id': view.receiptId, reason }, 'a receipt was not written by the shop’s own template');
  }
}

/** A page that says one thing: that a receipt is not there, or that somebody has to wait. */
export const renderReceiptNotice = (notice: ReceiptNotice & { title: string; backUrl?: string }): string =>
  noticePage({ title: notice.title, text: notice.text, backUrl: notice.backUrl ?? null, back: 'Back' });

/** A mail in both of its forms. */
export interface HtmlLetter extends Letter {
  html: string;
}

/**
 * A receipt as a mail: styles where mail programs read them, tables that hold in all of them.
 *
 * @param logo the mail's own part with the picture, as `cid:…`
 */
export function renderReceiptMail(
  view: ReceiptView,
  { logo = null, hasPdf = true }: { logo?: string | null; hasPdf?: boolean } = {},
): HtmlLetter {
  const printed = printReceipt(view, { logo });
  const enclosure = hasPdf ? printed.words.attached : printed.words.notAttached;
  const end = printed.dir === 'rtl' ? 'left' : 'right';
  const number = view.facts.orderNumber ?? view.facts.receiptNumber;
  return {
    subject: `${printed.title}${number === null ? '' : ` ${number}`} · ${view.shop.name}`.replaceAll(/\s+/g, ' '),
    text: mailText(printed, { enclosure, pageUrl: view.pageUrl }),
    html: mail({ ...printed, enclosure, end, pageUrl: view.pageUrl }),
  };
}

/** Templates are strict: what is not offered is said. */
const whole = (actions: ReceiptActions | undefined) =>
  actions === undefined
    ? null
    : {
        emailUrl: actions.emailUrl ?? null,
        downloadUrl: actions.downloadUrl ?? null,
        claimUrl: actions.claimUrl ?? null,
        notice: actions.notice ?? null,
        hidden: actions.hidden ?? [],
      };
