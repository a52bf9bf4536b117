import type { EntityManager } from '@mikro-orm/postgresql';
import { Secret, TOTP } from 'otpauth';
import { create as createQr } from 'qrcode';
import { recordAudit } from '../../db/audit/record-audit.ts';
import {
  giveSecondFactor,
  mayShowKey,
  openOpsSession,
  rightsOfStaff,
  secondFactorOf,
  takeCode,
  type NewFactor,
  type UserKey,
} from '../../db/ops/people.ts';
import {
  clearOpsAttempts,
  countOpsAttempt,
  isUnknownNameAudited,
  maxFailuresOfName,
  releaseOpsAttempt,
  type OpsFailures,
} from '../../db/staff/ops-sign-in-attempts.ts';
import { findAdminCredentials } from '../../db/platform/access/throttle-token-request.ts';
import { secondFactorPurpose } from '../../db/sealed-columns.ts';
import { findPasscodeHash } from '../../db/staff/staff.repository.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { emailKey } from '../../domain/staff.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { createGuessLimit } from '../http/sign-in.ts';
import { networkOf } from '../http/network-of.ts';
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
export type SignedIn = { token: string; isEnrolling: boolean } | 'no_factor' | 'wrong' | 'wrong_factor_first';

interface Context {
  parts: ApiParts;
  em: EntityManager;
  clientAddress: string;
  requestId: string;
  now: Date;
}

/** Failed sign-ins of one address at this page, in this process. */
const guesses = createGuessLimit();

/**
 * Signs a person in by password and second factor: an administrator by user name, a member of the staff by e-mail. An
 * administrator without a second factor makes one now; a member of the staff gets it from an administrator, so a
 * passcode alone never opens this page.
 *
 * Failures are counted here alone, by name and by name and address: no failure at this page locks a register or a
 * token route, and none of theirs locks this page. No number of failures locks a person with a second factor out.
 * After 20 failures of a name in an hour, or 5 from one address, the second factor is checked first: without a right
 * code the password decides nothing, and a person without a second factor waits for the next hour.
 *
 * Every end is logged and audited. Refused with 503: too many failures from that address, or too many at once, which
 * does not count as a guess.
 */
export async function signInHere(context: Context, input: Credentials): Promise<SignedIn> {
  const { em, clientAddress } = context;
  guesses.count(clientAddress);
  const attempt = { nameKey: emailKey(input.name), network: networkOf(clientAddress) };
  const failures = await countOpsAttempt(em, attempt);
  const account = await accountOf(em, input.name);
  const checked = await checkCredentials(context, { input, account, failures }).catch(async (error: unknown) => {
    await releaseOpsAttempt(em, attempt);
    throw error;
  });
  await noteSignIn(context, { input, account, failures, end: checked });
  if (checked !== 'right' && checked !== 'enrolling') {
    if (checked === 'no_factor') return 'no_factor';
    return failures.isFactorFirst ? 'wrong_factor_first' : 'wrong';
  }
  if (!account) return 'wrong';
  await clearOpsAttempts(em, attempt);
  guesses.forget(clientAddress);
  const isEnrolling = checked === 'enrolling';
  return { token: await openOpsSession(em, { ...account, isEnrolling }), isEnrolling };
}

interface Account extends UserKey {
  passwordHash: string | null;
  /** Active, with a role that opens this page. */
  isAllowed: boolean;
  name: string;
}

async function accountOf(em: EntityManager, name: string): Promise<Account | undefined> {
  const admin = await findAdminCredentials(em, name);
  if (admin) return { userKind: 'admin', ...admin, isAllowed: admin.hasRole, name };
  const key = emailKey(name);
  const member = key.includes('@') ? await findPasscodeHash(em, key) : undefined;
  if (!member) return undefined;
  const { staffId: userId, passcodeHash: passwordHash, isActive } = member;
  const rights = isActive ? await rightsOfStaff(em, userId) : undefined;
  const isAllowed = rights !== undefined && hasPermission(rights.permissions, opensThePage);
  return { userKind: 'staff', userId, passwordHash, isAllowed, name: rights?.name ?? key };
}

interface Checking {
  input: Credentials;
  account: Account | undefined;
  failures: OpsFailures;
}

/** How a sign-in ended, as the log and the audit trail name it. */
type End = 'right' | 'enrolling' | 'no_factor' | 'wrong password' | 'wrong code' | 'no right to this page';

async function checkCredentials(context: Context, { input, account, failures }: Checking): Promise<End> {
  const { em, parts, now } = context;
  const factor = account && (await secondFactorOf(em, account));
  const isConfirmed = factor?.confirmedAt != null;
  const box = parts.providers.secrets;
  const hasCode = isConfirmed && stepOf(factor.sealedSecret, { code: input.code, box, now }) !== undefined;
  // Also where the code is wrong: an answer must not come sooner for an unknown name, or for a wrong code.
  const fits = await parts.providers.passwords.verify(input.password, account?.passwordHash ?? null, 'anonymous');
  // What a password is good for without the code is not shown while guesses come in.
  const isHidden = failures.isFactorFirst && !hasCode;
  if (!account || !fits) return isHidden && isConfirmed ? 'wrong code' : 'wrong password';
  if (!account.isAllowed) return 'no right to this page';
  if (!isConfirmed) {
    if (failures.isFactorFirst) return 'wrong code';
    return account.userKind === 'staff' ? 'no_factor' : 'enrolling';
  }
  // Counts a wrong code against the person's own limit only behind the right password.
  return (await isCodeTaken(em, account, { code: input.code, box, now })) ? 'right' : 'wrong code';
}

/** A line of the log for each sign-in, and of the audit trail as long as nobody can fill it. */
async function noteSignIn(context: Context, { input, account, failures, end }: Checking & { end: End }): Promise<void> {
  const { em, parts, clientAddress, requestId } = context;
  const isGood = end === 'right' || end === 'enrolling';
  const facts = { requestId, clientAddress, end, name: input.name.slice(0, 254), failures: failures.ofName };
  if (isGood) parts.log.info(facts, 'signed in at the operator page');
  else parts.log.warn(facts, 'a sign-in at the operator page failed');
  if (!isGood && !(await isAudited(em, { account, failures }))) return;
  await recordAudit(em, {
    entityType: account === undefined ? 'ops_sign_in' : account.userKind === 'staff' ? 'staff' : 'admin_user',
    entityId: account?.userId ?? 0,
    entityName: (account?.name ?? input.name).slice(0, 255),
    fieldName: 'ops_sign_in',
    newValue: `${ends[end]} (${clientAddress})`,
    changeSource: 'admin',
    ...(isGood ? { staffName: account?.name.slice(0, 255) } : {}),
    ...(isGood && account?.userKind === 'staff' ? { staffId: account.userId } : {}),
  });
}

const ends: Readonly<Record<End, string>> = {
  right: 'signed in',
  enrolling: 'signed in, second factor to be set up',
  no_factor: 'refused: no second factor',
  'wrong password': 'failed: wrong password',
  'wrong code': 'failed: wrong code',
  'no right to this page': 'refused: the role does not open this page',
};

/** Of one name every failure up to the limit of an hour, then each hundredth; of unknown names a hundred an hour. */
const isAudited = async (
  em: EntityManager,
  { account, failures }: Pick<Checking, 'account' | 'failures'>,
): Promise<boolean> =>
  account === undefined
    ? isUnknownNameAudited(em)
    : failures.ofName <= maxFailuresOfName || failures.ofName % 100 === 0;

/** Takes a code once; the first one confirms the factor. */
export const isCodeTaken = (
  em: EntityManager,
  who: UserKey,
  { code, box, now }: { code: string; box: SecretBox; now: Date },
): Promise<boolean> => takeCode(em, who, (sealed) => stepOf(sealed, { code, box, now }));

/** The half minute that a code is of; undefined for a wrong one. */
function stepOf(sealed: string, { code, box, now }: { code: string; box: SecretBox; now: Date }): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const delta = totpOf(box.open(sealed, secondFactorPurpose)).validate({ token, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1_000 / periodSeconds) + delta;
}

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Point of sale', label, period: periodSeconds, digits: 6, secret: Secret.fromBase32(secret) });

/**
 * A new second factor of a person. @returns the key that goes into the phone, shown once; undefined where a confirmed
 * one is in the way of one to confirm
 */
export async function makeSecondFactor(
  em: EntityManager,
  box: SecretBox,
  factor: Omit<NewFactor, 'sealedSecret'>,
): Promise<string | undefined> {
  const secret = new Secret({ size: 20 }).base32;
  const isGiven = await giveSecondFactor(em, { ...factor, sealedSecret: box.seal(secret, secondFactorPurpose) });
  return isGiven ? secret : undefined;
}

/**
 * The key of a new second factor, for the session in which a person sets it up. Each session shows one key, once, and
 * the key of a later session takes its place: a key that another person read with the same password confirms nothing.
 *
 * @returns `confirmed`: there is nothing to set up · undefined: the session has shown its key
 */
export async function keyToShow(
  em: EntityManager,
  box: SecretBox,
  { sessionId, userKind, userId, name }: UserKey & { sessionId: number; name: string },
): Promise<{ secret: string } | 'confirmed' | undefined> {
  const factor = await secondFactorOf(em, { userKind, userId });
  if (factor?.confirmedAt != null) return 'confirmed';
  if (!(await mayShowKey(em, sessionId))) return undefined;
  const secret = await makeSecondFactor(em, box, { userKind, userId, name, by: name, confirmedAt: null, sessionId });
  return secret === undefined ? 'confirmed' : { secret };
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
