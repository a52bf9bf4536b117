// Where the sources without types are kept: each under the digest of its text, so that none can be out of date.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const packages = new URL('node_modules/', root).href;

export const rootFolder = fileURLToPath(root);
export const plainFolder = fileURLToPath(new URL('node_modules/.cache/plain-sources/', root));

export const isOurs = (url) => url.startsWith(root.href) && url.endsWith('.ts') && !url.startsWith(packages);

/** Another Node may take types out in another way. */
export const plainNameOf = (text) => `${hash('sha256', process.version + text)}.js`;

export const plainFileOf = (text) => join(plainFolder, plainNameOf(text));
