import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { listSections } from './sections.ts'

describe('documentation as static files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-'))
  const site = join(folder, 'site')
  const read = (path: string) => readFileSync(join(site, path), 'utf8')
  let warnings = ''
  before(() => {
    const options = ['--static', site, '--path-prefix', '/handbook/', '--base-url', 'https://gate.example']
    const build = spawnSync(process.execPath, ['tools/documentation/build.ts', ...options], { encoding: 'utf8' })
    warnings = build.stderr
    assert.equal(build.status, 0, warnings)
  })
  after(() => rmSync(folder, { recursive: true }))

  test('static documentation: the build prints no warnings', () => {
    assert.equal(warnings, '')
  })

  test('static documentation: every link leads to a file below the prefix', () => {
    const pages = globSync('**/*.html', { cwd: site })
    assert.ok(pages.length > 50)
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/(?:href|src)="([^"#]+)/g)) {
        assert.ok(target!.startsWith('/handbook/'), `${target} of ${page}`)
        const file = target!.slice('/handbook/'.length)
        assert.ok(
          existsSync(join(site, file.endsWith('/') || file === '' ? `${file}index.html` : file)),
          `${target} of ${page}`,
        )
      }
    }
  })

  test('static documentation: has the given server URL and the default limits', () => {
    for (const page of globSync('**/*.html', { cwd: site })) assert.doesNotMatch(read(page), /\{\{\w+\}\}/, page)
    assert.match(read('authentication/index.html'), /https:\/\/gate\.example\/rest\/self/)
    assert.match(read('limits/index.html'), /may have 25 MiB/)
    assert.deepEqual(JSON.parse(read('openapi.json')).servers, [{ url: 'https://gate.example' }])
  })

  test('static documentation: describes every operation and offers no live requests', () => {
    const page = read('api/index.html')
    const ids = [...page.matchAll(/<details class="operation" id="(\w+)"/g)].map(([, id]) => id!)
    assert.ok(ids.length > 100)
    for (const id of ids) assert.ok(JSON.parse(read(`operations/${id}.json`)).paths, id)
    assert.match(page, /<div id="reference" data-static/)
    assert.doesNotMatch(page, /name="key"/)
  })
})

test('listSections: refuses a guide that is in no section', () => {
  const stray = { url: '/stray/', data: { title: 'Stray' } }
  assert.throws(() => listSections([stray]), /\/stray\/ is in no section/)
})
