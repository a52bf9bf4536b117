import type { EntityManager } from '@mikro-orm/postgresql';
import type { RenderContent } from '../../domain/content/render-content.ts';

/** Renders content for everybody's eyes: all of it is shown as text, and no style passes. */
export const renderContent: RenderContent<EntityManager> = async (_, { html }) => ({
  html: html.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
  css: '',
  uses: [],
});
