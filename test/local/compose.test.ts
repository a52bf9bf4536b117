import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../cli/program.ts';
import { dynamicConfig } from '../../local/temporal/dynamic-config.ts';
import { parseSettings, settingsSchema } from '../../providers/settings.ts';

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
  expose?: number[];
  volumes?: string[];
}

const text = readFileSync('docker-compose.yml', 'utf8');
const file: { services: Record<string, Service>; volumes: Record<string, null> } = parse(text, { merge: true });
const services = Object.entries(file.services);
const ours = services.filter(([, service]) => service.build !== undefined);
const example = readFileSync('.env.example', 'utf8');

/** A path inside a container as the path here, where a volume or the image puts it. */
function here(path: string, { volumes = [] }: Service): string {
  const bound = volumes.map((volume) => volume.split(':')).find(([, inside]) => path.startsWith(`${inside}/`));
  return bound ? path.replace(bound[1]!, bound[0]!) : path;
}

test('it has the parts of the system, and the simulator only in the demo', () => {
  expect(Object.keys(file.services).toSorted()).toEqual(
    [
      ...['api', 'gateway-simulator', 'migrate', 'postgres', 'temporal', 'temporal-namespace', 'temporal-schema'],
      ...['temporal-ui', 'worker'],
    ].toSorted(),
  );
  expect(services.filter(([, { profiles }]) => profiles?.includes('demo')).map(([name]) => name)).toEqual([
    'gateway-simulator',
  ]);
});

test.each(services)('every file that %s runs or mounts is there', (_, service) => {
  const commands = [service.command ?? [], service.healthcheck?.test ?? []].flat();
  const files = commands.filter((word) => /\.(ts|mjs|sh)$/.test(word)).map((word) => here(word, service));
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
const withVariables = (value: string) =>
  value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name) => (name === 'POS_SECRET_KEY' ? secretKey : 'x'));

test('every variable it takes from .env stands in .env.example', () => {
  for (const [, name] of text.matchAll(/\$\{(\w+)/g)) expect(example).toContain(`# ${name}=`);
});

test('only what migrates is the owner of the tables; the others cannot switch off a guard', () => {
  const users = ours.map(([name, { environment = {} }]) => [
    name,
    /^postgresql:\/\/(\w+):/.exec(String(environment['DATABASE_URL']))?.[1],
  ]);
  expect(users.filter(([, user]) => user === 'pos').map(([name]) => name)).toEqual(['migrate']);
  expect(users.filter(([, user]) => user !== 'pos').every(([, user]) => user === 'pos_app')).toBe(true);
  expect(file.services['migrate']?.environment?.['DATABASE_APP_ROLE']).toBe('pos_app');
});

test('no secret stands in the file', () => {
  for (const [name, { environment = {} }] of services)
    for (const [variable, value] of Object.entries(environment))
      if (/PASSWORD|PWD|SECRET|KEY/.test(variable))
        expect([name, variable, value]).toEqual([name, variable, expect.stringMatching(/^\$\{\w+:\?/)]);
});

test('every port leads to one that its process listens on', () => {
  const listens: Record<string, string> = {
    api: String(file.services['api']?.environment?.['PORT']),
    worker: String(file.services['worker']?.environment?.['METRICS_PORT']),
    'gateway-simulator': new URL(String(file.services['gateway-simulator']?.environment?.['GATEWAY_SIMULATOR_URL']))
      .port,
    'temporal-ui': String(file.services['temporal-ui']?.environment?.['TEMPORAL_UI_PORT']),
  };
  const led = services.flatMap(([name, { ports = [], expose = [], healthcheck }]) => [
    ...[...ports, ...expose].map((port) => [name, String(port).split(':').at(-1)]),
    ...(healthcheck?.test ?? []).flatMap((word) => (word.startsWith('http') ? [[name, new URL(word).port]] : [])),
  ]);
  expect(led.length).toBeGreaterThan(0);
  for (const [name, port] of led) expect([name, port]).toEqual([name, listens[name!]]);
});

test('the page that can say that money went back is reached from this machine only', () => {
  expect(file.services['temporal']?.ports).toBeUndefined();
  expect(file.services['temporal-ui']?.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
});

test('links lead to where that page is', () => {
  const [port = ''] = (file.services['temporal-ui']?.ports ?? []).map(String);
  for (const [name, { environment = {} }] of ours)
    expect([name, environment['TEMPORAL_UI_URL']]).toEqual([name, `http://${port.split(':').slice(0, 2).join(':')}`]);
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
    command.includes('cli/main.ts') ? [command.slice(command.indexOf('cli/main.ts') + 1)] : [],
  );
  expect(asked).toEqual([['temporal', 'set-up']]);
  let answered = 0;
  for (const words of asked)
    await createProgram({ answer: async () => void (answered += 1) }).parseAsync(words, { from: 'user' });
  expect(answered).toBe(asked.length);
});

test('the image runs as an ordinary user, on glibc, and holds every file it starts', () => {
  const image = readFileSync('Dockerfile', 'utf8');
  expect(image).toMatch(/^FROM node:24-bookworm-slim$/m);
  expect(image).toMatch(/^USER node$/m);
  expect(image).toMatch(/npm ci --omit=dev/);
  const [, command = '[]'] = /^CMD (.*)$/m.exec(image) ?? [];
  expect(existsSync(JSON.parse(command).at(-1))).toBe(true);
});
