import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context, Middleware } from 'koa';
import {
  activateAccount,
  findAwaiting,
  isConfirmationKey,
  type AwaitingAccount,
} from '../../../db/platform/customers/confirm-account.ts';
import { checkResetToken } from '../../../db/platform/customers/passwords.ts';
import { PosError } from '../../../domain/errors.ts';
import { fillIn } from '../../../domain/fill-in.ts';
import type { Page } from '../../http/docs-page.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { readForm } from '../../http/read-form.ts';
import { secretBoxOf } from '../../http/secret-box.ts';
import { writePage } from '../../http/pages.ts';
import { isStorableText } from '../../../domain/storable-text.ts';
import { longest, resetBy } from './password-reset.ts';

type Parts = Pick<ApiParts, 'orm' | 'settings' | 'providers' | 'clock'>;

/** The prefix of the links in the mails of an account. */
export const accountPrefix = '/account/';

const linkPattern = /^\/account\/(password|confirm)\/(\d{1,16})\/([\w-]{43}|[0-9a-f]{64})$/;

const over: Page = { title: 'This link does not work any more.', note: 'It works once, and for some time only.' };

/**
 * The pages behind the links of an account's mails: a form for a new password, and a button that confirms the e-mail.
 * Only sending the form does anything: mail systems open links to look for malware.
 *
 * Needs no token: the link is the proof, and works once.
 */
export function accountPages(parts: Parts): Middleware {
  return async (ctx, next) => {
    const [, what, id, proof] = linkPattern.exec(ctx.state.path) ?? [];
    const isKnownVerb = ctx.method === 'GET' || ctx.method === 'HEAD' || ctx.method === 'POST';
    if (id === undefined || proof === undefined || !isKnownVerb) return next();
    const form = ctx.method === 'POST' ? ctx : undefined;
    const visit = { parts, em: parts.orm.em.fork(), customerId: Number(id), proof, form };
    const page = await (what === 'password' ? setPassword : confirm)(visit);
    writePage(ctx, page ?? over, page ? 200 : 404);
  };
}

interface Visit {
  parts: Parts;
  em: EntityManager;
  customerId: number;
  proof: string;
  /** Of a form that is sent. */
  form: Context | undefined;
}

const passwordForm: Page = {
  title: 'Choose a new password.',
  field: { name: 'password', label: 'New password' },
  button: 'Set it',
};

const unusable = `A password has at most ${longest} characters, and no control characters.`;

async function setPassword({ parts, em, customerId, proof, form }: Visit): Promise<Page | undefined> {
  if (await refusalOf(checkResetToken(em, { customerId, token: proof }))) return undefined;
  if (form === undefined) return passwordForm;
  const newPassword = (await readForm(form))('password');
  // The sign-in takes no such password: the customer would be locked out.
  if (newPassword.length > longest || !isStorableText(newPassword)) return { ...passwordForm, note: unusable };
  const context = { em, providers: parts.providers, now: parts.clock() };
  const refusal = await refusalOf(resetBy(context, { token: proof, newPassword, email: '' }));
  if (refusal) return { ...passwordForm, note: fillIn(refusal.message, refusal.parameters) };
  return { title: 'Your password is changed.', note: 'You can sign in with it now.' };
}

async function confirm({ parts, em, customerId, proof, form }: Visit): Promise<Page | undefined> {
  const box = secretBoxOf(parts.settings);
  const accepts = (account: AwaitingAccount) => isConfirmationKey(box, account, proof);
  const account = await findAwaiting(em, customerId);
  if (!account || !accepts(account)) return undefined;
  if (form === undefined) return { title: 'Is this your account?', button: 'Yes, I opened it' };
  if (await refusalOf(activateAccount(em, { customerId, accepts }))) return undefined;
  return { title: 'Your account is confirmed.', note: 'You can sign in now.' };
}

/** Why a request was refused with 400; undefined where it was not. Every other error is thrown on. */
async function refusalOf(work: Promise<unknown>): Promise<PosError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof PosError && error.status === 400) return error;
    throw error;
  }
}
