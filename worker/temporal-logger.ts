import type { LogMetadata, Logger } from '@temporalio/worker';
import type { Log } from '../providers/log.ts';

/** Facts of the SDK's own lines that hold no payload, and say which work a line is about. */
const ourFacts = ['workflowId', 'workflowType', 'runId', 'activityType', 'activityId', 'attempt', 'taskQueue', 'error'];

/** The queue for mail has no workflows, on purpose. */
const expected = 'No workflows registered, not polling for workflow tasks';

/**
 * Where Temporal's lines go. Workflow code speaks at the level it chose; the SDK's own talk is for who asks for it
 * (`debug`), its warnings and errors are ours.
 *
 * Its traces hold whole activations, with what people wrote in them: they are never written. Of its other lines only what
 * names the work is.
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

/** Said by a workflow or an activity of ours, not by the SDK about it. */
const isOurs = (facts: LogMetadata = {}) =>
  facts['sdkComponent'] === 'workflow' || facts['sdkComponent'] === 'activity';

const factsOf = (facts: LogMetadata = {}): LogMetadata =>
  isOurs(facts) ? facts : Object.fromEntries(ourFacts.flatMap((name) => (name in facts ? [[name, facts[name]]] : [])));
