import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Builds the web console into web/dist. `--if-stale` is for `npm start`: it builds only when sources are newer than the
 * build, and never fails, as the server works without a console.
 */
const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}web/dist`
const building = `${root}web/dist.building`

if (!values['if-stale']) await build()
else if (isStale()) await buildIfPossible()

/** Folders count too: their time changes when a file is removed. */
function isStale(): boolean {
  if (!existsSync(`${built}/index.html`)) return true
  const builtAt = statSync(`${built}/index.html`).mtimeMs
  const sources = globSync('web/**', { cwd: root, exclude: ['web/dist', 'web/dist.building'] }).filter(
    (path) => path !== 'web',
  )
  return [...sources, 'package-lock.json'].some((path) => statSync(`${root}${path}`).mtimeMs > builtAt)
}

async function buildIfPossible(): Promise<void> {
  try {
    await build()
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n')
    console.log(`The web console was not built, the server starts without it: ${reason}`)
  }
}

async function build(): Promise<void> {
  const startedAt = performance.now()
  const vite = await import('vite')
  // Into a folder of its own, so that an interrupted build leaves the last one in place.
  await vite.build({
    configFile: `${root}web/vite.config.ts`,
    logLevel: 'error',
    build: { outDir: building, emptyOutDir: true },
  })
  rmSync(built, { recursive: true, force: true })
  renameSync(building, built)
  console.log(`Built the web console in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}
