import type { Day } from './day.ts';
import { checks, type Check, type Finding } from './judge.ts';
import type { Exchange } from './line.ts';

/** What a report is made of. */
export interface Verdict {
  register: string;
  day: Day;
  findings: readonly Finding[];
}

const names = Object.keys(checks) as Check[];

/** A few lines for a terminal. */
export const summaryOf = ({ findings }: Verdict): string =>
  [
    ...names.map((check) => {
      const own = findings.filter((one) => one.check === check);
      return `${wordFor(own)}  ${checks[check]}${own.map(({ task, says }) => `\n       ${task}: ${says}`).join('')}`;
    }),
    sentenceOf(findings),
  ].join('\n');

/** Kept, broken, or not observed. Only the first is a pass. */
const verdictOf = (own: readonly Finding[]): 'kept' | Finding['verdict'] =>
  own.length === 0 ? 'kept' : own.some(({ verdict }) => verdict === 'broken') ? 'broken' : 'not_observed';

const words = { kept: 'yes', broken: 'NO ', not_observed: '?  ' } as const;
const wordFor = (own: readonly Finding[]) => words[verdictOf(own)];

function sentenceOf(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'The register keeps the rules.';
  const unseen = findings.filter(({ verdict }) => verdict === 'not_observed').length;
  const broken = findings.length - unseen;
  return [
    ...(broken === 0 ? [] : [`It breaks rules: ${broken} findings.`]),
    ...(unseen === 0 ? [] : [`${unseen} rules were not observed.`]),
  ].join(' ');
}

/** JUnit XML: each rule is a test, so that a build fails by its name. */
export function junitOf({ register, findings }: Verdict): string {
  const broken = new Set(findings.map(({ check }) => check)).size;
  const cases = names.map((check) => {
    const own = findings.filter((one) => one.check === check);
    const failures = own.map(({ task, says, verdict }) => {
      const message = `${verdict === 'not_observed' ? 'Not observed: ' : ''}${task}: ${says}`;
      return `<failure message="${escaped(message)}" type="${check}"/>`;
    });
    const start = `<testcase classname="conformance" name="${escaped(checks[check])}"`;
    return failures.length === 0 ? `    ${start}/>` : `    ${start}>${failures.join('')}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="${names.length}" failures="${broken}">
  <testsuite name="${escaped(register)}" tests="${names.length}" failures="${broken}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

/** One page without scripts or foreign files: the verdict, the rules, the day, and what went over the line. */
export function pageOf(verdict: Verdict): string {
  const { register, day, findings } = verdict;
  const isGood = findings.length === 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escaped(register)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1d2430; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: start; vertical-align: top; border-bottom: 1px solid #d8dde5; padding: .4rem .6rem; overflow-wrap: anywhere; }
.yes { color: #14692f; } .no { color: #a3142b; font-weight: 600; }
</style>
</head>
<body>
<h1>Conformance of ${escaped(register)}</h1>
<p class="${isGood ? 'yes' : 'no'}">${isGood ? 'It keeps the rules.' : sentenceOf(findings)}</p>
<h2>The rules</h2>
<table><tr><th>Rule<th>Kept<th>Found</tr>
${names.map((check) => ruleRow(check, findings)).join('\n')}
</table>
<h2>The day</h2>
<table><tr><th>Task<th>What happened<th>Requests</tr>
${day.tasks.map(({ number, title, from, to }) => `<tr><td>${number}<td>${escaped(title)}<td>${requestsOf(from, to)}</tr>`).join('\n')}
</table>
<h2>What went over the line</h2>
<table><tr><th>#<th>Request<th>Key<th>Trouble<th>Heard</tr>
${day.exchanges.map(exchangeRow).join('\n')}
</table>
</body>
</html>
`;
}

function ruleRow(check: Check, findings: readonly Finding[]): string {
  const own = findings.filter((one) => one.check === check);
  const found = own.map(
    ({ task, says, exchanges }) =>
      `<p>${escaped(task)}: ${escaped(says)} ${exchanges.map((at) => `<a href="#x${at}">${at}</a>`).join(' ')}</p>`,
  );
  const cells = {
    kept: '<td class="yes">yes',
    broken: '<td class="no">no',
    not_observed: '<td class="no">not observed',
  } as const;
  const verdict = cells[verdictOf(own)];
  return `<tr><td>${escaped(checks[check])}${verdict}<td>${found.join('')}</tr>`;
}

const requestsOf = (from: number, to: number) =>
  from === to ? 'none' : `<a href="#x${from}">${from}</a> to <a href="#x${to - 1}">${to - 1}</a>`;

const exchangeRow = ({ at, method, path, key, fault, status }: Exchange) =>
  `<tr id="x${at}"><td>${at}<td>${escaped(`${method} ${path.split('?')[0]}`)}<td>${escaped(key ?? '')}<td>${escaped(fault?.replaceAll('_', ' ') ?? '')}<td>${status ?? 'nothing'}</tr>`;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
