import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { operationsOf } from '#features/documentation/openapi-document.ts'
import { describedInterface } from '../tools/generate-openapi.ts'

/** Documented endpoints that are not yet served, by planned work. Remove a line when its endpoint is served. */
const notYetServed: Record<string, readonly string[]> = {}

/** Rows without a path in their document, and the path chosen here. */
const openPaths: Record<string, string> = {
  'path of the vendor.json test: not shown': '/v1/test/govendor',
}

interface Endpoint {
  readonly document: string
  readonly line: number
  readonly method: string
  readonly path: string
}

function readEndpoints(document: string): Endpoint[] {
  const text = readFileSync(new URL(`../docs/interface/${document}`, import.meta.url), 'utf8')
  let stems: Record<string, readonly string[]> = {}
  return text.split('\n').flatMap((row, index) => {
    if (row.startsWith('### ')) stems = {}
    stems = { ...stems, ...stemsOf(row) }
    const [, method, path] = /^\| (GET|POST|PUT|PATCH|DELETE) \| ([^|]+?) \|/.exec(row) ?? []
    if (method === undefined || path === undefined) return []
    const written = openPaths[path] ?? path.replace(/^`|`$/g, '')
    return expand(written, stems).map((expanded) => ({ document, line: index + 1, method, path: expanded }))
  })
}

/** Returns the values of `{owner}` and `{base}` from the text above a table. */
function stemsOf(line: string): Record<string, readonly string[]> {
  const base = /`\{base\}` = `([^`]+)`/.exec(line)?.[1]
  if (base !== undefined) return { '{base}': [base] }
  if (!line.includes('`{owner}` stands for either prefix')) return {}
  return { '{owner}': [...line.matchAll(/owner path is `([^`]+)`/g)].map(([, path]) => path!) }
}

function expand(path: string, stems: Record<string, readonly string[]>): string[] {
  const stem = /^\{(?:owner|base)\}/.exec(path)?.[0]
  if (stem === undefined) return [path]
  const prefixes = stems[stem]
  assert.ok(prefixes && prefixes.length > 0, `nothing above says what ${stem} is`)
  return prefixes.map((prefix) => prefix + path.slice(stem.length))
}

/** Two spellings of one route differ at most in the names of their parameters. */
function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, '{}')}`
}

const endpoints = ['rest-apps-and-service-accounts.md', 'v1-ignores-tests-import.md'].flatMap(readEndpoints)

describe('interface documents', () => {
  let served: Set<string>
  before(async () => {
    served = new Set(operationsOf(await describedInterface()).map(({ method, path }) => shapeOf(method, path)))
  })

  test('all endpoint rows of the interface documents are parsed', () => {
    const counts = Object.groupBy(endpoints, ({ document }) => document)
    assert.equal(counts['rest-apps-and-service-accounts.md']?.length, 40)
    assert.equal(counts['v1-ignores-tests-import.md']?.length, 21)
  })

  const awaited = new Set(Object.values(notYetServed).flat())
  for (const { document, line, method, path } of endpoints) {
    const name = `${method} ${path}`
    if (awaited.has(name)) {
      test(`${name} is not served, as listed`, () => {
        assert.ok(!served.has(shapeOf(method, path)), `${name} is served: remove it from notYetServed in this test`)
      })
      continue
    }
    test(`${name} is served`, () => {
      assert.ok(served.has(shapeOf(method, path)), `${document}:${line} has no operation with this method and path`)
    })
  }

  test('every endpoint listed as not yet served is in the interface documents', () => {
    const documented = new Set(endpoints.map(({ method, path }) => `${method} ${path}`))
    assert.deepEqual(
      [...awaited].filter((name) => !documented.has(name)),
      [],
    )
  })
})
