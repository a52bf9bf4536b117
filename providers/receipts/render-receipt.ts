import type { Letter } from '../../domain/mails/letter.ts';
import { logoPath } from '../../domain/receipts/receipt-path.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { Log } from '../log.ts';
import { besideIn } from '../../domain/beside.ts';
import { directionOf } from './formats.ts';
import { mailText } from './mail-text.ts';
import { noticeText } from './notice-words.ts';
import { printReceipt } from './printed-receipt.ts';
import type { ReceiptActions, ReceiptNotice } from './receipt-actions.ts';
import { nameMissingIn, ownTemplate, styleSource, templateOf } from './templates.ts';

const page = templateOf('page');
const noticePage = templateOf('notice');
const mail = templateOf('mail');

/** Logs when our template was used although the shop has its own. */
type FallbackLog = Pick<Log, 'warn'>;

/** The content security policy of the public page: one style sheet, its own pictures, its own forms. */
export const receiptPagePolicy =
  `default-src 'none'; style-src ${styleSource}; img-src 'self' data:; form-action 'self'; ` +
  `base-uri 'none'; frame-ancestors 'none'`;

/** A receipt as a page for phones, 80 mm paper and print. No scripts; it loads only the shop's own logo. */
export const renderReceiptPage = (
  view: ReceiptView,
  { actions, log }: { actions?: ReceiptActions; log?: FallbackLog } = {},
): string => written(view, { logo: view.shop.logo && logoPath(view.shop.logo.digest), actions: whole(actions), log });

/**
 * A receipt as a document for the PDF, which loads nothing.
 *
 * @param logo the picture itself, as a `data:` address of one of our types
 */
export const renderReceiptDocument = (
  view: ReceiptView,
  { logo, log }: { logo: string | null; log?: FallbackLog },
): string => written(view, { logo, actions: null, log });

/** Uses the shop's own template where it has one; when that uses a missing name, ours is used instead. */
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

  /** Never logs the fault's message: it may repeat what the receipt shows. */
  function fellBack(reason: string): void {
    log?.warn({ 'receipt.id': view.receiptId, reason }, 'a receipt was not written by the shop’s own template');
  }
}

/** A page with one message: the receipt does not exist, or the visitor must wait. */
export const renderReceiptNotice = ({ title, text, backUrl, language = 'en' }: NoticePage): string =>
  noticePage({
    lang: language,
    dir: directionOf(language),
    title,
    text,
    backUrl: backUrl ?? null,
    back: noticeText(language, { message: 'Back' }),
  });

type NoticePage = ReceiptNotice & { title: string; backUrl?: string; language?: string };

/** A mail as text and as HTML. */
export interface HtmlLetter extends Letter {
  html: string;
}

/**
 * A receipt as a mail: inline styles, and tables that work in all mail programs.
 *
 * @param logo the enclosed picture, as `cid:…`
 */
export function renderReceiptMail(
  view: ReceiptView,
  { logo = null, hasPdf = true }: { logo?: string | null; hasPdf?: boolean } = {},
): HtmlLetter {
  const printed = printReceipt(view, { logo });
  const enclosure = hasPdf ? printed.words.attached : printed.words.notAttached;
  const end = printed.dir === 'rtl' ? 'left' : 'right';
  const number = view.facts.orderNumber ?? view.facts.receiptNumber;
  const beside = besideIn(printed.dir);
  const named = number === null ? printed.title : beside([printed.title, number]);
  return {
    subject: beside([named, view.shop.name], ' · ').replaceAll(/\s+/g, ' '),
    text: mailText(printed, { enclosure, pageUrl: view.pageUrl, beside }),
    html: mail({ ...printed, enclosure, end, pageUrl: view.pageUrl }),
  };
}

/** Templates are strict, so absent actions are given as explicit values. */
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
