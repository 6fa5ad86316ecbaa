import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../problem.ts'
import { resolveVersion } from './versions.ts'

const now = Date.UTC(2026, 10, 21)
const apps = ['2022-03-11']
const creations = ['2023-06-19~experimental', '2023-11-03']
const orgs = ['2022-04-06~experimental', '2022-12-15~beta', '2023-05-29', '2024-02-28']
const groups = ['2022-01-31~experimental', '2023-01-30~beta']
const wip = ['2023-01-01~wip']

describe('resolved versions: the newest release that is old and stable enough', () => {
  const cases: [requested: string, releases: string[], served: string][] = [
    ['2022-03-11~experimental', apps, '2022-03-11'],
    ['2023-11-03', creations, '2023-11-03'],
    ['2023-11-03~experimental', creations, '2023-11-03'],
    ['2023-06-20~experimental', creations, '2023-06-19~experimental'],
    ['2023-05-29', orgs, '2023-05-29'],
    ['2024-02-27', orgs, '2023-05-29'],
    ['2023-01-01~beta', orgs, '2022-12-15~beta'],
    ['2024-10-14~experimental', groups, '2023-01-30~beta'],
    ['2024-10-15', groups, '2023-01-30~beta'],
    ['2026-11-21', orgs, '2024-02-28'],
    ['2024-10-15~experimental', orgs, '2024-02-28'],
    ['experimental', orgs, '2024-02-28'],
    ['2023-02-02~wip', wip, '2023-01-01~wip'],
    ['2023-02-02~work-in-progress', wip, '2023-01-01~wip'],
  ]
  for (const [requested, releases, served] of cases) {
    test(`version ${requested} of releases ${releases.join(', ')} resolves to ${served}`, () => {
      assert.equal(resolveVersion(requested, releases, now).served, served)
    })
  }
})

describe('refused versions', () => {
  const cases: [why: string, requested: unknown, releases: string[], code: string][] = [
    ['when missing', undefined, apps, 'version-missing'],
    ['when empty', '', apps, 'version-missing'],
    ['when repeated', ['2023-01-01', '2023-01-01'], apps, 'version-invalid'],
    ['when not a date', 'latest', apps, 'version-invalid'],
    ['when not a calendar date', '2023-02-30', apps, 'version-invalid'],
    ['with an unknown stability', '2023-01-01~stable', apps, 'version-invalid'],
    ['with two stabilities', '2023-01-01~beta~beta', apps, 'version-invalid'],
    ['when in the future', '2026-11-22', apps, 'version-in-future'],
    ['before the first release', '2022-03-10~experimental', apps, 'version-not-found'],
    ['when only less stable releases exist', '2023-06-20', creations, 'version-not-found'],
    ['when only work in progress exists and was not requested', '2024-01-01~experimental', wip, 'version-not-found'],
    [
      'when only experimental releases exist after the pivot date',
      '2024-11-01',
      ['2023-06-19~experimental'],
      'version-not-found',
    ],
  ]
  for (const [why, requested, releases, code] of cases) {
    test(`a version is refused ${why}`, () => {
      assert.throws(
        () => resolveVersion(requested, releases, now),
        (error) => error instanceof Problem && error.code === code && error.faults[0]?.source?.parameter === 'version',
      )
    })
  }
})
