// Runs before every script, also under a Node that is too old for the rest: plain JavaScript, built-in modules only.
import { readFileSync } from 'node:fs';

const read = (file) => {
  try {
    return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).packages;
  } catch {
    return undefined;
  }
};

const wanted = read('package-lock.json') ?? {};
const found = read('node_modules/.package-lock.json');
// An image has none of those for developers.
const isForDevelopers = Object.values(found ?? {}).some(({ dev }) => dev);
const isNeeded = ({ optional, dev, devOptional }) => !optional && (isForDevelopers || !(dev || devOptional));
// What is not below node_modules is ours: a new version of it installs nothing.
const isOther = ([name, one]) =>
  name.startsWith('node_modules/') && isNeeded(one) && found[name]?.version !== one.version;

if (!found) leave('The packages are not installed. Run: npm ci');
if (Object.entries(wanted).some(isOther))
  leave('The installed packages are not those of package-lock.json. Run: npm ci');

function leave(sentence) {
  console.error(sentence);
  process.exit(1);
}
