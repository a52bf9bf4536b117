/**
 * The CSS that the shop's content may use; anything not listed here is removed.
 *
 * Values are checked against css-tree's own dictionary, so only functions and positions need a list.
 */

/**
 * At-rules whose rules are kept. `@import`, `@font-face`, `@charset` and `@namespace` are removed: they fetch files
 * or affect the whole page.
 */
export const keptAtRules: ReadonlySet<string> = new Set(['media', 'supports', 'container', 'keyframes']);

/** Functions in values. `expression`, `attr`, `element`, `image-set`, `src` and `paint` are removed. */
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

/** Properties that run code in old browsers, or that name a file with code. */
export const refusedProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding', 'src']);

/**
 * Content stays where the register puts it: it must not cover the register's own buttons. Other ways, such as
 * `absolute` or a negative margin, end at the edge of its box (`render-content.ts`).
 */
export const refusedValues: Readonly<Record<string, ReadonlySet<string>>> = {
  position: new Set(['fixed', 'sticky', '-webkit-sticky']),
};

/** Selectors of the whole page. In content they mean its own box. */
export const pageSelectors: ReadonlySet<string> = new Set(['html', 'body', ':root']);
