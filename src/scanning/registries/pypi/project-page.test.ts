import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { parseProjectPage } from './project-page.ts'

const url = 'https://registry.example/simple/a-b/'
const parse = (text: string) => parseProjectPage(Buffer.from(text), { project: 'a-b', url }).files
const page = (files: unknown, name = 'A_b') => JSON.stringify({ meta: { 'api-version': '1.0' }, name, files })
const file = (filename: string, more: object = {}) => ({ filename, url: `../../f/${filename}`, hashes: {}, ...more })
const sha256 = 'ab'.repeat(32)

describe('project pages in JSON', () => {
  test('JSON page: wheels and sources are read with their attributes', () => {
    const files = [
      file('a_b-1.0-py3-none-any.whl', {
        'core-metadata': { sha256: sha256.toUpperCase() },
        'requires-python': '>=3.8',
      }),
      file('a-b-1.0.tar.gz', { yanked: 'broken' }),
      file('A.B-2.0.zip', {
        yanked: false,
        'data-dist-info-metadata': true,
        url: 'https://registry.example/x/A.B-2.0.zip#sha256=0',
      }),
    ]
    assert.deepEqual(parse(page(files)), [
      {
        filename: 'a_b-1.0-py3-none-any.whl',
        version: '1.0',
        url: 'https://registry.example/f/a_b-1.0-py3-none-any.whl',
        yanked: false,
        requiresPython: '>=3.8',
        metadata: sha256,
      },
      { filename: 'a-b-1.0.tar.gz', version: '1.0', url: 'https://registry.example/f/a-b-1.0.tar.gz', yanked: true },
      {
        filename: 'A.B-2.0.zip',
        version: '2.0',
        url: 'https://registry.example/x/A.B-2.0.zip',
        yanked: false,
        metadata: true,
      },
    ])
  })

  test('JSON page: files that pip does not install, foreign files and non-files are skipped', () => {
    const files = [
      file('a_b-1.0-py2.7.egg'),
      file('a_b-1.0.win32.exe'),
      file('other-1.0.tar.gz'),
      file('a-b-1.0.tar.gz', { url: 'file:///etc/passwd' }),
      file('a-b-1.0.tar.gz', { url: 7 }),
      file('a_b-1.0-py3-none.whl'),
      file(`a-b-${'1'.repeat(600)}.tar.gz`),
      null,
      'a-b-1.0.tar.gz',
    ]
    assert.deepEqual(parse(page(files)), [])
  })

  for (const [why, text] of [
    ['cut off', page([file('a-b-1.0.tar.gz')]).slice(0, -5)],
    ['without files', '{"name":"a-b"}'],
    ['files that are not a list', page({})],
    ['of another project', page([], 'c')],
    ['a list', '[]'],
  ] as const) {
    test(`JSON page is refused: ${why}`, () => assert.throws(() => parse(text), RegistryUnreachable))
  }
})

describe('project pages in HTML', () => {
  const html = (...anchors: string[]) => `<!DOCTYPE html><title>Links for a-b</title>\n${anchors.join('<br/>\n')}`

  test('HTML page: names come from URLs, attributes in any quoting', () => {
    const files = parse(
      html(
        `<A HREF="../../f/a_b-1.0-py3-none-any.whl#sha256=00" data-requires-python="&gt;=3.8,&#60;4" data-core-metadata="sha256=${sha256}">x</A>`,
        "<a class=x href='/f/a-b-1.1.tar.gz' data-yanked>a-b-9.9.tar.gz</a>",
        '<a data-requires-python=">=3" href=https://registry.example/f/a_b-1.2%2Blocal-py3-none-any.whl data-dist-info-metadata=true>y</a>',
        '<abbr href="a-b-3.0.tar.gz">',
        '<a name="top">top</a>',
      ),
    )
    assert.deepEqual(
      files.map(({ version, yanked, requiresPython, metadata }) => [version, yanked, requiresPython, metadata]),
      [
        ['1.0', false, '>=3.8,<4', sha256],
        ['1.1', true, undefined, undefined],
        ['1.2+local', false, '>=3', true],
      ],
    )
  })

  test('HTML page: a project may have no files', () => assert.deepEqual(parse(html()), []))

  test('HTML page: other pages throw RegistryUnreachable', () => {
    for (const text of ['<html><h1>Sign in</h1>', '', 'ok']) assert.throws(() => parse(text), RegistryUnreachable, text)
  })

  test('HTML page: hostile markup gives no files', () => {
    const million = 1_000_000
    for (const text of [
      '<a href="'.repeat(million / 4),
      `<a ${' '.repeat(million)}`,
      `<a ${'x='.repeat(million)}`,
      '<a '.repeat(million / 4),
    ]) {
      assert.deepEqual(parse(html(text)), [])
    }
  })
})
