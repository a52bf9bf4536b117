import { germanRules } from './german-rules.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { gatewayInvariants } from '../../books/verify/invariants/processes.ts';
import { countSavedMemos, invariants, openCases } from '../../books/verify/verify.ts';
import { AuditEntry } from '../../db/audit.ts';
import { lastChecks } from '../../db/ops/books-checks.ts';
import type { KeptFinding } from '../../db/ops/ops.entity.ts';
import { lastAct } from '../../db/ops/presses.ts';
import { auditOps } from '../../db/ops/read-lists.ts';
import { idIn } from '../../domain/ids.ts';
import { booksCheckId, type BooksInput } from '../../workflows/messages.ts';
import { inTurn } from '../http/in-turn.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { card, details, facts, form, notice, paragraph, table, type Banner, type Html } from './html.ts';
import { changedNothing } from './presses.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/** Each rule of the books in German, by its name; the English ones stand with the rules (`books/verify`). */

/** The rules of the books, checked now; and every part of the service, as `pos doctor` sees it. */

const right = { acl: 'Vendor_Pos::locations_manage', staff: [] } as const;

/** A rule in the reader's language. */
const sentenceOf = ({ lang }: Visit, { id, sentence }: { id: string; sentence: string }): string =>
  (lang === 'de' ? germanRules[id] : undefined) ?? sentence;

function rulesOf(visit: Visit): Html {
  const { w, parts } = visit;
  const tableOf = (caption: string, rules: readonly { id: string; sentence: string }[]) =>
    table({
      ...{ caption, heads: ['', w.rule], empty: w.none },
      rows: rules.map((rule) => [rule.id, sentenceOf(visit, rule)]),
    });
  const hasSimulator = parts.settings.GATEWAY_SIMULATOR_URL !== undefined;
  return details(
    `${w.rules} (${invariants.length})`,
    tableOf(w.rules, invariants),
    ...(hasSimulator ? [tableOf(`${w.gatewayRules} (${gatewayInvariants.length})`, gatewayInvariants)] : []),
  );
}

async function showBooks(visit: Visit): Promise<PageAnswer> {
  const { em, w, f, csrf, query } = visit;
  const [memos, cases, checks] = await Promise.all([countSavedMemos(em), openCases(em), lastChecks(em, checksShown)]);
  const [newest] = checks;
  return {
    title: w.books,
    banners: [
      ...(query.get('asked') === 'going' ? [{ kind: 'info', text: w.checkGoesOn } as const] : []),
      ...(await askedEarlier(visit, newest)),
      ...(newest === undefined
        ? []
        : [{ kind: newest.findings.length === 0 ? 'good' : 'bad', text: saidOf(visit, newest) } as const]),
    ],
    body: [
      facts([
        { name: w.openCasesCount, value: f.number(cases.length), ...(cases.length === 0 ? {} : { href: '/ops' }) },
        { name: w.savedMemos, value: f.number(memos) },
      ]),
      form({
        ...{ action: '/ops/books', csrf, buttons: [{ text: w.verifyNow, kind: 'main' }] },
        fields: [{ name: 'reason', label: w.reason, isRequired: true, most: 1_000 }],
      }),
      table({
        caption: w.lastChecks,
        heads: [w.stories.when, w.who, w.says],
        rows: checks.map((check) => [
          f.moment(check.checkedAt),
          check.checkedBy,
          [saidOf(visit, check), ...check.findings.map((one) => `${one.id}: ${sentenceOf(visit, one)}`)].join(' '),
        ]),
        empty: w.noChecks,
      }),
      ...(newest?.findings ?? []).map((finding) => findingCard(visit, finding)),
      rulesOf(visit),
    ],
  };
}

/** Where a gateway simulator runs, `pos verify` compares its books as well: so many rules more than the button. */
const besideGateway = (rules: number): number =>
  rules === invariants.length + gatewayInvariants.length ? gatewayInvariants.length : 0;

/** Two weeks of nights. */
const checksShown = 14;

const saidOf = ({ w }: Visit, { rules, findings }: { rules: number; findings: readonly KeptFinding[] }): string =>
  findings.length === 0 ? w.booksAreRight(rules, besideGateway(rules)) : w.booksAreWrong(findings.length, rules);

/** The check of a young shop has ended by then. */
const patienceMs = 6_000;
const betweenLooksMs = 200;

/**
 * A worker checks, with the time that it takes: with years of sales a rule reads for minutes. A press while a check runs
 * waits for that one, and the page names the person who started it. Each press has its line in the trail.
 *
 * Refused with: 503 Temporal is away; then nothing is written.
 */
async function verifyNow(visit: Visit): Promise<PageAnswer> {
  const { em, person, parts } = visit;
  const reason = reasonIn(visit);
  await parts.workflows.refuseWhileAway();
  const newest = async () => (await lastChecks(em, 1))[0];
  const before = await newest();
  const press = await lastAct(em, { kind: 'books', id: 0, fields: ['verify'] });
  const earlier = press && press.createdAt > (before?.checkedAt ?? longAgo) ? `&earlier=${press.logId}` : '';
  await auditOps(em, { kind: 'books', id: 0, did: 'verify', reason, by: person });
  await parts.workflows.start<BooksInput>({
    ...{
      workflow: 'checkBooks',
      id: booksCheckId(parts.settings.TEMPORAL_TASK_QUEUE),
      input: { checkedBy: person.name },
    },
    summary: 'Checks every rule of the books for a person of the page /ops',
  });
  const until = Date.now() + patienceMs;
  do {
    await pause(betweenLooksMs);
    const made = await newest();
    if (made && made.checkId !== before?.checkId)
      return { to: made.checkedBy === person.name ? '/ops/books?asked=done' : '/ops/books?asked=another' };
  } while (Date.now() < until);
  return { to: `/ops/books?asked=going${earlier}` };
}

const longAgo = new Date(0);

/** Names the press whose check another press found running, or the person whose check ended first. */
async function askedEarlier(visit: Visit, newest: CheckedBy | undefined): Promise<Banner[]> {
  const { em, query, w } = visit;
  if (query.get('asked') === 'another' && newest)
    return [changedNothing(visit, { by: newest.checkedBy, at: newest.checkedAt, what: w.verifyNow })];
  const logId = idIn(query.get('earlier') ?? undefined);
  const press = logId === undefined ? null : await em.findOne(AuditEntry, { logId, entityType: 'books' });
  return press ? [changedNothing(visit, { by: press.staffName ?? null, at: press.createdAt, what: w.verifyNow })] : [];
}

type CheckedBy = Pick<Awaited<ReturnType<typeof lastChecks>>[number], 'checkedBy' | 'checkedAt'>;

const findingCard = (visit: Visit, finding: KeptFinding): Html => {
  const { id, rows, first } = finding;
  return card(
    { title: `${id}: ${sentenceOf(visit, finding)}`, kind: 'urgent' },
    ...first.map((row) =>
      paragraph(
        Object.entries(row)
          .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' · '),
      ),
    ),
    ...(rows > first.length ? [paragraph(visit.w.more)] : []),
  );
};

/** Loaded by who asks: an API that nobody doubts does without a browser's and a mail server's ways. */
async function showHealth({ parts, em, w, lang }: Visit): Promise<PageAnswer> {
  const { diagnose } = await import('../../providers/doctor/diagnose.ts');
  const { spoken } = await import('../../providers/doctor/check.ts');
  const { english, german } = await import('../../providers/doctor/words.ts');
  const { settings } = parts;
  const context = {
    ...{ settings, ready: undefined, em: async () => em.fork(), now: () => new Date() },
    secrets: () => secretBoxOf(settings),
  };
  const made = await inTurn('look at every part', () => diagnose(context));
  const checks = made.map((check) => spoken(check, lang === 'de' ? german : english));
  const worst = checks.filter(({ state }) => state !== 'ok');
  return {
    title: w.health,
    banners: [
      worst.length === 0
        ? { kind: 'good', text: w.allIsWell }
        : { kind: worst.some(({ state }) => state === 'broken') ? 'bad' : 'info', text: w.notAllIsWell(worst.length) },
    ],
    body: [
      ...worst.map(({ name, state, says, fix }) =>
        notice({
          kind: state === 'broken' ? 'bad' : 'info',
          text: `${name}: ${says}${fix === undefined ? '' : ` → ${fix}`}`,
        }),
      ),
      table({
        caption: w.health,
        heads: [w.part, w.status, w.says],
        rows: checks.map(({ name, state, says }) => [name, w.checkStates[state], says]),
        empty: w.none,
      }),
    ],
  };
}

export const bookPages: readonly OpsPage[] = [
  { method: 'GET', path: '/books', right, menu: (w) => w.books, handle: showBooks },
  { method: 'POST', path: '/books', right, handle: verifyNow },
  { method: 'GET', path: '/health', right, menu: (w) => w.health, handle: showHealth },
];
