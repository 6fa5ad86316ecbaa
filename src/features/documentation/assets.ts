import { readFile } from 'node:fs/promises'
import { type FileAnswer, toFileAnswer } from './file-answer.ts'

const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

/** Everything that the pages load, all from here. */
const assets: Readonly<Record<string, { type: string; location: string }>> = {
  'docs.css': { type: css, location: './assets/docs.css' },
  'reference.css': { type: css, location: './assets/reference.css' },
  'reference.js': { type: script, location: './assets/reference.js' },
  'icon.svg': { type: 'image/svg+xml', location: './assets/icon.svg' },
  'swagger-ui.css': { type: css, location: '@fastify/swagger-ui/static/swagger-ui.css' },
  'swagger-ui-bundle.js': { type: script, location: '@fastify/swagger-ui/static/swagger-ui-bundle.js' },
}

/** Reads each asset when it is first asked for, and keeps it. */
export function createAssets(): (name: string) => Promise<FileAnswer> | undefined {
  const loaded = new Map<string, Promise<FileAnswer>>()
  return (name) => {
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
    if (!asset) return undefined
    const known = loaded.get(name)
    if (known) return known
    const loading = load(asset)
    loaded.set(name, loading)
    loading.catch(() => loaded.delete(name))
    return loading
  }
}

async function load({ type, location }: { type: string; location: string }): Promise<FileAnswer> {
  return toFileAnswer(type, await readFile(new URL(import.meta.resolve(location))))
}
