import { types } from 'node:util';

/**
 * Jest gives each test file classes of its own. An error that Node made, of a file that is not there for one, is of
 * Node's classes: `instanceof` knows it here all the same, as it does in the service.
 */
for (const kind of [Error, TypeError, RangeError, SyntaxError, AggregateError])
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(this: Function, value: unknown): boolean {
      if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
      // A subclass inherits this, and is not meant.
      return this === kind && types.isNativeError(value) && isNamed(value, kind.name);
    },
  });

/** One of its classes has the name. */
function isNamed(value: object, name: string): boolean {
  const above: object | null = Object.getPrototypeOf(value);
  return above !== null && (above.constructor.name === name || isNamed(above, name));
}
