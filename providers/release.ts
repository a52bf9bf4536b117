import { createRequire } from 'node:module';
import { z } from 'zod';

const manifest: unknown = createRequire(import.meta.url)('../package.json');

/** The version of this release, as `package.json` has it. */
export const { version } = z.object({ version: z.string() }).parse(manifest);
