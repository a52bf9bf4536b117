import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Terminal } from './terminal.entity.ts';

/** When a terminal was last heard of: narrow and without further indexes, so that each beat is one in-page update. */
export const TerminalHeartbeat = defineEntity({
  name: 'TerminalHeartbeat',
  tableName: 'pos_terminal_heartbeat',
  properties: {
    terminalId: () => p.manyToOne(Terminal).mapToPk().primary().fieldName('terminal_id').deleteRule('cascade'),
    lastSeenAt: p.datetime(6).nullable(),
  },
});

export type TerminalHeartbeat = InferEntity<typeof TerminalHeartbeat>;
