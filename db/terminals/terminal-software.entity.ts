import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Terminal } from './terminal.entity.ts';

/** What a register runs, for the operator's page: the configuration it fetched last, and the program that did. */
export const TerminalSoftware = defineEntity({
  name: 'TerminalSoftware',
  tableName: 'pos_terminal_software',
  properties: {
    terminalId: () => p.manyToOne(Terminal).mapToPk().primary().fieldName('terminal_id').deleteRule('cascade'),
    /** Of the configuration that it fetched last, as the heartbeat tells it. */
    configHash: p.string().length(32).nullable(),
    fetchedAt: p.datetime(6).nullable(),
    /** The `User-Agent` of that request. */
    agent: p.string().length(255).nullable(),
    /** As its telemetry names it. */
    appVersion: p.string().length(64).nullable(),
  },
});

export type TerminalSoftware = InferEntity<typeof TerminalSoftware>;
