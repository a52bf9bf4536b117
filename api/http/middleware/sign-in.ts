import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { openSecrets } from '../../../db/platform/access/create-signed-integration.ts';
import type { TokenHolder } from '../../../db/platform/access/find-token-holder.ts';
import { digestOf, isSameSecret } from '../../../db/platform/access/token-digest.ts';
import { noteTokenUse } from '../../../db/platform/access/token-life.ts';
import { findSigner, useNonce } from '../../../db/platform/access/use-nonce.ts';
import { notPermitted, unauthorized } from '../../../domain/errors.ts';
import {
  clockWindowSeconds,
  formPairs,
  isSigned,
  percentEncoded,
  readSignature,
  signatureBase,
  type SignedBy,
} from '../../../domain/platform/access.ts';
import type { Settings } from '../../../providers/settings.ts';
import { reached, type ApiParts } from '../api-parts.ts';
import { createTrust } from '../client-address.ts';
import { checkContentType } from '../read-bytes.ts';
import { secretBoxOf } from '../secret-box.ts';
import { aclOf, callerOf, findCaller, mayCall, tokenIn } from '../route-context.ts';
import type { AnyRoute } from '../route.ts';

/** The schemes and hosts by which a caller may have reached us, such as `https://shop.example:8443`. */
export type SeenOrigins = (request: IncomingMessage) => readonly string[];

/**
 * The address of the request itself, and `PUBLIC_BASE_URL`. A proxy's headers about the original address count only
 * where `TRUSTED_PROXIES` names it.
 */
export function createSeenOrigins({ TRUSTED_PROXIES, PUBLIC_BASE_URL }: Settings): SeenOrigins {
  const isTrusted = createTrust(TRUSTED_PROXIES);
  const ofShop = PUBLIC_BASE_URL === undefined ? [] : [PUBLIC_BASE_URL];
  return ({ headers, socket }) => {
    const isOurs = isTrusted(socket.remoteAddress ?? '');
    const forwarded = (name: string) => (isOurs ? first(headers[`x-forwarded-${name}`]) : undefined);
    const scheme = forwarded('proto') ?? 'http';
    const host = forwarded('host') ?? headers.host ?? '';
    const port = forwarded('port');
    const isNamed = port === undefined || /:\d+$/.test(host);
    return [`${scheme}://${isNamed ? host : `${host}:${port}`}`, ...ofShop];
  };
}

/** The value from the proxy nearest to the caller. */
function first(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
  return value === '' ? undefined : value;
}

/** A nonce is kept longer than its timestamp is accepted, because clocks of several servers differ. */
const nonceStoredMs = 2 * clockWindowSeconds * 1_000;

/**
 * The signer of a request (OAuth 1.0a, platform facts 1.1). Undefined without a signature, and for a disabled
 * integration, which has no rights.
 *
 * Each signed request is carried out once: its nonce is stored as soon as the signature is verified. The signature
 * covers the address as the caller saw it, the query and the header, but not a JSON body.
 *
 * Refused with: 400 the refusals of `readSignature`, a body that is not JSON · 401 an unknown or revoked key or
 * token, a wrong signature, a used nonce.
 */
function createSignatureCheck({ orm, settings }: ApiParts) {
  const originsOf = createSeenOrigins(settings);
  const box = secretBoxOf(settings);
  return async (request: IncomingMessage, now: Date): Promise<TokenHolder | undefined> => {
    const { authorization } = request.headers;
    if (!isSigned(authorization)) return undefined;
    const signed = readSignature(authorization, now);
    // A form would be part of the signature. Bodies are JSON, so a form is refused before it is read.
    if (request.headers['content-type'] !== undefined) checkContentType(request.headers['content-type']);
    const signer = await reached(findSigner(orm.em, signed.consumerKey));
    if (!signer) throw unauthorized('A consumer having the specified key does not exist');
    if (!isSameSecret(digestOf(signed.token), signer.digest)) throw unauthorized('Specified token does not exist');
    if (signer.revokedAt !== null) throw unauthorized('Access token has been revoked');

    const secrets = openSecrets(signer.sealedSecrets ?? '', box);
    const isRight = originsOf(request).some((origin) =>
      isSameSecret(signatureOf(signed, { request, origin, secrets }), signed.signature),
    );
    if (!isRight) throw unauthorized('The signature is invalid. Verify and try again.');
    const storedForMs = signed.timestamp * 1_000 + nonceStoredMs - now.getTime();
    const { tokenId, integrationId, name, resources } = signer;
    const isNew = await reached(useNonce(orm.em, { tokenId, nonce: signed.nonce, keptForMs: storedForMs }));
    if (signer.isUnnoted) noteTokenUse(orm.em, signer.digest);
    if (!isNew) throw unauthorized('The nonce is already being used by the consumer with ID %1', [integrationId]);
    if (!signer.isActive) return undefined;
    return { userType: 'integration', userId: integrationId, name, resources, websiteId: null };
  };
}

interface SignedPlace {
  request: IncomingMessage;
  origin: string;
  secrets: readonly string[];
}

function signatureOf({ pairs, method }: SignedBy, { request, origin, secrets }: SignedPlace): string {
  const url = request.url ?? '/';
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
  const base = signatureBase({
    verb: request.method ?? 'GET',
    origin,
    path,
    pairs: [...pairs, ...formPairs(query)],
  });
  const hash = method === 'HMAC-SHA256' ? 'sha256' : 'sha1';
  return createHmac(hash, secrets.map(percentEncoded).join('&')).update(base).digest('base64');
}

/** Makes the middleware that lets in whom a route is for. */
export type SignIn = (route: AnyRoute) => Middleware;

/**
 * Lets a caller in, by its token or its signature (platform facts 1.1).
 *
 * Refused with: 400 a malformed signature · 401 who has not every resource of the route · 503 the database is away.
 */
export function createSignIn(parts: ApiParts): SignIn {
  const { orm, clock } = parts;
  const checkSignature = createSignatureCheck(parts);
  return (route) => async (ctx, next) => {
    const { req, state } = ctx;
    const { store } = state;
    const now = clock();
    const signer = await checkSignature(req, now);
    const token = tokenIn(req.headers.authorization);
    const caller = signer ? callerOf(signer, store) : await reached(findCaller(orm.em, token, { now, store }));
    if (!mayCall(caller, route)) throw notPermitted(aclOf(route));
    state.now = now;
    state.caller = caller;
    return next();
  };
}
