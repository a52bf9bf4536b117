/**
 * The tools that read the API document, and what each of them is asked to do. Commands run in the folder of their
 * output.
 */

export interface Tool {
  name: string;
  /** Programs that must be on the machine; the others are installed into the tools' folder. */
  needs?: readonly string[];
  generate: Command;
  compile: Command;
  /** Places, invoices and ships one order; ends with 1 where the order is not complete. */
  sale: Command;
}

/** A program with its arguments, and variables of its own. */
export interface Command {
  run: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface Linter {
  name: string;
  command: Command;
  /** How many findings its answer has. */
  countedIn: (answer: string) => number;
}

/** A list of findings in JSON. */
const rows = (answer: string): number => {
  const found: unknown = JSON.parse(answer.trim() || '[]');
  return Array.isArray(found) ? found.length : 0;
};

/**
 * Linters with their recommended rules; what is listed in their files here is off for a reason that stands there.
 * `oasdiff` says what breaks clients that were made from the document of the last release.
 */
export const linters: readonly Linter[] = [
  {
    name: 'redocly',
    countedIn(answer) {
      const totals = /"totals":\s*(\{[^}]*\})/.exec(answer)?.[1] ?? '{}';
      const { errors = 0, warnings = 0 }: { errors?: number; warnings?: number } = JSON.parse(totals);
      return errors + warnings;
    },
    command: { run: ['redocly', 'lint', '--config', 'redocly.yaml', '--format', 'json', 'openapi.json'] },
  },
  {
    name: 'spectral',
    countedIn: rows,
    command: {
      run: [
        ...['spectral', 'lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'],
        ...['--format', 'json', '--quiet', 'openapi.json'],
      ],
    },
  },
  {
    name: 'oasdiff',
    countedIn: rows,
    command: { run: ['oasdiff', 'breaking', '--format', 'json', 'released.json', 'openapi.json'] },
  },
];

/** By Go's own client. It takes two minutes, once. */
export const oasdiff = 'github.com/oasdiff/oasdiff@v1.37.0';

/** From the tools' own folder: from here the compiler would take in the project's packages as well. */
const compiled = (...files: string[]): Command => ({
  run: [
    ...['tsc', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ...['--lib', 'es2022,dom,dom.iterable', '--outDir', 'js', ...files],
  ],
});

/** It imports shapes without a name for what is told by `webhooks`, so it gets the document without them. */
const generated = (language: string, folder: string, ...more: string[]): Command => ({
  run: ['openapi-generator-cli', 'generate', '-i', 'routes.json', '-g', language, '-o', folder, ...more],
});

const imported = (folder: string): Command => ({ run: ['python', '-m', 'compileall', '-q', folder] });

const maven = (...goal: string[]): Command => ({ run: ['mvn', '--quiet', '--batch-mode', '--file', 'java', ...goal] });

export const tools: readonly Tool[] = [
  {
    name: 'openapi-typescript',
    generate: { run: ['openapi-typescript', 'openapi.json', '--output', 'types.d.ts'] },
    compile: compiled('types.d.ts', 'fetch.ts'),
    sale: { run: ['node', 'js/fetch.js'] },
  },
  {
    name: '@hey-api/openapi-ts',
    generate: {
      run: ['openapi-ts', '--input', 'openapi.json', '--output', 'hey', '--client', '@hey-api/client-fetch'],
    },
    compile: compiled('hey.ts'),
    sale: { run: ['node', 'js/hey.js'] },
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    generate: {
      run: [
        ...['openapi-python-client', 'generate', '--path', 'openapi.json', '--output-path', 'pos_client'],
        ...['--overwrite', '--meta', 'none', '--fail-on-warning'],
      ],
    },
    compile: imported('pos_client'),
    sale: { run: ['python', 'client.py'] },
  },
  {
    name: 'openapi-generator python',
    needs: ['python3', 'java'],
    generate: generated('python', 'generated'),
    compile: imported('generated/openapi_client'),
    sale: { run: ['python', 'generated.py'], env: { PYTHONPATH: 'generated' } },
  },
  {
    name: 'openapi-generator java',
    needs: ['python3', 'java', 'mvn'],
    generate: generated('java', 'java', '--library', 'native'),
    compile: maven('compile'),
    sale: maven('exec:java', '-Dexec.mainClass=sale.Sale'),
  },
  {
    name: 'openapi-generator typescript-fetch',
    needs: ['python3', 'java'],
    generate: generated('typescript-fetch', 'typescript-fetch', '--additional-properties=importFileExtension=.js'),
    compile: compiled('typescript-fetch.ts'),
    sale: { run: ['node', 'js/typescript-fetch.js'] },
  },
];
