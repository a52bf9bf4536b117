import { Secret, TOTP } from 'otpauth';
import { makeSecondFactor } from '../../api/ops/sign-in.ts';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { aRole } from './builders/counter.ts';
import { createStaff } from '../../db/staff/staff.ts';
import { everyResource } from '../../domain/platform/access.ts';
import type { TestApi } from './api.ts';

/** A person who signs in at the operator's page, with the key that is in the person's phone. */
export interface OpsPerson {
  name: string;
  password: string;
  secret: string | undefined;
}

let people = 0;

/** An administrator; with a phone that has the second factor, unless it is the first time. */
export async function anOpsAdmin(
  api: TestApi,
  { resources = [everyResource], isNew = false }: { resources?: readonly string[]; isNew?: boolean } = {},
): Promise<OpsPerson> {
  const username = `ops-admin-${++people}`;
  const password = `Grace-Hopper-${people}`;
  const userId = await createAdminUser(api.orm.em.fork(), {
    ...{ username, firstName: 'Grace', lastName: `Hopper ${people}`, email: `${username}@shop.example` },
    ...{ resources, passwordHash: await api.providers.passwords.hash(password) },
  });
  const factor = { userKind: 'admin', userId, name: username, by: 'a test', confirmedAt: new Date() } as const;
  const secret = isNew ? undefined : await makeSecondFactor(api.orm.em.fork(), api.providers.secrets, factor);
  return { name: username, password, secret };
}

/** A member of the staff with a second factor, unless it was never given. */
export async function anOpsMember(
  api: TestApi,
  wanted: { permissions: readonly string[]; locationIds?: readonly number[]; hasFactor?: boolean },
): Promise<OpsPerson & { staffId: number }> {
  const { permissions, locationIds, hasFactor = true } = wanted;
  const email = `ops-member-${++people}@shop.example`;
  const passcode = '246813';
  const em = api.orm.em.fork();
  const roleId = await aRole(em, {
    name: `role ${people}`,
    permissions: JSON.stringify(Object.fromEntries(permissions.map((key) => [key, true]))),
  });
  const { staffId } = await createStaff(em, {
    ...{ firstName: 'Ada', lastName: `Lovelace ${people}`, email, roleId },
    passcodeHash: await api.providers.passwords.hash(passcode),
    ...(locationIds === undefined ? { allLocations: true } : { locationIds }),
  });
  const factor = { userKind: 'staff', userId: staffId, name: email, by: 'a test', confirmedAt: new Date() } as const;
  const secret = hasFactor ? await makeSecondFactor(em.fork(), api.providers.secrets, factor) : undefined;
  return { name: email, password: passcode, secret, staffId };
}

/** What the phone shows; `ahead`: the code of so many half minutes later, which counts as well. */
export const codeOf = (secret: string, ahead = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 });

export interface OpsAnswer {
  status: number;
  text: string;
  headers: Headers;
}

/** A browser without scripts: it keeps cookies, follows where a form leads, and sends a page's forms. */
export function anOpsBrowser(api: TestApi, more: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const ask = async (path: string, init: RequestInit): Promise<OpsAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...more, ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(api.url + path, { ...init, redirect: 'manual', headers });
    keep(response);
    const to = response.headers.get('location');
    if (response.status === 303 && to !== null) return ask(to, {});
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: api.url, ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const get = (path: string) => ask(path, {});
  return {
    cookies,
    get,
    post,
    /** Sends a form of the page that is at `/ops`, with that session's token. */
    async send(path: string, fields: Record<string, string>, from = '/ops') {
      const { text } = await get(from);
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const own = new RegExp(`action="${path}"[^]*?</form>`).exec(text)?.[0] ?? '';
      const hidden = [...own.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const values = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
      return post(path, { csrf, ...values, ...fields });
    },
    signIn: ({ name, password, secret }: OpsPerson, ahead = 0) =>
      post('/ops/sign-in', { name, password, code: secret === undefined ? '' : codeOf(secret, ahead), next: '/ops' }),
  };
}

export type OpsBrowser = ReturnType<typeof anOpsBrowser>;
