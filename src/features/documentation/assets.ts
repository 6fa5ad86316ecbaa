import { type Asset, CSS, createAssets } from '#foundation/pages/assets.ts'

const script = 'text/javascript; charset=utf-8'

/** Additional assets of these pages. */
const assets: Readonly<Record<string, Asset>> = {
  'docs.css': { type: CSS, location: './assets/docs.css' },
  'reference.css': { type: CSS, location: './assets/reference.css' },
  'reference.js': { type: script, location: './assets/reference.js' },
  'swagger-ui.css': { type: CSS, location: '@fastify/swagger-ui/static/swagger-ui.css' },
  'swagger-ui-bundle.js': { type: script, location: '@fastify/swagger-ui/static/swagger-ui-bundle.js' },
}

export function createDocumentationAssets(): ReturnType<typeof createAssets> {
  return createAssets(assets, (location) => import.meta.resolve(location))
}
