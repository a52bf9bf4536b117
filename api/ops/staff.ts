import type { EntityManager } from '@mikro-orm/postgresql';
import { marksOfStaff } from '../../db/ops/presses.ts';
import { allStaff, auditOps } from '../../db/ops/read-lists.ts';
import { givePasscode, hasLoginFailures, unlockStaff } from '../../db/staff/login-attempts.ts';
import { findStaff } from '../../db/staff/read-staff.ts';
import { lockAdvisory } from '../../db/support/lock-advisory.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid } from '../../domain/errors.ts';
import { emailKey } from '../../domain/staff.ts';
import { newPasscode } from '../../providers/password-hasher.ts';
import { notice, paragraph, table, type Html } from './html.ts';
import { doneBefore } from './presses.ts';
import { authorOf, doneBanner, idOrNone, reasoned } from './reasoned.ts';
import { keyHtml, makeSecondFactor } from './sign-in.ts';
import {
  hasPermission,
  opensStaffPages,
  opensThePage,
  reasonIn,
  type OpsPage,
  type PageAnswer,
  type Visit,
} from './visit.ts';

/** The people at the registers: who has to wait, and new secrets for them. */

const most = 200;

const staffVerbs = ['unlock', 'passcode', 'factor'] as const;
type StaffVerb = (typeof staffVerbs)[number];
/** Under which field the audit trail has each. */
const staffFields: Readonly<Record<StaffVerb, string>> = {
  ...{ unlock: 'lockout', passcode: 'passcode', factor: 'second_factor' },
};

async function showStaff(visit: Visit): Promise<PageAnswer> {
  const { em, w, f } = visit;
  const members = await allStaff(em, most);
  const verb = staffVerbs.find((one) => one === visit.query.get('verb')) ?? 'unlock';
  return {
    title: w.staff,
    banners: [
      ...(visit.query.has('shown') ? [{ kind: 'info', text: w.shownBefore } as const] : doneBanner(visit)),
      ...(await doneBefore(visit, {
        kind: 'staff',
        fields: [staffFields[verb] ?? staffFields.unlock],
        what: () => ({ passcode: w.newPasscode, factor: w.newFactor, unlock: w.unlock })[verb],
      })),
    ],
    body: [
      table({
        caption: w.staff,
        heads: [w.who, w.role, w.shop, w.status, ''],
        rows: members.map((one) => [
          `${one.name}, ${one.email}`,
          one.role,
          one.shops ?? w.allShops,
          [
            one.isActive ? '' : w.isOff,
            one.lockedUntil === undefined ? '' : `${w.waitsUntil} ${f.moment(one.lockedUntil)}`,
            one.hasFactor ? w.hasFactor : '',
          ]
            .filter((word) => word !== '')
            .join(', '),
          { text: '', html: staffForms(visit, one) },
        ]),
        empty: w.none,
      }),
      ...(members.length === most ? [paragraph(w.more)] : []),
    ],
  };
}

type Member = Awaited<ReturnType<typeof allStaff>>[number];

function staffForms(
  visit: Visit,
  { staffId, lockedUntil, permissions, isActive, passcodeMark, factorMark }: Member,
): Html {
  if (!visit.person.may(changing)) return '' as Html;
  return [
    ...(lockedUntil === undefined ? [] : [reasoned(visit, `/ops/staff/${staffId}/unlock`, visit.w.unlock)]),
    ...(isActive
      ? [
          reasoned(visit, `/ops/staff/${staffId}/passcode`, visit.w.newPasscode, {
            kind: 'bad',
            hidden: { mark: passcodeMark },
          }),
        ]
      : []),
    ...(isActive && mayGiveFactor(visit) && hasPermission(permissions, opensThePage)
      ? [reasoned(visit, `/ops/staff/${staffId}/factor`, visit.w.newFactor, { hidden: { mark: factorMark } })]
      : []),
  ].join('\n') as Html;
}

/**
 * Unlocks, or gives a new passcode or second factor, which is shown once. A reload of that page sends the form again,
 * and another person may have pressed before: the form knows the secret that it replaces, and of any number of presses
 * one makes a new one.
 */
async function changeStaff(visit: Visit): Promise<PageAnswer> {
  const { em, w } = visit;
  const staffId = idOrNone(visit, 'staffId');
  const verb = staffVerbs.find((one) => one === visit.params['verb']);
  if (verb === undefined || (verb === 'factor' && !mayGiveFactor(visit))) throw invalid(w.notThere);
  const reason = reasonIn(visit);
  const member = await findStaff(em, staffId);
  const name = `${member.firstName} ${member.lastName}`;
  const done = { unlock, passcode: givePasscodeOnce, factor: giveFactorOnce };
  const answer = await done[verb](visit, { staffId, name, email: member.email, reason });
  return answer ?? { to: `/ops/staff?shown=1&before=${staffId}&verb=${verb}` };
}

interface Changing {
  staffId: number;
  name: string;
  email: string;
  reason: string;
}

/** Undefined: no guess is counted any more. */
async function unlock(visit: Visit, { staffId, email, reason }: Changing): Promise<PageAnswer | undefined> {
  const { em, person } = visit;
  if (!(await hasLoginFailures(em, emailKey(email)))) return undefined;
  await auditOps(em, { kind: 'staff', id: staffId, did: 'asked_unlock', reason, by: person });
  await unlockStaff(em.fork(), { staffId, by: authorOf(visit) });
  return { to: '/ops/staff?done=1' };
}

/** Undefined: another press replaced the secret that the form was made for. */
async function givePasscodeOnce(visit: Visit, { staffId, name, reason }: Changing): Promise<PageAnswer | undefined> {
  const { w, person, parts } = visit;
  const passcode = newPasscode();
  const passcodeHash = await parts.providers.passwords.hash(passcode);
  const isGiven = await oncePerMark(visit, { staffId, mark: 'passcodeMark' }, async (tx) => {
    await auditOps(tx, { kind: 'staff', id: staffId, did: 'asked_passcode', reason, by: person });
    await givePasscode(joined(tx), { staffId, passcodeHash, by: authorOf(visit) });
  });
  if (!isGiven) return undefined;
  return { title: `${w.newPasscode}: ${name}`, body: [paragraph(passcode, 'secret'), paragraph(w.shownOnce)] };
}

/** Undefined: another press replaced the second factor that the form was made for. */
async function giveFactorOnce(
  visit: Visit,
  { staffId, name, email, reason }: Changing,
): Promise<PageAnswer | undefined> {
  const { w, person, parts, now } = visit;
  const giver = { by: person.name, byAccount: person.account };
  const factor = { userKind: 'staff', userId: staffId, name, ...giver, confirmedAt: now } as const;
  let secret = '';
  const isGiven = await oncePerMark(visit, { staffId, mark: 'factorMark' }, async (tx) => {
    await auditOps(tx, { kind: 'staff', id: staffId, did: 'asked_factor', reason, by: person });
    secret = (await makeSecondFactor(joined(tx), parts.providers.secrets, factor)) ?? '';
  });
  if (!isGiven) return undefined;
  return {
    title: `${w.newFactor}: ${name}`,
    body: [notice({ kind: 'info', text: w.factorForMember }), ...keyHtml(secret, email, w), paragraph(w.shownOnce)],
  };
}

/** Does the work where the secret still is the one that the form knows; presses at once take turns. */
const oncePerMark = (
  visit: Visit,
  { staffId, mark }: { staffId: number; mark: 'passcodeMark' | 'factorMark' },
  work: (tx: EntityManager) => Promise<void>,
): Promise<boolean> =>
  transact(visit.em, async (tx) => {
    await lockAdvisory(tx, `credentials of staff ${staffId}`);
    const marks = await marksOfStaff(tx, staffId);
    if (marks?.[mark] !== visit.field('mark')) return false;
    await work(tx);
    return true;
  });

const right = { acl: 'Vendor_Pos::staff_manage', staff: [] } as const;
/** As of the routes that change a member of staff. */
const changing = { acl: 'Vendor_Pos::staff_manage_edit', staff: [] } as const;

/** A second factor opens pages: it is given only by administrators who may open all of these themselves. */
const mayGiveFactor = ({ person }: Visit): boolean => person.may({ acl: opensStaffPages, staff: [] });

export const staffPages: readonly OpsPage[] = [
  { method: 'GET', path: '/staff', right, menu: (w) => w.staff, handle: showStaff },
  { method: 'POST', path: '/staff/:staffId/:verb', right: changing, handle: changeStaff },
];
