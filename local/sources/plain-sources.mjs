// Loaded before a process's own code: takes its sources from the folder of `take-types-out.mjs`. Without it, each process
// takes the types out itself, with a second of processor and 25 MB that it never gives back. A source that is not there,
// or was changed since, goes Node's own way. Plain JavaScript, because it runs before the first types are out.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isOurs, plainFileOf } from './plain-files.mjs';

registerHooks({
  load(url, context, next) {
    const source = isOurs(url) ? plainSourceOf(fileURLToPath(url)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

function plainSourceOf(file) {
  try {
    return readFileSync(plainFileOf(readFileSync(file, 'utf8')), 'utf8');
  } catch {
    return undefined;
  }
}
