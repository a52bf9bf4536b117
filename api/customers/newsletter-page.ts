import type { Middleware } from 'koa';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  confirmSubscription,
  findRequestedSubscriber,
  isProofOf,
  type RequestedSubscriber,
} from '../../db/platform/newsletter/confirm-subscription.ts';
import { notActive } from '../../domain/platform/newsletter.ts';
import type { ApiParts } from '../http/api-parts.ts';
import type { Page } from '../http/docs-page.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { writePage } from '../http/pages.ts';

/** The prefix of the links in confirmation mails. */
export const newsletterPrefix = '/newsletter/confirm/';

const linkPattern = /^\/newsletter\/confirm\/(\d{1,16})\/([0-9a-f]{64})$/;

/**
 * The page behind the link of a confirmation mail. It shows a button, and only pressing the button confirms: mail
 * systems open links to look for malware, and must not confirm for the customer.
 *
 * Needs no token: the link is the proof. A repeat gets the same answer.
 */
export function newsletterPage({ orm, settings }: Pick<ApiParts, 'orm' | 'settings'>): Middleware {
  const box = secretBoxOf(settings);
  const findProven = async (em: EntityManager, id: string, proof: string): Promise<RequestedSubscriber | undefined> => {
    const request = await findRequestedSubscriber(em, Number(id));
    return request && isProofOf(box, request, proof) ? request : undefined;
  };

  return async (ctx, next) => {
    const [, id, proof] = linkPattern.exec(ctx.state.path) ?? [];
    const isKnownVerb = ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'POST';
    if (id === undefined || proof === undefined || !isKnownVerb) return next();
    const em = orm.em.fork();
    const query = await findProven(em, id, proof);
    if (query && ctx.method === 'POST') await confirmSubscription(em, query);
    writePage(
      ctx,
      query ? pageOf(query, ctx.method) : { title: 'This link does not work any more.' },
      query ? 200 : 404,
    );
  };
}

function pageOf({ storeName, status }: RequestedSubscriber, method: string): Page {
  return status === notActive && method !== 'POST'
    ? { title: `Do you want the newsletter of ${storeName}?`, button: 'Yes, send it to me' }
    : { title: `You get the newsletter of ${storeName}.` };
}
