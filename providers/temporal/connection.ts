import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
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
      ? {
          clientCertPair: {
            crt: readCertificate('TEMPORAL_TLS_CERT', cert),
            key: readCertificate('TEMPORAL_TLS_KEY', key),
          },
        }
      : {}),
    ...(ca ? { serverRootCACertificate: readCertificate('TEMPORAL_TLS_CA', ca) } : {}),
  };
  const isSecured = cert !== undefined || ca !== undefined || apiKey !== undefined;
  return {
    address,
    ...(isSecured ? { tls } : {}),
    ...(apiKey === undefined ? {} : { apiKey, metadata: { 'temporal-namespace': settings.TEMPORAL_NAMESPACE } }),
  };
}

/**
 * The client's own repeats of a call, which end with their connection. The client repeats by a timer: one that runs out
 * after the connection was closed throws where nobody can catch it. So none begins any more once `end` is called, and
 * `end` waits for those that are due, some seconds at most.
 */
export function repeatsThatEnd() {
  const usual = defaultGrpcRetryOptions();
  let isEnding = false;
  let lastDue = 0;
  const interceptor = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) =>
      !isEnding && !isCrowdedRun(status) && usual.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const delayMs = usual.delayFunction(attempt, status);
      lastDue = Math.max(lastDue, performance.now() + delayMs);
      return delayMs;
    },
  });
  return {
    interceptors: [interceptor],
    end: async (): Promise<void> => {
      isEnding = true;
      const left = lastDue - performance.now();
      if (left > 0) await pause(left + timerSlackMs);
    },
  };
}

/**
 * More requests of one run at the same time than the server takes. The usual pause of nearly two seconds is as long as
 * a cashier's request may take to begin: who sends it repeats it sooner.
 */
const isCrowdedRun = ({ code, details }: { code: number; details: string }) =>
  code === resourceExhausted && details.startsWith('Update-with-Start');

/** The code of gRPC. */
const resourceExhausted = 8;

/** A timer may run out a little later than it was set to. */
const timerSlackMs = 50;

function readCertificate(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WrongSetting(`${name} names a file that cannot be read (${reason}).`);
  }
}
