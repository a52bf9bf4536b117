/**
 * Message definitions as plain objects, equal to those of `@temporalio/workflow`. Processes that only send messages
 * need no sandbox code.
 */
import type { QueryDefinition, SignalDefinition, UpdateDefinition } from '@temporalio/common';

export const defineUpdate = <Answer, Arguments extends unknown[] = []>(name: string) =>
  ({ type: 'update', name }) as UpdateDefinition<Answer, Arguments>;

export const defineSignal = <Arguments extends unknown[] = []>(name: string) =>
  ({ type: 'signal', name }) as SignalDefinition<Arguments>;

export const defineQuery = <Answer, Arguments extends unknown[] = []>(name: string) =>
  ({ type: 'query', name }) as QueryDefinition<Answer, Arguments>;
