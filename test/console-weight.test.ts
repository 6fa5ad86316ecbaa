import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildConsole } from '#test/browser/console.ts'

const folder = fileURLToPath(new URL('../web/dist/', import.meta.url))

/** An entry of the manifest of Vite, by the source that the file begins with. */
interface Built {
  readonly name?: string
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const signedIn = 'app/authenticated-app.tsx'

/** Pages on which people arrive, the parts that each fetches, and the bytes that it may have, compressed with brotli. */
const pages = [
  { name: 'sign-in', parts: ['parts-sign-in'], limit: 122_000 },
  {
    name: 'overview with its charts',
    parts: [signedIn, 'pages/overview/page.tsx', 'ui/charts/plots.tsx'],
    limit: 147_500,
  },
  { name: 'issues', parts: [signedIn, 'pages/place/issues/page.tsx'], limit: 157_500 },
  { name: 'projects', parts: [signedIn, 'pages/place/projects/list.tsx'], limit: 149_000 },
  { name: 'project', parts: [signedIn, 'pages/place/projects/one.tsx'], limit: 172_000 },
] as const

describe('weight of the console', () => {
  let built: Readonly<Record<string, Built>>
  before(() => {
    buildConsole()
    built = JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8'))
  })

  /** The files that these parts need before they run, each once. */
  function filesOf(parts: readonly string[]): Set<string> {
    const [entry] = Object.entries(built).find(([, { isEntry }]) => isEntry) ?? assert.fail('no entry')
    const files = new Set<string>()
    const seen = new Set<string>()
    function add(key: string): void {
      if (seen.has(key)) return
      seen.add(key)
      const { file, imports = [], css = [] } = built[key] ?? findBuilt(key)
      for (const path of [file, ...css]) files.add(path)
      for (const importedKey of imports) add(importedKey)
    }
    for (const key of [entry, ...parts]) add(key)
    // All styles are in one sheet.
    for (const { file } of Object.values(built)) if (file.endsWith('.css')) files.add(file)
    return files
  }

  /** A group of modules has a name instead of a source. */
  function findBuilt(name: string): Built {
    return Object.values(built).find((built) => built.name === name) ?? assert.fail(`${name} is no file of its own`)
  }

  function sizeOf(file: string): number {
    const compressed = `${folder}${file}.br`
    return statSync(existsSync(compressed) ? compressed : `${folder}${file}`).size
  }

  for (const { name, parts, limit } of pages) {
    test(`first load of the page ${name}: programs and styles have at most ${limit / 1000} kB`, () => {
      const files = [...filesOf(parts)]
      assert.ok(
        files.some((file) => file.endsWith('.css')),
        'no style sheet',
      )
      const sizes = files.map((file) => [file, sizeOf(file)] as const).sort((one, other) => other[1] - one[1])
      const total = sizes.reduce((sum, [, size]) => sum + size, 0)
      const lines = sizes.slice(0, 12).map(([file, size]) => `${size} ${file}`)
      assert.ok(total <= limit, `${name} grew to ${total} bytes:\n${lines.join('\n')}`)
      if (process.env['BENCH_DETAILS']) console.log(name, total)
    })
  }
})
