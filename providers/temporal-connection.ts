import { readFileSync } from 'node:fs';
import type { Settings } from './settings.ts';

/** How to reach Temporal: plain on one machine, with TLS and an API key elsewhere. Reads the key files once. */
export function temporalConnectionOptions(settings: Settings, address: string) {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_TLS_CA: ca, TEMPORAL_API_KEY: apiKey } = settings;
  const tls = {
    ...(cert && key ? { clientCertPair: { crt: readFileSync(cert), key: readFileSync(key) } } : {}),
    ...(ca ? { serverRootCACertificate: readFileSync(ca) } : {}),
  };
  const isSecured = cert !== undefined || ca !== undefined || apiKey !== undefined;
  return {
    address,
    ...(isSecured ? { tls } : {}),
    ...(apiKey === undefined ? {} : { apiKey, metadata: { 'temporal-namespace': settings.TEMPORAL_NAMESPACE } }),
  };
}
