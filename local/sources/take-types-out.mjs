// Writes our sources without their types, for `plain-sources.mjs`: only the changed ones, and removes those that nothing
// needs any more. Runs before the processes of a shop. Where it cannot write, they only start later: no fault.
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { plainFolder, plainNameOf, rootFolder } from './plain-files.mjs';

const rooms = '{activities,api,books,cli,db,domain,local,providers,worker,workflows}/**/*.ts';

/** Another start may be writing a file this old; an older one is of a start that was killed. */
const unfinishedMs = 60_000;

// Node says that this function may still change. It is the one that Node itself uses for a source with types.
process.removeAllListeners('warning');

try {
  mkdirSync(plainFolder, { recursive: true });
  const kept = new Set(readdirSync(plainFolder));
  const needed = new Set();
  for (const file of globSync(rooms, { cwd: rootFolder })) {
    const text = readFileSync(join(rootFolder, file), 'utf8');
    const name = plainNameOf(text);
    needed.add(name);
    if (!kept.has(name)) write(name, stripTypeScriptTypes(text));
  }
  for (const name of kept)
    if (!needed.has(name) && !isBeingWritten(name)) rmSync(join(plainFolder, name), { force: true });
} catch (error) {
  console.error(`The types could not be taken out ahead (${error.message}); each process does it for itself.`);
}

function isBeingWritten(name) {
  if (!name.startsWith('unfinished-')) return false;
  const written = statSync(join(plainFolder, name), { throwIfNoEntry: false });
  return written !== undefined && Date.now() - written.mtimeMs < unfinishedMs;
}

/** Whole or not at all: two starts may write the same source at once. */
function write(name, text) {
  const unfinished = join(plainFolder, `unfinished-${process.pid}-${name}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, join(plainFolder, name));
}
