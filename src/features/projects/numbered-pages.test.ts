import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkHeader, pageLinks, pageQuery, toOffset } from './numbered-pages.ts'

function boundsOf(schema: object): unknown[] {
  const { minimum, maximum, default: usual } = schema as Record<string, unknown>
  return [minimum, maximum, usual]
}

test('numbered pages: count from 1 and limit their size', () => {
  const { perPage, page } = pageQuery({ perPage: 20, most: 100 })
  assert.deepEqual(boundsOf(perPage), [1, 100, 20])
  assert.deepEqual(boundsOf(page), [1, 1_000_000, 1])
  assert.deepEqual([toOffset({ page: 1, perPage: 20 }), toOffset({ page: 3, perPage: 20 })], [0, 40])
})

test('numbered pages: links keep other parameters and name page and size', () => {
  const links = pageLinks('http://server.example/v1/x?filter=a&page=2', { page: 2, perPage: 5 }, 21)
  const at = (page: number) => `http://server.example/v1/x?filter=a&page=${page}&perPage=5`
  assert.deepEqual(links, { prev: at(1), next: at(3), last: at(5) })
  assert.deepEqual(linkHeader(links), {
    link: `<${at(1)}>; rel=prev, <${at(3)}>; rel=next, <${at(5)}>; rel=last`,
  })
})

test('numbered pages: links never lead to an empty page', () => {
  const linksOf = (page: number, total: number) => {
    const links = pageLinks('http://server.example/x', { page, perPage: 10 }, total)
    return Object.entries(links).map(([rel, url]) => [rel, new URL(url as string).searchParams.get('page')])
  }
  assert.deepEqual(linksOf(1, 0), [])
  assert.deepEqual(linksOf(1, 10), [])
  assert.deepEqual(linksOf(1, 11), [
    ['next', '2'],
    ['last', '2'],
  ])
  assert.deepEqual(linksOf(2, 20), [['prev', '1']])
  assert.deepEqual(linksOf(9, 20), [
    ['prev', '2'],
    ['last', '2'],
  ])
  assert.deepEqual(linkHeader({}), {})
})
