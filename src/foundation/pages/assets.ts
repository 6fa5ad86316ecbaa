import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import type { Server } from '../http/server.ts'
import { type FileAnswer, sendFile, toFileAnswer } from './file-answer.ts'

export interface Asset {
  readonly type: string
  /** Module specifier that `resolve` accepts. */
  readonly location: string
}

export const CSS = 'text/css; charset=utf-8'

/** Reads each asset at first use and caches it. `resolve` is `import.meta.resolve` of the listing module. */
export function createAssets(
  assets: Readonly<Record<string, Asset>>,
  resolve: (location: string) => string,
): (name: string) => Promise<FileAnswer> | undefined {
  const loaded = new Map<string, Promise<FileAnswer>>()
  return (name) => {
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined
    if (!asset) return undefined
    const cached = loaded.get(name)
    if (cached) return cached
    const loading = load(asset, resolve)
    loaded.set(name, loading)
    loading.catch(() => loaded.delete(name))
    return loading
  }
}

async function load({ type, location }: Asset, resolve: (location: string) => string): Promise<FileAnswer> {
  return toFileAnswer(type, await readFile(new URL(resolve(location))))
}

/** Style sheet and icon of every server-rendered page. */
const pageAssets: Readonly<Record<string, Asset>> = {
  'pages.css': { type: CSS, location: './assets/pages.css' },
  'forms.css': { type: CSS, location: './assets/forms.css' },
  'report.css': { type: CSS, location: './assets/report.css' },
  'icon.svg': { type: 'image/svg+xml', location: './assets/icon.svg' },
}

const findAsset = createAssets(pageAssets, (location) => import.meta.resolve(location))

/** Returns the styles of reports, for a file that is read without this server. */
export async function readReportStyles(): Promise<string> {
  const files = await Promise.all([findAsset('pages.css'), findAsset('report.css')])
  return files.map((file) => file!.plain.toString()).join('\n')
}

/** Serves the style sheets and the icon of server-rendered pages under `/assets/`. */
export function servePageAssets(server: Server): void {
  server.get<{ Params: { name: string } }>(
    '/assets/:name',
    { config: { access: 'public', rateLimit: false }, schema: { hide: true } },
    async (request, reply): Promise<FastifyReply> => {
      const asset = findAsset(request.params.name)
      if (!asset) reply.callNotFound()
      return asset ? sendFile(request, reply, await asset) : reply
    },
  )
}
