import { registerHooks } from 'node:module';

/** Test files still say `@jest/globals`. */
const shim = new URL('./jest-shim.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: shim, shortCircuit: true } : next(specifier, context),
});
