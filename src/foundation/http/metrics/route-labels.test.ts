import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRouteLabels } from './route-labels.ts'

const other = { method: 'any', route: 'other' }

test('route labels: the first routes keep their own, whatever their status; later routes share one', () => {
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

test('route labels: a refused request creates none', () => {
  const labelsOf = createRouteLabels(1)
  for (const status of [400, 401, 403, 404, 405, 429, 499]) {
    assert.deepEqual(labelsOf({ method: 'GET', url: `/rest/${status}`, status }), other)
  }
  assert.equal(labelsOf({ method: 'GET', url: '/readyz', status: 503 }).route, '/readyz')
})

test('route labels: HEAD counts as GET, and all documentation pages as one route', () => {
  const labelsOf = createRouteLabels(2)
  assert.deepEqual(labelsOf({ method: 'HEAD', url: '/healthz', status: 200 }), { method: 'GET', route: '/healthz' })
  for (const page of ['limits', 'oauth', 'errors/:code']) {
    assert.equal(labelsOf({ method: 'GET', url: `/docs/${page}`, status: 200 }).route, '/docs/*')
  }
})

test('route labels: a request without a route is counted as "none" even when no labels are left', () => {
  const labelsOf = createRouteLabels(0)
  assert.deepEqual(labelsOf({ method: 'PURGE', url: undefined, status: 404 }), { method: 'any', route: 'none' })
})
