import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts a program when the parent says so, and loads what it needs before: `start-on-message.ts PROGRAM
 * LOADED_AHEAD…`. So a shop's processes load their sources while its database is made.
 */
const [program = '', ...loadedAhead] = process.argv.slice(2);
const load = (file: string): Promise<unknown> => import(pathToFileURL(resolve(file)).href);

const reported = new Promise((resolve) => process.once('message', resolve));
// `leave-with-parent.ts` lets go of the channel, and a process that only waits for a message would end.
process.channel?.ref();
for (const file of loadedAhead) await load(file);
await reported;
process.channel?.unref();
await load(program);
