import { runName } from './what-is-left.ts';

/** For a process that is to know nothing of this one: where programs are, and what Node compiled before. */
export const bareEnvironment = () => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  [runName]: process.env[runName],
});
