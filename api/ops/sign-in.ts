import type { EntityManager } from '@mikro-orm/postgresql';
import { Secret, TOTP } from 'otpauth';
import { create as createQr } from 'qrcode';
import {
  giveSecondFactor,
  openOpsSession,
  rightsOfStaff,
  secondFactorOf,
  takeCode,
  type UserKey,
} from '../../db/ops/people.ts';
import { findAdminCredentials } from '../../db/platform/access/throttle-token-request.ts';
import { secondFactorPurpose } from '../../db/sealed-columns.ts';
import { clearLoginFailures, releaseLoginAttempt, reserveLoginAttempt } from '../../db/staff/login-attempts.ts';
import { findPasscodeHash } from '../../db/staff/staff.repository.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { PosError } from '../../domain/errors.ts';
import { emailKey } from '../../domain/staff.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { inTurn } from '../http/in-turn.ts';
import { recognise, signInRefused } from '../http/sign-in.ts';
import type { Words } from './english-words.ts';
import { figure, paragraph, type Html } from './html.ts';
import { hasPermission, opensThePage } from './visit.ts';

/** Half minutes of the clock, as the apps of all phones count them. */
const periodSeconds = 30;

/** A phone's clock may be one step off. */
const window = 1;

export interface Credentials {
  name: string;
  password: string;
  code: string;
}

/** What a sign-in came to. */
export type SignedIn = { token: string; isEnrolling: boolean } | 'no_factor' | 'wrong';

interface Context {
  parts: ApiParts;
  em: EntityManager;
  clientAddress: string;
  now: Date;
}

/**
 * Signs a person in by password and second factor: an administrator by user name, a member of the staff by e-mail.
 * Guesses are limited as at the API's own sign-ins, and guesses at a code by themselves. An administrator without a
 * second factor makes one now; a member of the staff gets it from an administrator, so a passcode alone never opens
 * this page.
 */
export async function signInHere(context: Context, input: Credentials): Promise<SignedIn> {
  const who = await knownByPassword(context, input).catch((error: unknown) => {
    if (error instanceof PosError && error.status < 500) return undefined;
    throw error;
  });
  if (!who) return 'wrong';
  const { em, parts } = context;
  const factor = await secondFactorOf(em, who);
  if (factor?.confirmedAt == null) {
    if (who.userKind === 'staff') return 'no_factor';
    return { token: await openOpsSession(em, { ...who, isEnrolling: true }), isEnrolling: true };
  }
  if (!(await isCodeTaken(em, who, { code: input.code, box: parts.providers.secrets, now: context.now })))
    return 'wrong';
  return { token: await openOpsSession(em, { ...who, isEnrolling: false }), isEnrolling: false };
}

async function knownByPassword(context: Context, { name, password }: Credentials): Promise<UserKey> {
  const { em, parts, clientAddress: address, now } = context;
  const key = emailKey(name);
  const isMember = key.includes('@') && !(await findAdminCredentials(em, name));
  if (isMember) return inTurn(`staff ${key}`, () => knownByPasscode(context, key, password));
  const { userId } = await recognise({
    ...{ em, now, address, username: name, password, userType: 'admin' },
    passwords: parts.providers.passwords,
    find: () => findAdminCredentials(em, name),
  });
  return { userKind: 'admin', userId };
}

/** The ladder of the registers' own sign-in, on the same count. */
async function knownByPasscode({ em, parts }: Context, key: string, passcode: string): Promise<UserKey> {
  if ((await reserveLoginAttempt(em, key)) > 0) throw signInRefused();
  const member = await findPasscodeHash(em, key);
  const fits = await parts.providers.passwords.verify(passcode, member?.passcodeHash ?? null).catch(async (error) => {
    await releaseLoginAttempt(em, key);
    throw error;
  });
  const rights = fits && member?.isActive ? await rightsOfStaff(em, member.staffId) : undefined;
  if (!member || !rights || !hasPermission(rights.permissions, opensThePage)) throw signInRefused();
  await clearLoginFailures(em, key);
  return { userKind: 'staff', userId: member.staffId };
}

/** Takes a code once; the first one confirms the factor. */
export const isCodeTaken = (
  em: EntityManager,
  who: UserKey,
  { code, box, now }: { code: string; box: SecretBox; now: Date },
): Promise<boolean> =>
  takeCode(em, who, (sealed) => {
    const token = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return undefined;
    const delta = totpOf(box.open(sealed, secondFactorPurpose)).validate({ token, timestamp: now.getTime(), window });
    return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / periodSeconds) + delta;
  });

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Point of sale', label, period: periodSeconds, digits: 6, secret: Secret.fromBase32(secret) });

/** A new second factor of a person. @returns the key that goes into the phone, shown once */
export async function makeSecondFactor(
  em: EntityManager,
  box: SecretBox,
  factor: UserKey & { name: string; by: string; confirmedAt: Date | null },
): Promise<string> {
  const secret = new Secret({ size: 20 }).base32;
  await giveSecondFactor(em, { ...factor, sealedSecret: box.seal(secret, secondFactorPurpose) });
  return secret;
}

/** The key of a factor that was made and not confirmed yet; made where there is none. */
export async function keyToShow(
  em: EntityManager,
  box: SecretBox,
  who: UserKey & { name: string },
): Promise<string | undefined> {
  const factor = await secondFactorOf(em, who);
  if (factor?.confirmedAt != null) return undefined;
  if (factor) return box.open(factor.sealedSecret, secondFactorPurpose);
  return makeSecondFactor(em, box, { ...who, by: who.name, confirmedAt: null });
}

/** The key as a picture for a phone, and in letters. */
export function keyHtml(secret: string, label: string, w: Words): Html[] {
  return [
    figure(qrSvg(totpOf(secret, label).toString(), w.enrol), w.enrolHelp, 'qr'),
    paragraph(w.enrolByHand),
    paragraph(secret.replaceAll(/(.{4})/g, '$1 ').trim(), 'secret'),
  ];
}

/** Drawn here: the library's own drawing has styles in it, which no page of ours lets in. */
function qrSvg(text: string, title: string): string {
  const { modules } = createQr(text, { errorCorrectionLevel: 'M' });
  const { size, data } = modules;
  const path = [...data].flatMap((bit, at) => (bit ? [`M${at % size} ${Math.floor(at / size)}h1v1h-1z`] : [])).join('');
  return `<svg role="img" aria-label="${title}" viewBox="-4 -4 ${size + 8} ${size + 8}" xmlns="http://www.w3.org/2000/svg"><rect x="-4" y="-4" width="${size + 8}" height="${size + 8}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
}
