import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { MailedDocument } from '../../domain/mails/mail-life.ts';
import { idIsZero } from '../wire/outcomes.ts';
import { idParam } from '../wire/schemas.ts';
import { route, type Route, type RouteContext } from './route.ts';

/** How a document is sent to its customer. Registered in the wiring. */
export interface MailDocument {
  /** Undefined when the customer has no address. The same key is the same mail. */
  post: (
    em: EntityManager,
    wanted: { document: MailedDocument; documentId: number; key: string; isAskedFor?: boolean },
  ) => Promise<number | undefined>;
  /** After the commit. */
  send: (mailId: number, around: Pick<RouteContext, 'workflows' | 'log'>) => void;
}

interface MailOf extends Pick<Route, 'name' | 'path' | 'acl' | 'summary'> {
  document: MailedDocument;
  mailDocument: MailDocument;
}

/**
 * Makes the route that sends a document to the customer of its order (platform facts 5.4, 6, 7.1). A repeat sends it
 * again when the first mail is out, and nothing before that.
 *
 * Refused with: 404 unknown document · 400 the order 0 · 400 an address that is not one.
 */
export const mailDocumentRoute = ({ document, mailDocument, ...of }: MailOf) =>
  route({
    ...of,
    method: 'POST',
    description:
      'The mail is put into the outbox and goes out within moments; `true` does not wait for the mail server. `false`: the ' +
      'order has no address, or that of the walk-in customer, or the shop has no mail server. While a mail of the same ' +
      'document waits to go out, a repeat is that mail; after that it is another. `email_sent` of the document is 1 once ' +
      'the mail server took it.',
    outcomes: [
      {
        status: 404,
        message: "The entity that was requested doesn't exist. Verify the entity and try again.",
        when: 'No document of this kind has this id.',
      },
      {
        status: 400,
        message: 'The e-mail address of the order is not one address, so no mail was sent.',
        when: 'The order was placed with two addresses, a line break, or something else as its e-mail.',
        then: 'Save the order with one address, then send this again.',
      },
      ...(document === 'order' ? [idIsZero] : []),
    ],
    examples: [{ title: 'Sent to the customer', params: { id: 7 }, response: true }],
    params: z.object({ id: idParam }),
    response: z.boolean(),

    async handle({ em, operation, params, providers, workflows, log }) {
      const wanted = { document, documentId: params.id, key: operation.key, isAskedFor: true };
      const mailId = await mailDocument.post(em, wanted);
      if (mailId === undefined || !providers.mail.isEnabled) return false;
      mailDocument.send(mailId, { workflows, log });
      return true;
    },
  });
