import type { Scenario } from '../scenario.ts';
import { firstIds, terminalCount } from '../shop.ts';

const path = (terminalId: number) => `/V1/pos/terminals/${terminalId}/config`;
const subjectOf = (n: number) => firstIds.pos_terminal + (n % terminalCount);

/** Registers of twenty locations start while nothing has changed, beside the same bytes without a database. */
export const warmTerminalConfig: Scenario = {
  name: 'terminal config, warm',
  loads: [{ connections: 16, atLeast: null, atMost: 1.5 }],
  request: (terminalId) => ({ method: 'GET', path: path(terminalId) }),
  subjectOf,
  plain: 'static',
};

/**
 * The same beside a route that reads one row with a prepared statement and answers the same bytes: the minimum for an
 * answer that is never outdated. Concurrent requests share their reads, so it can be beaten.
 */
export const warmTerminalConfigBesideRead: Scenario = {
  ...warmTerminalConfig,
  name: 'terminal config, warm, beside one read',
  loads: [{ connections: 16, atLeast: null }],
  plain: 'read',
  edit: (_recorded, terminalId) => [
    {
      text: 'select terminal_id, config_overrides from pos_terminal where terminal_id = $1',
      values: [terminalId],
      rows: [],
    },
  ],
};

/** The same with everything read again, beside the same statements and the same answer encoded twice. */
export const coldTerminalConfig: Scenario = {
  name: 'terminal config, cold',
  loads: [{ connections: 16, atLeast: null, atMost: 1.3 }],
  request: (terminalId) => ({ method: 'GET', path: path(terminalId), headers: { 'cache-control': 'no-cache' } }),
  subjectOf,
  plain: 'encoded',
};
