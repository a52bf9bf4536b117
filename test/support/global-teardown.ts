// Jest takes a file for each of the two.
export { tearDown as default } from './global-setup.ts';
