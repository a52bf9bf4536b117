declare module '@jest/globals' {
  export * from 'vitest';
  export { vi as jest } from 'vitest';
}
