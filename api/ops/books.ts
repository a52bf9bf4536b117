import { gatewayInvariants } from '../../books/verify/invariants/gateway.ts';
import { invariants } from '../../books/verify/invariants.ts';
import { countSavedMemos, openCases, verify, type Finding } from '../../books/verify/verify.ts';
import { keepCheck, lastChecks } from '../../db/ops/books-checks.ts';
import { auditOps } from '../../db/ops/read-lists.ts';
import { inTurn } from '../http/in-turn.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { card, details, facts, form, notice, paragraph, table, type Html } from './html.ts';
import { germanRules } from './german-rules.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

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
  const { em, w, f, csrf } = visit;
  const [memos, cases, checks] = await Promise.all([countSavedMemos(em), openCases(em), lastChecks(em, checksShown)]);
  return {
    title: w.books,
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
        rows: checks.map(({ checkedAt, checkedBy, rules, findings }) => [
          f.moment(checkedAt),
          checkedBy,
          findings.length === 0
            ? w.booksAreRight(rules)
            : `${w.booksAreWrong(findings.length, rules)} ${findings.map((one) => `${one.id}: ${sentenceOf(visit, one)}`).join(' ')}`,
        ]),
        empty: w.noChecks,
      }),
      rulesOf(visit),
    ],
  };
}

/** Two weeks of nights. */
const checksShown = 14;

/** One at a time: it reads every table. It writes its line in the trail, and what it found. */
async function verifyNow(visit: Visit): Promise<PageAnswer> {
  const { em, person, w } = visit;
  const reason = reasonIn(visit);
  await auditOps(em, { kind: 'books', id: 0, did: 'verify', reason, by: person });
  const findings = await inTurn('verify the books', () => verify(em.fork()));
  const isFine = findings.length === 0;
  const kept = findings.map(({ id, sentence, rows }) => ({ id, sentence, rows: rows.length }));
  await keepCheck(em.fork(), { checkedBy: person.name, rules: invariants.length, findings: kept });
  return {
    title: w.books,
    banners: [
      isFine
        ? { kind: 'good', text: w.booksAreRight(invariants.length) }
        : { kind: 'bad', text: w.booksAreWrong(findings.length, invariants.length) },
    ],
    body: [...findings.map((finding) => findingCard(visit, finding)), rulesOf(visit)],
  };
}

const rowsShown = 10;

const findingCard = (visit: Visit, finding: Finding): Html => {
  const { id, rows, hasMore } = finding;
  return card(
    { title: `${id}: ${sentenceOf(visit, finding)}`, kind: 'urgent' },
    ...rows.slice(0, rowsShown).map((row) =>
      paragraph(
        Object.entries(row)
          .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' · '),
      ),
    ),
    ...(rows.length > rowsShown || hasMore ? [paragraph(visit.w.more)] : []),
  );
};

/** Loaded by who asks: an API that nobody doubts does without a browser's and a mail server's ways. */
async function showHealth({ parts, em, w }: Visit): Promise<PageAnswer> {
  const { diagnose } = await import('../../providers/doctor/diagnose.ts');
  const { settings } = parts;
  const context = {
    ...{ settings, ready: undefined, em: async () => em.fork(), now: () => new Date() },
    secrets: () => secretBoxOf(settings),
  };
  const checks = await inTurn('look at every part', () => diagnose(context));
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
