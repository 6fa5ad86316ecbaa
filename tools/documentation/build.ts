import { globSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSearchIndex } from './search-index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = join(root, 'docs/dist')
/** Files whose text or values are on the pages. */
const SOURCES = [
  'docs/guides/**/*',
  'docs/choices/*',
  'tools/documentation/**/*',
  'src/features/documentation/**/*',
  'src/foundation/**/*',
  'openapi.json',
  'package.json',
  'package-lock.json',
]

/** Builds the pages that the server sends, or with `--static` files for another web server. */
if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      static: { type: 'string' },
      'base-url': { type: 'string', default: 'https://gatehouse.example' },
      'path-prefix': { type: 'string', default: '/' },
    },
  })
  if (values.static === undefined) await buildDocumentation(target)
  else {
    const site = { baseUrl: values['base-url'], pathPrefix: values['path-prefix'] }
    // Not awaited: it imports this module, which would wait for it.
    import('./static-site.ts').then(({ buildStaticSite }) => buildStaticSite(values.static!, site))
  }
}

export async function buildDocumentationIfStale(): Promise<void> {
  const builtAt = statSync(join(target, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const isStale = globSync(SOURCES, { cwd: root }).some((path) => statSync(join(root, path)).mtimeMs > builtAt)
  if (isStale) await buildDocumentation(target)
}

/** Builds the pages as the server sends them, without its facts, below `/docs`. */
export async function buildDocumentation(folder: string): Promise<void> {
  await generate(folder, { pathPrefix: '/docs/', data: {} })
}

/** Runs the generator in a folder of its own, so that an interrupted build leaves the last one in place. */
export async function generate(
  folder: string,
  { pathPrefix, data }: { pathPrefix: string; data: Readonly<Record<string, unknown>> },
): Promise<void> {
  const startedAt = performance.now()
  const building = `${folder}.building`
  rmSync(building, { recursive: true, force: true })
  const { default: Eleventy } = await import('@11ty/eleventy')
  // The generator takes paths from the folder of the process.
  const fromHere = (path: string) => relative(process.cwd(), path)
  const eleventy = new Eleventy(fromHere(join(root, 'docs/guides')), fromHere(building), {
    quietMode: true,
    configPath: fromHere(join(import.meta.dirname, 'eleventy.config.ts')),
    pathPrefix,
    config(config) {
      // Groups that exist before the build ignore its quiet mode, and warn of slow transforms.
      for (const group of Object.values(config.benchmarkManager.getAll())) group.setIsVerbose(false)
      for (const [name, value] of Object.entries(data)) config.addGlobalData(name, value)
    },
  })
  eleventy.disableLogger()
  await eleventy.write()
  writeSearchIndex(building)
  rmSync(folder, { recursive: true, force: true })
  renameSync(building, folder)
  console.log(`Built the documentation in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}
