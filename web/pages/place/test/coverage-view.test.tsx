import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { render } from '../../../testing/render.tsx'
import { CoverageView } from './coverage-view.tsx'
import type { Coverage } from './result.ts'

const complete: Coverage = {
  complete: true,
  filesRead: ['vendor.json'],
  locked: true,
  dependencies: { found: 2, resolved: 2, unresolved: 0 },
  unresolved: [],
  excluded: [],
  boundsMet: [],
  licenses: { known: 2, unknown: 0, unknownPackages: [], registryAsked: false },
  registryAnswers: { stale: 0, oldestStaleAt: null },
  advisories: {
    digest: 'a'.repeat(64),
    builtAt: '2026-01-01T00:00:00.000Z',
    newestAdvisory: '2026-01-01T00:00:00.000Z',
    records: 10,
    source: 'a test',
    starterSet: false,
    knownExploited: 0,
  },
}
type NotImported = NonNullable<Coverage['notImported']>[number]
const mux: NotImported = {
  id: 'GO-2026-0001',
  url: 'https://vuln.example/GO-2026-0001',
  severity: 'high',
  fixedIn: ['v1.3.0'],
  title: 'Denial of service in mux',
  package: 'github.com/a/mux',
  version: 'v1.1.0',
  imports: ['github.com/a/mux/admin', 'github.com/a/mux/debug'],
}
const TABLE = 'Vulnerabilities in packages that the project does not have'

describe('coverage of a Go project', () => {
  const show = (more: Partial<Coverage>) =>
    render(<CoverageView coverage={{ ...complete, ...more }} manager="govendor" />)
  const rows = () =>
    within(screen.getByRole('table', { name: TABLE }))
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      )

  test('coverage: vulnerabilities of packages not imported are listed with module and packages', () => {
    const other = { ...mux, version: 'v1.2.0', imports: ['github.com/a/mux/admin'] }
    show({ notImported: [mux, other] })
    screen.getByRole('heading', { name: 'Vulnerable, but not imported' })
    assert.deepEqual(rows(), [
      [
        'Denial of service in mux (GO-2026-0001)',
        'github.com/a/mux@v1.1.0',
        'github.com/a/mux/admin, github.com/a/mux/debug',
      ],
      ['Denial of service in mux (GO-2026-0001)', 'github.com/a/mux@v1.2.0', 'github.com/a/mux/admin'],
    ])
    screen.getByText('complete')
  })

  const without: [why: string, coverage: Partial<Coverage>][] = [
    ['without such vulnerabilities', { notImported: [] }],
    ['of a project without a package list', {}],
  ]
  for (const [why, coverage] of without) {
    test(`coverage ${why}: has no table of packages not imported`, () => {
      show(coverage)
      screen.getByRole('region', { name: 'Coverage' })
      assert.ok(screen.queryByRole('table', { name: TABLE }) === null)
      assert.ok(screen.queryByText('Vulnerable, but not imported') === null)
    })
  }
})
