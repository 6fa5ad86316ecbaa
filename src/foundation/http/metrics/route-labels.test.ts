import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRouteLabels } from './route-labels.ts'

const other = { method: 'any', route: 'other' }

test('labels: the first routes have their own, whatever they answer later; others share one', () => {
  const labelsOf = createRouteLabels(2)
  const first = { method: 'GET', url: '/rest/self' }
  assert.deepEqual(labelsOf({ ...first, status: 200 }), { method: 'GET', route: '/rest/self' })
  assert.deepEqual(labelsOf({ method: 'POST', url: '/rest/self', status: 500 }), {
    method: 'POST',
    route: '/rest/self',
  })
  assert.deepEqual(labelsOf({ method: 'GET', url: '/rest/orgs', status: 200 }), other)
  for (const status of [200, 304, 403, 503]) assert.equal(labelsOf({ ...first, status }).route, '/rest/self')
})

test('labels: a refused request opens none', () => {
  const labelsOf = createRouteLabels(1)
  for (const status of [400, 401, 403, 404, 405, 429, 499]) {
    assert.deepEqual(labelsOf({ method: 'GET', url: `/rest/${status}`, status }), other)
  }
  assert.equal(labelsOf({ method: 'GET', url: '/readyz', status: 503 }).route, '/readyz')
})

test('labels: HEAD counts as GET, and the pages of the documentation as one route', () => {
  const labelsOf = createRouteLabels(2)
  assert.deepEqual(labelsOf({ method: 'HEAD', url: '/healthz', status: 200 }), { method: 'GET', route: '/healthz' })
  for (const page of ['limits', 'oauth', 'errors/:code']) {
    assert.equal(labelsOf({ method: 'GET', url: `/docs/${page}`, status: 200 }).route, '/docs/*')
  }
})

test('labels: a request to no route is counted as such, even where no labels are left', () => {
  const labelsOf = createRouteLabels(0)
  assert.deepEqual(labelsOf({ method: 'PURGE', url: undefined, status: 404 }), { method: 'any', route: 'none' })
})
