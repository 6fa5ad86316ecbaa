import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryHistory } from '../testing/memory-history.ts'
import { createRouter } from './router.ts'

const Start = () => null
const First = () => null
const Second = () => null

function setUp() {
  const loads = { first: Promise.withResolvers<typeof First>(), second: Promise.withResolvers<typeof Second>() }
  const history = memoryHistory('/')
  const router = createRouter({
    history,
    routes: [
      { path: '', load: () => Start },
      { path: 'first', load: () => loads.first.promise },
      { path: 'second', load: () => loads.second.promise },
      { path: '*', load: () => Start },
    ],
  })
  return { router, loads, history, address: () => history.read().pathname + history.read().search }
}

async function settled() {
  await new Promise(setImmediate)
}

describe('router of the console', () => {
  it('router: shows the current page until the next one has loaded', async () => {
    const { router, loads, address } = setUp()
    router.navigate('/first')
    assert.deepEqual([router.read().Page, router.read().isLeaving, address()], [Start, true, '/'])
    loads.first.resolve(First)
    await settled()
    assert.deepEqual([router.read().Page, router.read().isLeaving, address()], [First, false, '/first'])
  })

  it('router: shows the page that was requested last, even if an earlier one loads later', async () => {
    const { router, loads, address } = setUp()
    router.navigate('/first')
    router.navigate('/second')
    loads.second.resolve(Second)
    await settled()
    loads.first.resolve(First)
    await settled()
    assert.deepEqual([router.read().Page, address()], [Second, '/second'])
  })

  it('router: reports why a page could not be loaded, and retries at the next visit', async () => {
    const { router, loads } = setUp()
    loads.first.reject(new Error('gone'))
    router.navigate('/first')
    await settled()
    assert.equal((router.read().error as Error).message, 'gone')
    assert.equal(router.read().Page, undefined)
    router.navigate('/')
    assert.equal(router.read().error, undefined)
    assert.equal(router.read().Page, Start)
  })

  it('router: changes the query of the same page; the same address adds no history entry', () => {
    const { router, history, address } = setUp()
    router.navigate('?days=30')
    router.navigate('?days=30')
    assert.equal(address(), '/?days=30')
    router.navigate('?', { replace: true })
    assert.equal(address(), '/')
    history.go(-1)
    assert.equal(address(), '/')
    assert.deepEqual(router.read().location, { pathname: '/', search: '', hash: '' })
  })
})
