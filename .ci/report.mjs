// The report of a whole run, and of the second run of what failed in it.
//   node .ci/report.mjs failed <report>             the files that failed, one a line
//   node .ci/report.mjs count <report> [<second>]   what failed, then `N passed, N failed`; 1 where something failed
import { existsSync, readFileSync } from 'node:fs';

const [verb, report, second] = process.argv.slice(2);

const read = (file) =>
  file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8') || '{}').testResults ?? []) : [];
const hasFailed = ({ status }) => status === 'failed';
/** A file that could not be run counts as one failure. */
const failuresOf = ({ name, assertionResults, status }) => {
  const failed = assertionResults.filter(hasFailed).map(({ fullName }) => `${name}: ${fullName}`);
  return failed.length > 0 || status !== 'failed' ? failed : [name];
};

const first = read(report);
if (verb === 'failed') {
  for (const { name } of first.filter(hasFailed)) console.log(name);
} else {
  const again = new Map(read(second).map((file) => [file.name, file]));
  for (const { name } of first.filter((file) => hasFailed(file) && again.get(file.name)?.status === 'passed'))
    for (const line of failuresOf(first.find((file) => file.name === name)))
      console.log(`Unsteady, passed when its file ran alone: ${line}`);

  const results = first.map((file) => again.get(file.name) ?? file);
  const outcomes = existsSync(`${report}.outcomes`)
    ? readFileSync(`${report}.outcomes`, 'utf8').trim().split('\n')
    : [];
  const failures = [...results.flatMap(failuresOf), ...outcomes];
  const passed = results
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed');
  for (const line of failures) console.log(line);
  console.log(`${passed.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 || passed.length === 0 ? 1 : 0;
}
