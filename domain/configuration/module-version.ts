/** What registers branch on (spec 9). */
export const moduleVersion = '1.3.0';
