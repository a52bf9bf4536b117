const current = Symbol.for('pos.jest.globals');

/** What `@jest/globals` gives to modules that several test files share: each name means that of the file which runs. */
const ofRunningFile = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, args) => globalThis[current][name](...args),
    get: (_target, key) => globalThis[current][name][key],
  });

export const afterAll = ofRunningFile('afterAll');
export const afterEach = ofRunningFile('afterEach');
export const beforeAll = ofRunningFile('beforeAll');
export const beforeEach = ofRunningFile('beforeEach');
export const describe = ofRunningFile('describe');
export const expect = ofRunningFile('expect');
export const jest = ofRunningFile('jest');
export const test = ofRunningFile('test');
