import type { LogMetadata, Logger } from '@temporalio/worker';
import type { Log } from '../providers/log.ts';

/** Fields of the SDK's log lines that hold no payload and name the work. */
const ourFacts = ['workflowId', 'workflowType', 'runId', 'activityType', 'activityId', 'attempt', 'taskQueue', 'error'];

/** Expected: the mail queue has no workflows. */
const expected = 'No workflows registered, not polling for workflow tasks';

/**
 * The destination of Temporal's log lines. Lines of workflow code keep their level. The SDK's own information is
 * written at `debug`; its warnings and errors keep their level.
 *
 * Its traces contain whole activations with people's texts, so they are never written. Of its other lines only the
 * fields that name the work are kept.
 */
export function temporalLogger(log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>): Logger {
  const quiet = (message: string, facts?: LogMetadata) =>
    isOurs(facts) ? log.info(factsOf(facts), message) : log.debug(factsOf(facts), message);
  const loud = (level: 'debug' | 'warn' | 'error') => (message: string, facts?: LogMetadata) =>
    log[level](factsOf(facts), message);
  const warn = (message: string, facts?: LogMetadata) => loud(message === expected ? 'debug' : 'warn')(message, facts);
  const by = { TRACE: () => undefined, DEBUG: loud('debug'), INFO: quiet, WARN: warn, ERROR: loud('error') };
  return {
    log: (level, message, facts) => by[level](message, facts),
    trace: by.TRACE,
    debug: by.DEBUG,
    info: by.INFO,
    warn: by.WARN,
    error: by.ERROR,
  };
}

/** Written by our workflow or activity code, not by the SDK about it. */
const isOurs = (facts: LogMetadata = {}) =>
  facts['sdkComponent'] === 'workflow' || facts['sdkComponent'] === 'activity';

const factsOf = (facts: LogMetadata = {}): LogMetadata =>
  isOurs(facts) ? facts : Object.fromEntries(ourFacts.flatMap((name) => (name in facts ? [[name, facts[name]]] : [])));
