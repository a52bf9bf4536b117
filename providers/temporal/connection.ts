import { readFileSync } from 'node:fs';
import { WrongSetting, type Settings } from '../settings.ts';

/**
 * The options for connecting to Temporal: plain on one machine, elsewhere with TLS and an API key. Reads the key
 * files once.
 *
 * Throws `WrongSetting` for a file that cannot be read.
 */
export function temporalConnectionOptions(settings: Settings, address: string) {
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, TEMPORAL_TLS_CA: ca, TEMPORAL_API_KEY: apiKey } = settings;
  const tls = {
    ...(cert && key
      ? { clientCertPair: { crt: read('TEMPORAL_TLS_CERT', cert), key: read('TEMPORAL_TLS_KEY', key) } }
      : {}),
    ...(ca ? { serverRootCACertificate: read('TEMPORAL_TLS_CA', ca) } : {}),
  };
  const isSecured = cert !== undefined || ca !== undefined || apiKey !== undefined;
  return {
    address,
    ...(isSecured ? { tls } : {}),
    ...(apiKey === undefined ? {} : { apiKey, metadata: { 'temporal-namespace': settings.TEMPORAL_NAMESPACE } }),
  };
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongSetting(`${name} names a file that cannot be read (${reason}).`);
  }
}
