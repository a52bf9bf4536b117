import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import type { CommandContext } from '../../cli/support.ts';
import { createSecretBox } from '../../db/support/secret-box.ts';
import { parseSettings } from '../../providers/settings.ts';

/** Five in the afternoon of the day of sales. */
export const closingTime = new Date('2026-11-20T17:00:00Z');

const key = randomBytes(32).toString('base64');

/** What commands are given, on a database of the test. */
export const commandContextOf = (orm: MikroORM, parts: Partial<CommandContext> = {}): CommandContext => ({
  settings: parseSettings({}),
  ready: undefined,
  em: async () => orm.em.fork(),
  workflows: () => Promise.reject(new Error('no message was to be sent')),
  secrets: () => createSecretBox(key),
  now: () => closingTime,
  ...parts,
});

/** Takes down every question and does what it would do. */
export function recordingWorkflows(answer: () => Promise<unknown>) {
  const asked: {
    update: string;
    workflow: string;
    id: string;
    input: unknown;
    request: unknown;
    operationKey: string;
  }[] = [];
  const workflows: Workflows = {
    async ask({ update, workflow, id, input, request, operationKey }) {
      asked.push({ update: update.name, workflow, id, input, request, operationKey });
      return (await answer()) as never;
    },
    signal: () => Promise.reject(new Error('no signal was to be sent')),
    start: () => Promise.reject(new Error('no workflow was to be started')),
    refuseWhileAway: async () => undefined,
    isReachable: async () => true,
  };
  return { asked, workflows };
}
