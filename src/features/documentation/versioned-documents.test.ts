import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatVersion, parseVersion } from '#foundation/http/versions.ts'
import { Problem } from '#foundation/problem.ts'
import type { OpenApi, Operation } from './openapi-document.ts'
import { documentAt, releasesOf, representativeOf } from './versioned-documents.ts'

const now = Date.UTC(2026, 10, 21)

function operation(id: string, releases?: readonly string[]): Operation {
  return { operationId: id, tags: [id], responses: {}, ...(releases && { 'x-releases': releases }) }
}

const document: OpenApi = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [],
  security: [],
  components: {},
  tags: ['apps', 'creations', 'groups', 'list', 'v1'].map((name) => ({ name })),
  paths: {
    '/rest/apps': { get: operation('apps', ['2022-03-11']) },
    '/rest/creations': {
      get: operation('creations', ['2023-06-19~experimental', '2023-11-03']),
      post: operation('creations', ['2023-11-03']),
    },
    '/rest/groups': { get: operation('groups', ['2022-01-31~experimental', '2023-11-03~beta']) },
    '/rest/openapi': { get: operation('list') },
    '/v1/orgs': { get: operation('v1') },
    '/healthz': { get: operation('health') },
  },
}
const releases = releasesOf(document)

test('releasesOf: lists each release once, oldest first, on one day the least stable first', () => {
  assert.deepEqual(releases, [
    '2022-01-31~experimental',
    '2022-03-11',
    '2023-06-19~experimental',
    '2023-11-03~beta',
    '2023-11-03',
  ])
})

describe('documents of single versions', () => {
  const cases: [version: string, served: Record<string, string>][] = [
    ['2022-03-01~experimental', { 'get /rest/groups': '2022-01-31~experimental' }],
    ['2022-03-11', { 'get /rest/apps': '2022-03-11' }],
    [
      '2023-07-01~experimental',
      {
        'get /rest/apps': '2022-03-11',
        'get /rest/creations': '2023-06-19~experimental',
        'get /rest/groups': '2022-01-31~experimental',
      },
    ],
    ['2023-07-01~beta', { 'get /rest/apps': '2022-03-11' }],
    [
      '2023-11-03',
      { 'get /rest/apps': '2022-03-11', 'get /rest/creations': '2023-11-03', 'post /rest/creations': '2023-11-03' },
    ],
    [
      '2024-10-15',
      {
        'get /rest/apps': '2022-03-11',
        'get /rest/creations': '2023-11-03',
        'post /rest/creations': '2023-11-03',
        'get /rest/groups': '2023-11-03~beta',
      },
    ],
  ]
  for (const [version, served] of cases) {
    test(`documentAt ${version}: has the operations served at that version`, () => {
      const described = documentAt(document, parseVersion(version, now))
      const answering = Object.entries(described.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, one]) => [`${method} ${path}`, one['x-release']]),
      )
      assert.deepEqual(Object.fromEntries(answering), { ...served, 'get /rest/openapi': undefined })
      assert.equal(described.info.version, version)
    })
  }

  test('documentAt: keeps only the tags of the remaining operations', () => {
    const { tags } = documentAt(document, parseVersion('2022-03-11', now))
    assert.deepEqual(tags, [{ name: 'apps' }, { name: 'list' }])
  })
})

describe('representative versions of equal documents', () => {
  const cases: [version: string, representative: string][] = [
    ['2022-02-20~experimental', '2022-01-31~experimental'],
    ['2022-03-11', '2022-03-11'],
    ['2023-06-18~beta', '2022-03-11~beta'],
    ['2024-10-14', '2023-11-03'],
    ['2024-10-14~wip', '2023-11-03~wip'],
    ['2024-10-15', '2024-10-15'],
    ['2026-11-21~experimental', '2024-10-15'],
    ['experimental', '2024-10-15'],
    ['work-in-progress', '2024-10-15'],
  ]
  for (const [version, representative] of cases) {
    test(`representativeOf: returns ${representative} for ${version}`, () => {
      const requested = parseVersion(version, now)
      const release = representativeOf(requested, releases)
      assert.equal(formatVersion(release), representative)
      assert.deepEqual(documentAt(document, requested).paths, documentAt(document, release).paths)
    })
  }

  test('representativeOf: throws version-not-found before the first release', () => {
    assert.throws(
      () => representativeOf(parseVersion('2022-01-30~wip', now), releases),
      (error) => error instanceof Problem && error.code === 'version-not-found',
    )
  })
})
