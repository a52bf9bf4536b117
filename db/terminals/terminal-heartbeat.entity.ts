import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Terminal } from './terminal.entity.ts';

/**
 * The last heartbeat of a terminal: narrow and without further indexes, so that each heartbeat updates one page in
 * place.
 */
export const TerminalHeartbeat = defineEntity({
  name: 'TerminalHeartbeat',
  tableName: 'pos_terminal_heartbeat',
  properties: {
    terminalId: () => p.manyToOne(Terminal).mapToPk().primary().fieldName('terminal_id').deleteRule('cascade'),
    lastSeenAt: p.datetime(6).nullable(),
  },
});

export type TerminalHeartbeat = InferEntity<typeof TerminalHeartbeat>;
