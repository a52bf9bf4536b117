/** The version by which registers decide which features they use (spec 9). */
export const moduleVersion = '1.3.0';
