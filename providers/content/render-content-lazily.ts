import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent } from '../../domain/content.ts';

/**
 * As `render-content.ts`, which is loaded for the first text: its parsers take some 10 MB, and most processes never
 * render.
 */
export const renderContent: RenderContent<EntityManager> = async (em, input) => {
  const renders = await import('./render-content.ts');
  return renders.renderContent(em, input);
};
