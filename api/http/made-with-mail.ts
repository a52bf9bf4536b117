import type { EntityManager } from '@mikro-orm/postgresql';
import { joined, transact } from '../../db/support/transact.ts';
import type { MailedDocument } from '../../domain/mails/mail-life.ts';
import type { MailDocument } from './mail-document-route.ts';
import type { RouteContext } from './route.ts';

interface Wanted {
  document: MailedDocument;
  /** The request's own word. */
  notify: boolean;
  mailDocument: MailDocument;
}

/**
 * Makes a document of an order and, where the request says `notify`, puts its mail into the outbox in the same
 * transaction (platform facts 5.5, 6, 7.1). A repeat with the same `Idempotency-Key` posts no second mail.
 *
 * @returns the document's id
 */
export async function madeWithMail(
  { document, notify, mailDocument }: Wanted,
  { em, operation, providers, workflows, log }: RouteContext,
  make: (em: EntityManager) => Promise<number>,
): Promise<number> {
  if (!notify) return make(em);
  const { documentId, mailId } = await transact(em, async (tx) => {
    const whole = joined(tx);
    const id = await make(whole);
    return { documentId: id, mailId: await mailDocument.post(whole, { document, documentId: id, key: operation.key }) };
  });
  if (mailId !== undefined && providers.mail.isEnabled) mailDocument.send(mailId, { workflows, log });
  return documentId;
}
