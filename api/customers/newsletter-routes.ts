import type { AnyRoute } from '../http/route.ts';
import { getNewsletterStatus } from './get-newsletter-status.ts';
import { subscribeNewsletter } from './subscribe-newsletter.ts';
import { unsubscribeNewsletter } from './unsubscribe-newsletter.ts';

/** The newsletter at the register (spec 4.5), its part of the one list of every route. */
export const newsletterRoutes: readonly AnyRoute[] = [getNewsletterStatus, subscribeNewsletter, unsubscribeNewsletter];
