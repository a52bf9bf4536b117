import { toolOptions } from '../../local/tool-options.ts';
import { openLaboratory } from './laboratory.ts';
import { mutants } from './mutants.ts';

/**
 * Makes each mistake in a copy of the source and runs the tests that must notice it. A test that is red without it does
 * not count. Ends with 1 when a mistake survives.
 */
const values = toolOptions({
  command: 'npm run tools -- mutants',
  about: 'Makes each mistake in a copy of the source and runs the tests that must notice it.',
  options: {
    only: { type: 'string', multiple: true, value: 'M01,D02', says: 'these mistakes; else every one' },
    'skip-baseline': { type: 'boolean', default: false, says: 'do not run the tests without a mistake first' },
  },
});
const only = values.only?.flatMap((ids) => ids.split(','));
const chosen = mutants.filter(({ id }) => only?.includes(id) ?? true);

const lettersShown = 200;

// An asked-for end runs the hooks that take the servers along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const laboratory = await openLaboratory();
let killed = 0;
try {
  const redBefore = values['skip-baseline'] ? new Set<string>() : await baseline();
  for (const [index, mutant] of chosen.entries()) {
    const began = performance.now();
    const { verdict: found, words: said } = await laboratory.run(mutant.killedBy, mutant);
    const words = found === 'killed' ? said.filter((name) => !redBefore.has(name)) : said;
    const verdict = found === 'killed' && words.length === 0 ? 'survived' : found;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (verdict === 'killed') killed++;
    console.log(
      `${verdict.padEnd(8)} ${seconds.padStart(6)} s  ${mutant.id} ${mutant.mistake}  (${index + 1}/${chosen.length})`,
    );
    console.log(
      `                   ${verdict === 'killed' ? `by: ${words.join('; ').slice(0, lettersShown)}` : words.join('\n')}`,
    );
  }
} finally {
  await laboratory.close();
}
console.log(`\n${killed} of ${chosen.length} killed`);
process.exit(killed === chosen.length ? 0 : 1);

/** @returns the tests that fail without any mistake */
async function baseline(): Promise<Set<string>> {
  const tests = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))];
  const { verdict, words } = await laboratory.run(tests);
  if (verdict === 'broken') throw new Error(`the tests cannot be run: ${words.join('; ')}`);
  console.log(
    `${tests.length} test files, without any mistake ${words.length === 0 ? 'green' : `red in ${words.length} tests:`}`,
  );
  for (const name of words) console.log(`  ${name}`);
  return new Set(words);
}
