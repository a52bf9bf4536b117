import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isEntryPoint } from '../db/support/is-entry-point.ts';

/**
 * `npm run tools -- sbom [FILE]`: the packages that the image holds, as CycloneDX 1.6, from package-lock.json alone.
 * The tool is fetched for this one run: its 150 packages are none of the project's, and `npm ci` stays as small as it
 * is.
 */
const tool = '@cyclonedx/cyclonedx-npm@6.0.1';

/** What the Dockerfile takes out again: the image has one browser and one Node already. */
const notInTheImage = /^pkg:npm\/(?:%40sparticuz\/|node-linux-)/;

interface Sbom {
  components: { purl: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

function main(file = 'sbom.json'): void {
  const words = ['--package-lock-only', '--omit', 'dev', '--spec-version', '1.6', '--output-reproducible'];
  const made = spawnSync('npx', ['--yes', tool, ...words, '--output-file', '-'], {
    encoding: 'utf8',
    maxBuffer: 256 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (made.status !== 0)
    throw new Error(`${tool} ended with ${made.status ?? made.signal}; it needs the registry of npm.`);
  const list = JSON.parse(made.stdout) as Sbom;
  const out = new Set(list.components.filter(({ purl }) => notInTheImage.test(purl)).map((one) => one['bom-ref']));
  list.components = list.components.filter((one) => !out.has(one['bom-ref']));
  list.dependencies = list.dependencies
    .filter(({ ref }) => !out.has(ref))
    .map((one) => (one.dependsOn ? { ...one, dependsOn: one.dependsOn.filter((ref) => !out.has(ref)) } : one));
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
  console.log(`${file}: ${list.components.length} packages.`);
}

if (isEntryPoint(import.meta)) main(process.argv[2]);
