import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerOfIndex } from '#test/registries/pypi-server.ts'
import { startRegistryServer } from '#test/registries/registry-server.ts'
import { openLocalTests } from '../../commands/local-tests.ts'
import { compareVersions } from '../compare-versions.ts'
import { planFix } from './run-fix.ts'

const content = {
  jinja2: {
    '2.10': { requires: ['markupsafe>=0.23'] },
    '2.11.3': { requires: ['markupsafe>=0.23'] },
    '3.1.5': { requires: ['markupsafe>=2.0'] },
  },
  markupsafe: { '1.1.1': {}, '2.0': {}, '2.1.5': {} },
  pinned: { '1.0': { requires: ['markupsafe<2'] } },
}

test('requirements of pip: a conflicting pin moves with an upgrade to the first version that fits, or blocks it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-siblings-'))
  const index = await startRegistryServer((request, response) => {
    const answer = answerOfIndex(content, request.url!)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/vnd.pypi.simple.v1+json' })
    response.end(answer)
  })
  const local = await openLocalTests(
    {
      ...{ HOME: root, XDG_CACHE_HOME: join(root, 'cache'), GATEHOUSE_TEST_WORKERS: '1' },
      GATEHOUSE_PYPI_URL: `${index.url}/simple`,
    },
    () => {},
  )
  const folder = join(root, 'project')
  const plan = async (lines: readonly string[], takesMajor: boolean) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    writeFileSync(join(folder, 'requirements.txt'), lines.join('\n'))
    const context = {
      ...{ testFiles: local.testFiles, environment: process.env, signal: new AbortController().signal },
      ...{ cwd: folder, onProgress() {}, compare: compareVersions, takesMajor },
    }
    const { files, projects } = await planFix(folder, { files: [], includeDev: false }, context)
    return { text: files[0]?.after, left: projects[0]!.left }
  }
  try {
    const pins = ['jinja2==2.10', 'markupsafe==1.1.1']
    const minor = await plan(pins, false)
    assert.equal(minor.text, 'jinja2==2.11.3\nmarkupsafe==1.1.1')
    assert.match(minor.left[0]!.problem, /jinja2 2\.10 → 3\.1\.5 \(--major\)/)
    assert.deepEqual(await plan(pins, true), { text: 'jinja2==3.1.5\nmarkupsafe==2.0', left: [] })
    const blocked = await plan([...pins, 'pinned==1.0'], true)
    assert.equal(blocked.text, 'jinja2==2.11.3\nmarkupsafe==1.1.1\npinned==1.0')
    assert.match(blocked.left[0]!.problem, /jinja2@3\.1\.5 requires markupsafe >=2\.0/)
    const compiled = pins.map((line) => `${line}\n    # via -r requirements.in`)
    assert.match((await plan(compiled, true)).text ?? '', /^jinja2==3\.1\.5\n.*\nmarkupsafe==2\.0\n/)
  } finally {
    await local.close()
    await index.close()
    rmSync(root, { recursive: true })
  }
})
