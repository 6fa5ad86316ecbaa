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
  it('prefer a fixed segment to a parameter, and this to a rest', () => {
    assert.deepEqual(find('/'), { path: '', params: {} })
    assert.deepEqual(find('/imports/new'), { path: 'imports/new', params: {} })
    assert.deepEqual(find('/imports/7/'), { path: 'imports/:importId', params: { importId: '7' } })
    assert.deepEqual(find('/imports/7/more'), { path: '*', params: { '*': 'imports/7/more' } })
  })

  it('decode each segment, also one with a slash in it', () => {
    assert.deepEqual(find('/imports/a%2Fb%20c').params, { importId: 'a/b c' })
    assert.deepEqual(find('/packages/npm/%40scope%2Fname').params, { '*': 'npm/@scope/name' })
  })

  it('leave a broken escape as it is', () => {
    assert.deepEqual(find('/imports/%E0%A4%A').params, { importId: '%E0%A4%A' })
  })
})
