import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSettings, settingsSchema } from '../../providers/settings.ts';

const text = readFileSync('.env.example', 'utf8');
const shown = [...text.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({ name, value }));
const [, forCompose = ''] = text.split('# Read by docker-compose.yml only');
const compose = new Set([...forCompose.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name));

test('.env.example documents every setting once, and none that is not read', () => {
  const documented = shown.map(({ name }) => name).filter((name) => !compose.has(name));
  expect(documented.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted());
});

test('every value it shows would be accepted', () => {
  for (const { name, value } of shown) expect(() => parseSettings({ [name]: value })).not.toThrow();
});

test('nothing in it is set, so that a plain copy changes nothing', () => {
  expect(text).not.toMatch(/^[A-Z_]+=/m);
});

test('what it shows as a default is the default', () => {
  const defaults = parseSettings({});
  for (const name of ['HOST', 'TEMPORAL_NAMESPACE', 'POS_DATA_DIR', 'MAIL_FROM', 'LOG_LEVEL', 'TZ_SERVER'] as const)
    expect(shown.find((one) => one.name === name)?.value).toBe(defaults[name]);
});
