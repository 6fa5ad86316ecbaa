import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testDocument, testedProject } from '#test/documents/test-documents.ts'
import { toFixText } from './fix-report.ts'
import type { LeftIssue } from './run-fix.ts'

describe('fix report', () => {
  test('fix report: remaining issues of a package with the same reason share a line with their count', () => {
    const ofGo = ['GO-1', 'GO-2', 'GO-3', 'GO-4', 'GO-5'].map(
      (id): LeftIssue => ({ id, of: 'stdlib@1.15', problem: 'raise the go line' }),
    )
    const left = [...ofGo, { id: 'GO-6', of: 'example.org/jwt@3.2.0', problem: 'no fixed version is known' }]
    const project = {
      ...{ path: 'go.mod', changes: [], renewal: undefined, left, fixedIssues: 0, added: [] },
      ...{ doubt: undefined, nextCommand: undefined, folder: '' },
    }
    assert.equal(
      toFixText(
        { document: testDocument([testedProject('go.mod')]), files: [], projects: [project] },
        { columns: 120, isDryRun: false, prefix: '' },
      ),
      `go.mod
  6 issues left:
    - GO-1, GO-2, GO-3 and 2 more in stdlib@1.15: raise the go line
    - GO-6 in example.org/jwt@3.2.0: no fixed version is known

Changed 0 files: 0 issues fixed, 6 left.
`,
    )
  })
})
