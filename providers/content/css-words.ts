/**
 * What a stylesheet of the shop's content may say; whatever is not named here is left out.
 *
 * Values are held against css-tree's own dictionary, so only functions and places need a list.
 */

/** At-rules whose rules are kept. `@import`, `@font-face`, `@charset` and `@namespace` are not: they fetch, or change everything. */
export const keptAtRules: ReadonlySet<string> = new Set(['media', 'supports', 'container', 'keyframes']);

/** Functions of values. `expression`, `attr`, `element`, `image-set`, `src` and `paint` are not among them. */
export const keptFunctions: ReadonlySet<string> = new Set([
  ...['calc', 'min', 'max', 'clamp', 'var', 'minmax', 'repeat', 'fit-content', 'counter', 'counters', 'env'],
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient'],
  ...['repeating-linear-gradient', 'repeating-radial-gradient', 'repeating-conic-gradient'],
  ...['translate', 'translatex', 'translatey', 'translatez', 'translate3d', 'scale', 'scalex', 'scaley', 'scalez'],
  ...['scale3d', 'rotate', 'rotatex', 'rotatey', 'rotatez', 'rotate3d', 'skew', 'skewx', 'skewy', 'matrix'],
  ...['matrix3d', 'perspective', 'cubic-bezier', 'steps', 'linear', 'blur', 'brightness', 'contrast', 'drop-shadow'],
  ...['grayscale', 'hue-rotate', 'invert', 'opacity', 'saturate', 'sepia', 'circle', 'ellipse', 'inset', 'polygon'],
  ...['path', 'rect', 'xywh'],
]);

/** Properties that run something in browsers of old, or that say where to fetch what is run. */
export const refusedProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding', 'src']);

/**
 * Content stands where the register puts it: it may not lie over the register's own buttons. What else could, such as
 * `absolute` or a margin below nothing, ends at the edge of its box (`render-content.ts`).
 */
export const refusedValues: Readonly<Record<string, ReadonlySet<string>>> = {
  position: new Set(['fixed', 'sticky', '-webkit-sticky']),
};

/** Words for the whole page. In content they mean its own box. */
export const pageSelectors: ReadonlySet<string> = new Set(['html', 'body', ':root']);
