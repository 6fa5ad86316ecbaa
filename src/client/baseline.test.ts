import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDocument, testedProject, vulnerability } from '#test/documents/test-documents.ts'
import { readBaseline, withoutBaseline } from './baseline.ts'
import { parseTreeAnswer } from './test-document.ts'

const old = vulnerability()
const added = vulnerability({ id: 'GHSA-zzzz-zzzz-zzzz' })
const of = (...vulnerabilities: (typeof old)[]) => testDocument([testedProject('package.json', { vulnerabilities })])

test('baseline: removes known issues, also at another version; new issues stay', () => {
  const moved = vulnerability({ version: '1.0.1' })
  const { ok, projects } = withoutBaseline(of(moved, added), of(old))
  assert.equal(ok, false)
  assert.deepEqual(
    projects[0]!.result!.issues.vulnerabilities.map(({ id }) => id),
    [added.id],
  )
  assert.equal(withoutBaseline(of(moved), of(old)).ok, true)
})

test('baseline: keeps issues of other projects; incomplete coverage is not ok', () => {
  const other = testDocument([testedProject('lib/package.json', { vulnerabilities: [old] })])
  assert.equal(withoutBaseline(other, of(old)).ok, false)
  const partial = testDocument([
    testedProject('package.json', { vulnerabilities: [old], coverage: { complete: false } }),
  ])
  assert.equal(withoutBaseline(partial, of(old)).ok, false)
})

test('baseline: refuses a missing file and a file that is not a test result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-baseline-'))
  try {
    const path = join(folder, 'result.json')
    assert.throws(() => readBaseline(path), /does not exist.*--json-file FILE/)
    assert.throws(() => readBaseline(folder), /cannot be read \(EISDIR\)/)
    for (const text of ['{"ok":true,"vulnerabilities":[]}', '{"results":[]}', '[]', '{', 'null']) {
      writeFileSync(path, text)
      // The message does not propose to write to the path: it may be a manifest.
      assert.throws(() => readBaseline(path), /is not the JSON of .*--json-file FILE/)
    }
    writeFileSync(path, JSON.stringify(of(old)))
    assert.equal(readBaseline(path).projects.length, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('test document: refuses responses of other servers and names GATEHOUSE_URL', () => {
  for (const text of ['', '{"projects":', 'null', '[]', '{"projects":5}', '{"projects":[]}', '"projects"']) {
    assert.throws(() => parseTreeAnswer(text), /not that of a test by Gatehouse\. Check GATEHOUSE_URL/)
  }
})
