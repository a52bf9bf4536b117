import { parseArgs } from 'node:util';
import { openLaboratory } from './laboratory.ts';
import { mutants } from './mutants.ts';

/**
 * Makes each mistake in a copy of the source and runs the tests that must notice it. Ends with 1 when a mistake
 * survives, or when the tests are not green without any.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, 'skip-baseline': { type: 'boolean', default: false } },
});
const only = values.only?.flatMap((ids) => ids.split(','));
const chosen = mutants.filter(({ id }) => only?.includes(id) ?? true);

const laboratory = await openLaboratory();
let killed = 0;
try {
  if (!values['skip-baseline']) {
    const tests = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))];
    const { verdict, words } = await laboratory.run(tests);
    if (verdict !== 'survived') throw new Error(`the tests fail without any mistake: ${words.join('; ')}`);
    console.log(`${tests.length} test files are green without any mistake\n`);
  }
  for (const [index, mutant] of chosen.entries()) {
    const began = performance.now();
    const { verdict, words } = await laboratory.run(mutant.killedBy, mutant);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (verdict === 'killed') killed++;
    console.log(
      `${verdict.padEnd(8)} ${seconds.padStart(6)} s  ${mutant.id} ${mutant.mistake}  (${index + 1}/${chosen.length})`,
    );
    console.log(`                   ${verdict === 'killed' ? `by: ${words[0]}` : words.join('\n')}`);
  }
} finally {
  await laboratory.close();
}
console.log(`\n${killed} of ${chosen.length} killed`);
process.exit(killed === chosen.length ? 0 : 1);
