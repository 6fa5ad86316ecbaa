import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { matchRoute, type Route } from './match.ts'

const load = () => () => null
const routes: Route[] = ['', 'imports/:importId', 'imports/new', 'packages/*', '*'].map((path) => ({ path, load }))

function find(pathname: string) {
  const { route, params } = matchRoute(routes, pathname)!
  return { path: route.path, params }
}

describe('routes of the console', () => {
  it('routes: a fixed segment is preferred to a parameter, and a parameter to a rest', () => {
    assert.deepEqual(find('/'), { path: '', params: {} })
    assert.deepEqual(find('/imports/new'), { path: 'imports/new', params: {} })
    assert.deepEqual(find('/imports/7/'), { path: 'imports/:importId', params: { importId: '7' } })
    assert.deepEqual(find('/imports/7/more'), { path: '*', params: { '*': 'imports/7/more' } })
  })

  it('routes: each segment is decoded, including an encoded slash', () => {
    assert.deepEqual(find('/imports/a%2Fb%20c').params, { importId: 'a/b c' })
    assert.deepEqual(find('/packages/npm/%40scope%2Fname').params, { '*': 'npm/@scope/name' })
  })

  it('routes: an invalid escape is kept unchanged', () => {
    assert.deepEqual(find('/imports/%E0%A4%A').params, { importId: '%E0%A4%A' })
  })
})
