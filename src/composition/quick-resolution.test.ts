import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { findQuickly } from './quick-resolution.ts'

const url = (path: string) => new URL(path, import.meta.url).href

/** Loads the whole program and compares each quick answer with Node's own. */
const comparison = `
  import { registerHooks } from 'node:module'
  import { findQuickly } from ${JSON.stringify(url('./quick-resolution.ts'))}
  let quick = 0
  registerHooks({
    resolve(specifier, context, next) {
      const found = findQuickly(specifier, context)
      const right = next(specifier, context)
      if (found === undefined) return right
      quick += 1
      if (found.url !== right.url) throw new Error(specifier + ' of ' + context.parentURL + ' is ' + right.url)
      if ('format' in found && found.format !== right.format) throw new Error(specifier + ' is ' + right.format)
      return right
    },
  })
  await import(${JSON.stringify(url('../commands/serve.ts'))})
  console.log(quick)
  process.exit(0)
`

test('quick resolution: finds imports of the program where Node finds them', { timeout: 300_000 }, () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', comparison], { encoding: 'utf8' })
  assert.ok(Number(printed) > 500, printed)
})

const context = { parentURL: url('./x.ts'), conditions: ['node', 'import'], importAttributes: {} }

test('quick resolution: leaves specifiers without a whole file name to Node', () => {
  for (const specifier of [
    'fastify',
    'node:fs',
    './x',
    './x.cjs',
    './x.json',
    '#x',
    '#test/servers/app.ts',
    'file:///x.ts',
  ])
    assert.equal(findQuickly(specifier, context), undefined, specifier)
})

test('quick resolution: leaves `require` to Node', () => {
  assert.equal(findQuickly('./x.js', { ...context, conditions: ['node', 'require'] }), undefined)
})
