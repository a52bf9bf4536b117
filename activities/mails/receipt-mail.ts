import type { MikroORM } from '@mikro-orm/postgresql';
import type { ClaimedMail } from '../../db/mails/claim-mail.ts';
import { mailAddressPurpose } from '../../db/mails/post-receipt-mail.ts';
import { readReceiptView } from '../../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../../db/receipts/receipt-logo.repository.ts';
import { findReceiptPdf } from '../../db/receipts/receipt-pdf.repository.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import type { Enclosed, Mail } from '../../providers/mail/mailer.ts';
import { receiptDigest } from '../../providers/receipts/receipt-digest.ts';
import { receiptFilename } from '../../providers/receipts/receipt-filename.ts';
import { renderReceiptMail } from '../../providers/receipts/render-receipt.ts';

const logoName = 'logo@receipt';

/** A receipt's mail with its present content. The PDF is enclosed where one of the same content exists. */
export async function receiptMail(
  { orm, box, publicBaseUrl }: { orm: MikroORM; box: SecretBox; publicBaseUrl: string | undefined },
  { receiptId, sealedTo }: Pick<ClaimedMail, 'sealedTo'> & { receiptId: number },
): Promise<Omit<Mail, 'key'> | { dropped: string }> {
  if (sealedTo === null) return { dropped: 'nobody_to_tell' };
  const em = orm.em.fork();
  const view = await readReceiptView(em, { receiptId }, { box, publicBaseUrl });
  const [pdf, logo] = await Promise.all([
    findReceiptPdf(em, { receiptId, digest: receiptDigest(view) }),
    view.shop.logo === null ? undefined : findReceiptLogo(em, view.shop.logo.digest),
  ]);
  const letter = renderReceiptMail(view, { logo: logo ? `cid:${logoName}` : null, hasPdf: pdf !== undefined });
  return { to: box.open(sealedTo, mailAddressPurpose), ...letter, enclosed: [...file(view, pdf), ...picture(logo)] };
}

const file = (view: Parameters<typeof receiptFilename>[0], content: Buffer | undefined): Enclosed[] =>
  content ? [{ filename: receiptFilename(view), contentType: 'application/pdf', content }] : [];

const picture = (content: Buffer | undefined): Enclosed[] =>
  content ? [{ filename: 'logo.png', contentType: 'image/png', content, cid: logoName }] : [];
