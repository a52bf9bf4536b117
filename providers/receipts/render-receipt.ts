import { createHash } from 'node:crypto';
import { besideIn, type Beside } from '../../domain/beside.ts';
import type { Letter } from '../../domain/mails/letters.ts';
import { logoPath } from '../../domain/receipts/receipt-view-of.ts';
import type { ReceiptView } from '../../domain/receipts/receipt-view.ts';
import type { Log } from '../log.ts';
import { directionOf } from './formats.ts';
import { mailThatFits } from './short-mail.ts';
import { noticeText } from './notice-words.ts';
import { printReceipt, type PrintedReceipt } from './printed-receipt.ts';
import { nameMissingIn, ownTemplate, styleSource, templateOf } from './templates.ts';

/** A receipt as plain text for mail programs without HTML: one fact per line. */
function mailText(
  printed: PrintedReceipt,
  context: { enclosure: string; pageUrl: string | null; beside: Beside; isShort: boolean },
): string {
  const { shop, words, layaway, fiscal } = printed;
  const { beside } = context;
  const row = (label: string, value: string) => beside([label, value], ': ');
  const rows = (list: readonly { label: string; value: string }[]) => list.map(({ label, value }) => row(label, value));
  const items = [
    printed.items.flatMap((item) => [
      item.total === null ? item.name : row(item.name, item.total),
      item.quantity && `  ${item.quantity}`,
      ...item.options.map(({ label, value }) => `  ${row(label, value)}`),
      item.discount && `  ${row(words.discount, item.discount)}`,
    ]),
    [printed.moreItems && row(words.moreItems, printed.moreItems)],
  ];
  const parts = [
    [
      shop.name,
      shop.locationName,
      ...shop.address,
      shop.phone,
      shop.vat && beside([words.vat, shop.vat]),
      ...shop.header,
    ],
    [printed.title, printed.amount, printed.moment],
    ...(context.isShort ? [] : items),
    [...rows(printed.totals), ...rows(printed.total ? [printed.total] : []), printed.reverseCharge],
    layaway ? [layaway.title, ...rows(layaway.rows), layaway.paid] : [],
    [
      ...rows(printed.credits),
      ...printed.payments.flatMap((part) => [row(part.label, part.value), ...part.details.map((line) => `  ${line}`)]),
      ...rows(
        [printed.change, printed.refundMethod, printed.reason, printed.pointsEarned].filter((row) => row !== null),
      ),
    ],
    ...(context.isShort ? items : []),
    ...printed.shipments.map((shipment) => [
      shipment.title,
      ...shipment.lines,
      shipment.method,
      shipment.expected && row(words.expected, shipment.expected),
      ...shipment.items.map(({ name, quantity }) => (quantity === null ? name : beside([quantity, name], ' × '))),
    ]),
    fiscal ? [words.fiscal, ...rows(fiscal.lines)] : [],
    rows(printed.facts),
    shop.footer,
    [context.pageUrl && row(words.view, context.pageUrl), context.enclosure],
  ];
  return `${parts
    .map((lines) => lines.filter((line) => line !== null && line !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

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
 * A receipt as a mail: inline styles, and tables that work in all mail programs. A long one has its totals first and as
 * many items as mail programs show; the page and the PDF have all.
 *
 * @param logo the enclosed picture, as `cid:…`
 */
export function renderReceiptMail(
  view: ReceiptView,
  { logo = null, hasPdf = true }: { logo?: string | null; hasPdf?: boolean } = {},
): HtmlLetter {
  const { html, printed, isShort } = mailThatFits({
    view,
    print: (part) => printReceipt(part, { logo }),
    write: (part, isShort) =>
      mail({
        ...part,
        isShort,
        enclosure: enclosureOf(part, hasPdf),
        end: part.dir === 'rtl' ? 'left' : 'right',
        pageUrl: view.pageUrl,
      }),
  });
  const enclosure = enclosureOf(printed, hasPdf);
  const number = view.facts.orderNumber ?? view.facts.receiptNumber;
  const beside = besideIn(printed.dir);
  const named = number === null ? printed.title : beside([printed.title, number]);
  return {
    subject: beside([named, view.shop.name], ' · ').replaceAll(/\s+/g, ' '),
    text: mailText(printed, { enclosure, pageUrl: view.pageUrl, beside, isShort }),
    html,
  };
}

const enclosureOf = ({ words }: PrintedReceipt, hasPdf: boolean) => (hasPdf ? words.attached : words.notAttached);

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

/** The actions of a visitor on the public page, and the result of the last one. None of them needs a script. */
interface ReceiptActions {
  /** Where the form with the address `email` is posted; absent: no such form. */
  emailUrl?: string;
  /** The address of the PDF; absent: no PDF. */
  downloadUrl?: string;
  /** Where the form with `email` and `password` is posted; absent: no such form, or claimed already. */
  claimUrl?: string;
  /** Shown above the receipt, once. */
  notice?: ReceiptNotice;
  /** Hidden fields of every form, such as a token against forged requests. */
  hidden?: readonly { name: string; value: string }[];
}

interface ReceiptNotice {
  text: string;
  isProblem: boolean;
}

/** Increase it whenever the printer would print the same document differently. */
const printerVersion = 2;

/** A digest of everything that a receipt shows: a PDF with another digest is out of date. */
export const receiptDigest = (view: ReceiptView): string =>
  createHash('sha256')
    .update(`${printerVersion} ${renderReceiptDocument(view, { logo: view.shop.logo?.digest ?? null })}`)
    .digest('hex');

/** The file name of a receipt's PDF: its number, in letters that every system can store. */
export function receiptFilename({ facts, receiptId }: Pick<ReceiptView, 'facts' | 'receiptId'>): string {
  const number = facts.receiptNumber ?? facts.orderNumber ?? String(receiptId);
  const plain = number
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `receipt-${plain || receiptId}.pdf`;
}
