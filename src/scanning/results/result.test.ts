import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { openAdvisories } from '../advisories/open-advisories.ts'
import { openSnapshotFile, writeSnapshotFile } from '../advisories/snapshot-file.ts'
import type { TestTask } from '../reading/task.ts'
import { testReading } from './result.ts'

const reading: Reading = {
  graph: {
    nodes: [
      { package: { name: 'project', version: '1.0.0' }, edges: [{ to: 1, range: '*', kind: 'prod' }] },
      { package: { name: 'anything', version: '1.0.0' }, edges: [] },
    ],
  },
  unresolved: [],
  filesRead: ['package.json'],
  locked: true,
  excluded: [],
  boundsMet: [],
}
const org = { id: '28006eea-435a-4f28-8059-eb739717d7c9', name: 'Org' }
const task: TestTask = {
  ecosystem: 'npm',
  subject: { kind: 'files', target: '', additional: [], encoding: 'plain' },
  org,
  acceptPartial: false,
  includeDev: false,
  repositories: [],
  licensePolicy: undefined,
  form: 'json',
}

test('without advisories for its registry a result is not clean and says why', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-result-'))
  try {
    const written = await writeSnapshotFile(dir, { builtAt: 0, source: 'nothing', isStarterSet: false }, () => [])
    const advisories = openAdvisories(openSnapshotFile(written.path))
    const rest = { resolver: undefined, licensePolicy: undefined, licenses: noRegistries.licenses }
    const times = { isLate: () => false, findStaleAnswer: () => undefined, boundsMet: new Set<string>() }
    const context = { ecosystem: getEcosystem('npm'), advisories, ...rest, ...times }
    const { result } = await testReading(reading, { task, ...context })
    assert.equal(result.ok, false)
    assert.equal(result.coverage.complete, false)
    assert.match(result.coverage.boundsMet.join(), /no advisories for npm/)
    const partial = await testReading(reading, { task: { ...task, acceptPartial: true }, ...context })
    assert.equal(partial.result.ok, true)
    advisories.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
})
