import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import {
  type Json,
  type OpenApi,
  operationsOf,
  type PlacedOperation,
} from '#features/documentation/openapi-document.ts'
import { tags } from '#features/documentation/tags.ts'
import { asText, describedInterface } from '../tools/generate-openapi.ts'

describe('openapi.json', () => {
  let document: OpenApi
  before(async () => {
    document = await describedInterface()
  })

  test('openapi.json equals the description of the routes', () => {
    const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
    assert.ok(committed === asText(document), 'openapi.json is stale: run "npm run generate" and commit it')
  })

  test('openapi.json is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(asText(document)))
    assert.ok(valid, JSON.stringify(errors))
  })

  test('openapi.json: every operationId is unique', () => {
    const seen = new Map<string, string>()
    for (const { path, method, operation } of operationsOf(document)) {
      const id = operation.operationId
      assert.ok(id, `${method} ${path} has no operationId`)
      assert.equal(seen.get(id), undefined, `${method} ${path} has the operationId of ${seen.get(id)}`)
      seen.set(id, `${method} ${path}`)
    }
  })

  /** Required by RFC 7009 §2.2 and by the document on ignores. */
  const emptyTwoHundreds = ['revokeToken', 'deleteIgnoresV1']
  const described = new Set<string>(tags.map(({ name }) => name))
  /** Operations without idempotency keys, as their repeated responses are equal anyway. */
  const asking = [
    ...ecosystems.map(({ id }) => `test${id.charAt(0).toUpperCase()}${id.slice(1)}`),
    ...['testDepGraph', 'testDepGraphOfClient', 'testIntegration', 'verifyTokenV1', 'reportExposedCredentials'],
    ...['listProjectsV1', 'listDependenciesV1', 'listLicensesV1', 'listIssuesV1', 'listAggregatedIssuesV1'],
    ...['listProjectSnapshotsV1', 'listAggregatedIssuesOfSnapshotV1', 'createJiraIssueV1', 'listIssuesOfPackages'],
  ]
  const ofOAuth = ['getToken', 'introspectToken', 'revokeToken']

  const rules: [rule: string, holds: (placed: PlacedOperation) => boolean][] = [
    ['has a summary of one line', ({ operation }) => /^[^\n]{3,80}$/.test(operation.summary ?? '')],
    ['has one tag', ({ operation }) => operation.tags?.length === 1],
    [
      'has a tag that src/features/documentation/tags.ts describes',
      ({ operation }) => (operation.tags ?? []).every((tag) => described.has(tag)),
    ],
    ['documents its success', ({ operation }) => successes(operation).length > 0],
    [
      'gives every success a schema, or no content',
      ({ operation }) =>
        successes(operation).every(([status, response]) => {
          const isEmpty = status === '204' || emptyTwoHundreds.includes(operation.operationId ?? '')
          return isEmpty === (resolved(response, document)['content'] === undefined)
        }),
    ],
    [
      'states who may call it',
      ({ operation }) => operation['x-permission'] !== undefined && (operation.description ?? '').includes('Needs'),
    ],
    [
      'accepts an Idempotency-Key only if it is a POST that changes something',
      ({ method, path, operation }) => {
        const id = operation.operationId ?? ''
        const changes = method === 'post' && !/^\/v1\/test[/-]/.test(path) && ![...asking, ...ofOAuth].includes(id)
        return changes === JSON.stringify(operation.parameters ?? []).includes('/IdempotencyKey"')
      },
    ],
    [
      'describes each of its parameters',
      ({ operation }) => (operation.parameters ?? []).every((parameter) => isDescribed(resolved(parameter, document))),
    ],
  ]
  for (const [rule, holds] of rules) {
    test(`openapi.json: every operation ${rule}`, () => {
      const failing = operationsOf(document).filter((placed) => !holds(placed))
      assert.deepEqual(
        failing.map(({ method, path }) => `${method} ${path}`),
        [],
      )
    })
  }
})

function successes({ responses }: PlacedOperation['operation']) {
  return Object.entries(responses).filter(([status]) => status.startsWith('2'))
}

function isDescribed({ description }: Json): boolean {
  return typeof description === 'string' && description.length > 5
}

function resolved(part: Json, { components }: OpenApi): Json {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(String(part['$ref'])) ?? []
  return kind === undefined ? part : (components[kind]![name!] as Json)
}
