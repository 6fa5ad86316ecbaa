import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const
type Method = (typeof methods)[number]

const document: { paths: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
)

/** The methods of a path, in the order of `Allow`; HEAD comes with GET. */
function methodsOf(operations: object): Method[] {
  const documented = Object.keys(operations).map((name) => name.toUpperCase())
  return methods.filter((method) => documented.includes(method === 'HEAD' ? 'GET' : method))
}

onAnyEngine('methods of documented paths', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const fill = (path: string) =>
    path
      .replace(/\{(org_id|orgId)\}/, app.orgId)
      .replace(/\{(group_id|groupId)\}/, app.groupId)
      .replace(/\{\w+\}/g, () => randomUUID())

  test('undocumented methods: 405 with an Allow header that lists exactly the documented ones', async () => {
    const wrong: string[] = []
    const paths = Object.entries(document.paths)
    assert.ok(paths.length > 150)
    for (const [path, operations] of paths) {
      const allowed = methodsOf(operations)
      for (const method of methods.filter((one) => !allowed.includes(one))) {
        for (const key of [app.adminKey, null]) {
          const answer = await app.call(method, fill(path), { key })
          const [said, expected] = [`${answer.statusCode} ${answer.headers['allow']}`, `405 ${allowed.join(', ')}`]
          if (said !== expected) wrong.push(`${method} ${path}: ${said}, not ${expected}`)
        }
      }
    }
    assert.deepEqual(wrong, [])
  })

  test('documented methods: never 405', async () => {
    const wrong: string[] = []
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of methodsOf(operations)) {
        const { statusCode } = await app.call(method, fill(path), { key: null })
        if (statusCode === 405) wrong.push(`${method} ${path}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
})
