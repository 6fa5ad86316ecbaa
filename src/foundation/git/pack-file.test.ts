import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { readLooseObject } from './loose-objects.ts'
import { makePack, toPackEntry } from './pack-file.ts'

const FORMATS = ['sha1', 'sha256'] as const

function readLoose({ path }: BareRepository) {
  const objects = join(path, 'objects')
  const fans = readdirSync(objects).filter((name) => name.length === 2)
  return fans.flatMap((fan) =>
    readdirSync(join(objects, fan)).map((name) => ({
      id: fan + name,
      file: readFileSync(join(objects, fan, name)),
    })),
  )
}

test("pack file: git reads every object of a pack made of loose objects, and its index equals git's", () => {
  for (const format of FORMATS) {
    using from = bareRepository({ format })
    const commit = from.commit([
      { path: 'empty', content: '' },
      { path: 'a/run', content: '#!/bin/sh\n', mode: '100755' },
      { path: 'a/text', content: 'text\n'.repeat(20_000) },
      ...Array.from({ length: 50 }, (_, n) => ({ path: `many/${n}`, content: 'x'.repeat(n) })),
    ])
    from.git(['tag', '-a', '-m', 'annotated', 'v1', commit])
    const loose = readLoose(from)
    const entries = loose.map(({ id, file }) => toPackEntry(readLooseObject(id, file)!))
    assert.ok(entries.length > 50)

    using to = bareRepository({ format })
    const { checksum, pack, index } = makePack(entries)
    const path = join(to.path, `objects/pack/pack-${checksum}`)
    writeFileSync(`${path}.pack`, pack)
    writeFileSync(`${path}.idx`, index)
    to.git(['verify-pack', `${path}.idx`])
    to.git(['fsck', '--full', '--strict'])
    const list = ['cat-file', '--batch-check', '--batch-all-objects']
    assert.equal(to.git(list), from.git(list))
    // Our index is git's own.
    to.git(['index-pack', '-o', join(to.path, 'other.idx'), `${path}.pack`])
    assert.deepEqual(readFileSync(join(to.path, 'other.idx')), index)
  }
})

test('loose object: damaged and large files and those of another object are not read', () => {
  using repository = bareRepository()
  const idOf = (content: string) => repository.git(['hash-object', '--stdin'], content)
  const id = idOf('content')
  const file = deflateSync('blob 7\0content')
  assert.equal(readLooseObject(id, file)?.content.toString(), 'content')
  const damaged: [why: string, id: string, file: Buffer][] = [
    ['empty', id, Buffer.alloc(0)],
    ['no zlib stream', id, Buffer.from('blob 7\0content')],
    ['cut', id, file.subarray(0, -6)],
    ['another checksum', id, Buffer.concat([file.subarray(0, -1), Buffer.from([file.at(-1)! ^ 1])])],
    ['another size', id, deflateSync('blob 8\0content')],
    ['another type', id, deflateSync('toString 7\0content')],
    ['no header', id, deflateSync('content'.repeat(100))],
    ['another object', idOf('other'), file],
    ['an id of another length', `${id}${'0'.repeat(24)}`, file],
    ['large', idOf('x'.repeat(2 * 1024 * 1024)), deflateSync(`blob 2097152\0${'x'.repeat(2 * 1024 * 1024)}`)],
  ]
  for (const [why, name, bytes] of damaged) assert.equal(readLooseObject(name, bytes), undefined, why)
})
