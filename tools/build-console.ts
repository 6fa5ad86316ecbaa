import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = `${root}web/dist`
/** Files that fit into one packet are not compressed. */
const SMALL_BYTES = 1000

/**
 * The paths of the modules in web/dist, beside what else is kept of builds: the server sends all that is in web/dist.
 */
const modulesFile = `${root}node_modules/.cache/console-modules.json`

/** Builds the web console into web/dist. */
if (import.meta.main) await buildConsoleOfClone()

/** Builds the console if its sources are newer than the last build. */
export async function buildConsoleIfStale(): Promise<void> {
  if (isStale()) await buildConsoleOfClone()
}

/** Returns the paths of the modules in web/dist. */
export function modulesOfClone(): string[] {
  return JSON.parse(readFileSync(modulesFile, 'utf8')) as string[]
}

async function buildConsoleOfClone(): Promise<void> {
  const modules = await buildConsole(target)
  mkdirSync(dirname(modulesFile), { recursive: true })
  // Copies of a clone may share the file.
  rmSync(modulesFile, { force: true })
  writeFileSync(modulesFile, JSON.stringify(modules))
}

/** Folders count too: their time changes when a file is removed. */
function isStale(): boolean {
  if (!existsSync(`${target}/index.html`) || !existsSync(modulesFile)) return true
  const builtAt = statSync(`${target}/index.html`).mtimeMs
  const exclude = ['web/dist', 'web/dist.building', 'web/testing', 'web/**/*.test.tsx']
  const sources = globSync('web/**', { cwd: root, exclude }).filter((path) => path !== 'web')
  const generated = ['paths', 'test-formats'].map((name) => `src/client/api/${name}.generated.ts`)
  return [...sources, ...generated, 'package-lock.json', 'tools/build-console.ts'].some(
    (path) => statSync(`${root}${path}`).mtimeMs > builtAt,
  )
}

/** Builds the console into a folder. Returns the paths of the modules in it. */
export async function buildConsole(folder: string): Promise<string[]> {
  const startedAt = performance.now()
  const building = `${folder}.building`
  const vite = await import('vite')
  // Into a folder of its own, so that an interrupted build leaves the last one in place.
  const built = await vite.build({
    configFile: `${root}web/vite.config.ts`,
    logLevel: 'error',
    build: { outDir: building, emptyOutDir: true },
  })
  await Promise.all(globSync('assets/*', { cwd: building }).map((path) => compress(`${building}/${path}`)))
  rmSync(folder, { recursive: true, force: true })
  renameSync(building, folder)
  console.log(`Built the web console in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  const { output } = built as Extract<typeof built, { output: unknown }>
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/**
 * Writes a compressed copy beside a file, for browsers that accept it. Built once, so that slow compression is
 * acceptable.
 */
async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < SMALL_BYTES) return
  const params = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION }))
}
