import type { Context } from 'koa';
import { endOpsSession, findOpsSession, mostHours, openOpsSession, type OpsSessionRow } from '../../db/ops/people.ts';
import { zoneOfShops } from '../../db/ops/read-day.ts';
import { digestOf, isSameSecret } from '../../db/platform/access/token-digest.ts';
import { invalid, PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { isStorableText } from '../../domain/storable-text.ts';
import { publicUrlOf } from '../../providers/settings.ts';
import type { ApiParts } from '../http/api-parts.ts';
import { createClientAddress, createTrust } from '../http/client-address.ts';
import { defaultTimeoutMs, inTime } from '../http/in-time.ts';
import { readForm } from '../http/read-form.ts';
import { publicHeaders, setAll } from '../http/write-answer.ts';
import { refusalFor } from '../wire/envelope.ts';
import { bookPages } from './books.ts';
import { doubtPages } from './doubts.ts';
import { isCodeTaken, keyHtml, keyToShow, signInHere } from './sign-in.ts';
import { drawerPages } from './drawers.ts';
import { endpointPages } from './endpoints.ts';
import { form, formatsOf, localeOf, notice, pageHtml, paragraph, style, type Banner, type Html } from './html.ts';
import { listPages } from './lists.ts';
import { promisedCreditPages } from './promised-credit.ts';
import { returnPages } from './returns.ts';
import { todayPages } from './today.ts';
import { storyPages } from './story.ts';
import { opsPrefix, personOf, visitIn, type OpsPage, type PageAnswer, type Person, type Visit } from './visit.ts';
import type { Words } from './english-words.ts';
import { languageOf, wordsOf, type Language } from './words.ts';

/** Every page and every action. */
export const opsPages: readonly OpsPage[] = [
  ...doubtPages,
  ...returnPages,
  ...promisedCreditPages,
  ...storyPages,
  ...todayPages,
  ...drawerPages,
  ...listPages,
  ...endpointPages,
  ...bookPages,
];

const cookieName = 'pos_ops';
const languageCookie = 'pos_ops_language';

/** No script, no style but our file, no frame, and forms that come back here. */
const headers = [
  ...publicHeaders.filter(([name]) => name !== 'Referrer-Policy'),
  // A form tells where it comes from; other places learn nothing.
  ['Referrer-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ],
] as const;

/** One request for a page, before it is known whose it is. */
interface Asking {
  ctx: Context;
  parts: ApiParts;
  /** Below `/ops`. */
  path: string;
  query: URLSearchParams;
  requestId: string;
  lang: Language;
  w: Words;
  now: Date;
  clientAddress: string;
  isSecure: boolean;
  isTemporalThere: () => Promise<boolean>;
}

/**
 * Serves the operator's page. It works without scripts, and lets none in.
 *
 * Every POST must come from a page of ours, and carry the token of its session. A refusal is a page, too.
 */
export function createOpsPages(parts: ApiParts): (ctx: Context, path: string) => Promise<boolean> {
  const addressOf = createClientAddress(parts.settings.TRUSTED_PROXIES);
  const isTrusted = createTrust(parts.settings.TRUSTED_PROXIES);
  const isPublicSecure = publicUrlOf(parts.settings).startsWith('https:');
  const isTemporalThere = lookingForTemporal(parts);

  return async (ctx, path) => {
    const peer = ctx.req.socket.remoteAddress ?? '';
    const query = new URLSearchParams(/\?([^#]*)/.exec(ctx.req.url ?? '')?.[1] ?? '');
    const lang = languageOf(cookieOf(ctx, languageCookie), ctx.get('accept-language'));
    const request: Asking = {
      ...{ ctx, parts, query, lang, w: wordsOf(lang), now: parts.clock(), isTemporalThere },
      path: path.slice(opsPrefix.length).replace(/\/$/, '') || '/',
      requestId: ctx.state.requestId,
      clientAddress: addressOf(peer, ctx.get('x-forwarded-for') || undefined),
      isSecure: isPublicSecure || (isTrusted(peer) && ctx.get('x-forwarded-proto') === 'https'),
    };
    setAll(ctx, ctx.state.headers);
    setAll(ctx, headers);
    await inDeadline(request).catch((error: unknown) => writeFault(request, error));
    return true;
  };
}

/** Each look for a server that is away takes a second: so no page waits for it twice in a moment. */
const awayForMs = 5_000;

/** Whether decisions can be carried out now, for a sentence on the page: a decision asks for itself. */
function lookingForTemporal({ workflows }: ApiParts): () => Promise<boolean> {
  let awayUntil = -Infinity;
  return async () => {
    if (performance.now() < awayUntil) return false;
    const isThere = await workflows.refuseWhileAway().then(
      () => true,
      () => false,
    );
    if (!isThere) awayUntil = performance.now() + awayForMs;
    return isThere;
  };
}

/** A press of a button has the deadline of a write: its work goes on behind it, and a repeat is safe. */
function inDeadline(request: Asking): Promise<void> {
  if (request.ctx.method !== 'POST') return answer(request);
  return inTime((progress) => {
    progress.begin();
    progress.isWrite();
    return answer(request);
  }, defaultTimeoutMs);
}

async function answer(request: Asking): Promise<void> {
  const { ctx, path } = request;
  if (path === '/style.css') return writeFile(ctx, { type: 'text/css; charset=utf-8', file: style }, 86_400);
  const isPost = ctx.method === 'POST';
  if (!isPost && ctx.method !== 'GET' && ctx.method !== 'HEAD') throw notThere(request, 405);
  if (![...request.query].flat().every(isStorableText)) throw invalid(request.w.queryNotText);
  if (path.startsWith('/language/')) return chooseLanguage(request);
  if (isPost && !comesFromHere(ctx)) throw invalid(request.w.sessionOver);
  const field = isPost ? await readForm(ctx) : () => '';
  if (isPost && path === '/sign-in') return signIn(request, field);
  const token = cookieOf(ctx, cookieName) ?? '';
  const session = token === '' ? undefined : await findOpsSession(request.parts.orm.em.fork(), token);
  const person = session && personOf(session);
  if (!session || !person) {
    return isPost ? signInPage(request, [{ kind: 'bad', text: request.w.sessionOver }], 401) : signInPage(request);
  }
  const csrf = csrfOf(token);
  if (isPost && !isSameSecret(field('csrf'), csrf)) throw invalid(request.w.sessionOver);
  if (isPost && path === '/sign-out') return signOut(request, token);
  if (session.isEnrolling) return enrol(request, { session, person, token, csrf, field });
  return openPage(request, { person, csrf, field });
}

async function openPage(
  request: Asking,
  { person, csrf, field }: { person: Person; csrf: string; field: Visit['field'] },
): Promise<void> {
  const { ctx, parts, lang, path, query, now, w } = request;
  if (path === '/sign-in') return goTo(ctx, nextOf(query));
  const em = parts.orm.em.fork();
  const locale = localeOf(lang, ctx.get('accept-language'));
  const timeZone = (await zoneOfShops(em)) ?? parts.settings.TZ_SERVER;
  const visit: Visit = {
    ...{ parts, em, person, csrf, lang, w, now, query, field, requestId: request.requestId, incoming: ctx.req },
    clientAddress: request.clientAddress,
    ...{ locale, timeZone, f: formatsOf(locale, timeZone) },
    params: {},
  };
  const menu = opsPages.filter((page) => page.menu !== undefined && person.may(page.right));
  const count = () => Promise.all(menu.map(async (page) => (page.count ? await page.count(visit) : 0)));
  // An action changes what is counted; a page does not.
  const counted = ctx.method === 'POST' ? undefined : count().catch((error: unknown) => ({ error }));
  const [isReachable, answered] = await Promise.all([
    request.isTemporalThere(),
    pageOf(request, visit).catch((error: unknown) => refusedPage(request, error)),
  ]);
  if ('to' in answered) return goTo(ctx, answered.to);
  if ('file' in answered) {
    ctx.res.setHeader('Content-Disposition', `attachment; filename="${answered.name}"`);
    return writeFile(ctx, answered, 0);
  }
  const counts = await (counted ?? count());
  if ('error' in counts) throw counts.error;
  write(request, answered.status ?? 200, {
    ...answered,
    csrf,
    person: person.name,
    zone: zoneInWords(visitIn(visit, answered.timeZone ?? timeZone)),
    banners: [...(isReachable ? [] : [{ kind: 'bad', text: w.away } satisfies Banner]), ...(answered.banners ?? [])],
    pages: menu.map((page, at) => ({
      href: page.path === '/' ? opsPrefix : opsPrefix + page.path,
      name: page.menu?.(w) ?? '',
      isHere: page.path === path,
      count: counts[at] ? visit.f.number(counts[at]) : '',
    })),
  });
}

async function pageOf(request: Asking, visit: Visit): Promise<PageAnswer> {
  const method = request.ctx.method === 'POST' ? 'POST' : 'GET';
  for (const page of opsPages) {
    const params = page.method === method ? paramsOf(page.path, request.path) : undefined;
    if (!params) continue;
    if (!visit.person.may(page.right)) {
      const other = opsPages.find(({ menu, right }) => menu !== undefined && visit.person.may(right));
      if (page.path === '/' && other) return { to: opsPrefix + other.path };
      throw new PosError({ status: 403, message: request.w.notAllowed });
    }
    return page.handle({ ...visit, params });
  }
  throw notThere(request);
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [requested, input] = [pattern.split('/'), path.split('/')];
  if (requested.length !== input.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, word] of requested.entries()) {
    const value = input[at] ?? '';
    if (word.startsWith(':')) params[word.slice(1)] = value;
    else if (word !== value) return undefined;
  }
  return params;
}

const notThere = ({ w }: Asking, status = 404) => new PosError({ status, message: w.notThere });

/** A refusal as a page, with its sentence; a fault is logged as any fault of the API is. */
function refusedPage({ parts, requestId, ctx, path, w }: Asking, error: unknown): PageAnswer {
  const refusal = refusalFor(error, parts.log, { requestId, method: ctx.method, path: opsPrefix + path });
  return {
    title: w.product,
    status: refusal.status,
    body: [notice({ kind: 'bad', text: inWords(refusal) }), ...linkBack(w)],
  };
}

const linkBack = (w: Words): Html[] => [
  form({ action: opsPrefix, method: 'get', buttons: [{ text: w.goOn, kind: 'main' }] }),
];

/** Where nobody is known yet. */
function writeFault(request: Asking, error: unknown): void {
  const page = refusedPage(request, error);
  if ('body' in page) write(request, page.status ?? 500, page);
}

function signInPage(request: Asking, banners: readonly Banner[] = [], status = 200): void {
  const { ctx, w, path, query } = request;
  // From a mail the browser sends no cookie of this strictness: the page asks for itself again, from here.
  const isFromOutside = ctx.get('sec-fetch-site') === 'cross-site' && ctx.method === 'GET' && !query.has('again');
  const here = `${opsPrefix}${path === '/' ? '' : path}`;
  if (isFromOutside) {
    query.set('again', '1');
    const refresh = `${here}?${query.toString()}`;
    return write(request, 200, { title: w.product, refresh, body: [paragraph(w.goOn)] });
  }
  query.delete('again');
  const next = path === '/sign-in' ? nextOf(query) : `${here}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const fields = [
    { name: 'name', label: w.name, autocomplete: 'username', isRequired: true },
    { name: 'password', label: w.password, type: 'password', autocomplete: 'current-password', isRequired: true },
    { name: 'code', label: w.code, help: w.codeHelp, autocomplete: 'one-time-code', inputmode: 'numeric', most: 7 },
  ] as const;
  write(request, status, {
    title: w.signIn,
    banners,
    body: [form({ action: '/ops/sign-in', hidden: { next }, fields, buttons: [{ text: w.signIn, kind: 'main' }] })],
  });
}

async function signIn(request: Asking, field: Visit['field']): Promise<void> {
  const { ctx, parts, w, query } = request;
  query.set('next', field('next'));
  const input = { name: field('name').trim(), password: field('password'), code: field('code') };
  const signedIn = await signInHere({ ...request, em: parts.orm.em.fork() }, input);
  if (signedIn === 'wrong') return signInPage(request, [{ kind: 'bad', text: w.signInWrong }], 401);
  if (signedIn === 'wrong_factor_first') return signInPage(request, [{ kind: 'bad', text: w.factorFirst }], 401);
  if (signedIn === 'no_factor') return signInPage(request, [{ kind: 'bad', text: w.noFactor }], 403);
  setCookie(request, cookieName, signedIn.token, mostHours * 3_600);
  goTo(ctx, signedIn.isEnrolling ? `${opsPrefix}/enrol` : nextOf(query));
}

interface Enrolling {
  session: OpsSessionRow;
  person: Person;
  token: string;
  csrf: string;
  field: Visit['field'];
}

/** An administrator's first sign-in: the phone learns the key, and proves it by a code. */
async function enrol(request: Asking, { session, person, token, csrf, field }: Enrolling): Promise<void> {
  const { ctx, parts, w, now } = request;
  const em = parts.orm.em.fork();
  const box = parts.providers.secrets;
  const isCode = ctx.method === 'POST';
  if (isCode && (await isCodeTaken(em, session, { code: field('code'), box, now }))) {
    await endOpsSession(em, token);
    setCookie(request, cookieName, await openOpsSession(em, { ...session, isEnrolling: false }), mostHours * 3_600);
    return goTo(ctx, opsPrefix);
  }
  const key = await keyToShow(em, box, { ...session, name: person.name });
  if (key === 'confirmed') return signOut(request, token);
  const code = { name: 'code', label: w.firstCode, autocomplete: 'one-time-code', inputmode: 'numeric', most: 7 };
  write(request, isCode ? 400 : 200, {
    title: w.enrol,
    banners: isCode ? [{ kind: 'bad', text: w.enrolWrong }] : [],
    body: [
      ...(key === undefined ? [paragraph(w.keyWasShown)] : keyHtml(key.secret, person.email, w)),
      paragraph(w.enrolThen),
      form({
        ...{ action: '/ops/enrol', csrf, fields: [{ ...code, isRequired: true }] },
        buttons: [{ text: w.goOn, kind: 'main' }],
      }),
      ...(key === undefined ? [form({ action: '/ops/sign-out', csrf, buttons: [{ text: w.newKey }] })] : []),
    ],
  });
}

async function signOut(request: Asking, token: string): Promise<void> {
  await endOpsSession(request.parts.orm.em.fork(), token);
  setCookie(request, cookieName, '', 0);
  goTo(request.ctx, `${opsPrefix}/sign-in`);
}

function chooseLanguage(request: Asking): void {
  const { path, query, ctx } = request;
  setCookie(request, languageCookie, languageOf(path.split('/')[2]), 365 * 86_400);
  goTo(ctx, nextOf(query));
}

/** A page of ours to go on to; never another place. */
const nextOf = (query: URLSearchParams): string => {
  const next = query.get('next') ?? '';
  return /^\/ops(?:[/?][\w\-./?=&%+]*)?$/.test(next) && !next.includes('//') ? next : opsPrefix;
};

interface Written {
  title: string;
  body: readonly Html[];
  banners?: readonly Banner[];
  pages?: Parameters<typeof pageHtml>[0]['pages'];
  csrf?: string;
  person?: string;
  refresh?: string;
  zone?: string;
}

const zoneInWords = ({ w, f, timeZone, now }: Visit): string => w.timesAreIn(timeZone, f.zoneName(now));

function write({ ctx, lang, w, path, query }: Asking, status: number, page: Written): void {
  const here = `${opsPrefix}${path === '/' ? '' : path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const other = lang === 'en' ? 'de' : 'en';
  const otherLanguage = {
    href: `${opsPrefix}/language/${other}?next=${encodeURIComponent(ctx.method === 'POST' ? opsPrefix : here)}`,
    lang: other,
    name: other === 'de' ? 'Deutsch' : 'English',
  } as const;
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'text/html; charset=utf-8');
  ctx.res.setHeader('Content-Language', lang);
  ctx.body = pageHtml({ banners: [], pages: [], csrf: '', person: '', refresh: '', ...page, lang, w, otherLanguage });
}

function writeFile(ctx: Context, { type, file }: { type: string; file: string }, storedSeconds: number): void {
  if (storedSeconds > 0) ctx.res.setHeader('Cache-Control', `max-age=${storedSeconds}`);
  ctx.status = 200;
  ctx.res.setHeader('Content-Type', type);
  ctx.body = file;
}

/** After a form: a reload of the page that follows sends nothing again. */
function goTo(ctx: Context, to: string): void {
  ctx.status = 303;
  ctx.res.setHeader('Location', to);
  ctx.body = '';
}

function cookieOf(ctx: Context, name: string): string | undefined {
  const parts = (ctx.get('cookie') || '').split(';').map((part) => part.trim());
  return parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** No script reads it, no other place sends it, and only https carries it where there is https. */
function setCookie({ ctx, isSecure }: Asking, name: string, value: string, seconds: number): void {
  const words = [`${name}=${value}`, 'Path=/ops', 'HttpOnly', 'SameSite=Strict', `Max-Age=${seconds}`];
  ctx.append('Set-Cookie', [...words, ...(isSecure ? ['Secure'] : [])].join('; '));
}

/** Bound to the session: who cannot read its cookie cannot make it. */
const csrfOf = (token: string) => digestOf(`csrf ${token}`);

/** A browser says where a form comes from, in one header or the other. */
function comesFromHere(ctx: Context): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '' && site !== 'same-origin') return false;
  const origin = ctx.get('origin');
  if (origin === '') return true;
  return URL.canParse(origin) && [ctx.get('host'), ctx.get('x-forwarded-host')].includes(new URL(origin).host);
}
