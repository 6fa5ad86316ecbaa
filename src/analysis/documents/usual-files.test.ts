import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { noRegistries } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { readPlainToml } from '../documents/plain-toml.ts'
import type { Ecosystem } from '../ecosystems/ecosystem.ts'
import { poetry } from '../ecosystems/python/poetry/index.ts'
import { pyproject } from '../ecosystems/python/pyproject/index.ts'
import { uv } from '../ecosystems/python/uv/index.ts'
import { Unreadable } from './unreadable.ts'

const leftOut = { members: new Set(['hash', 'size']), files: new Set(['files', 'wheels', 'sdist']) }

function read(text: string): unknown {
  const table = readPlainToml(text, leftOut)
  return table && (JSON.parse(JSON.stringify(table)) as unknown)
}

describe('files of packages that lockfiles list', () => {
  const entry = '[[package]]\nname = "a-b"\nversion = "1.0"\n'

  const usual = [
    '{ url = "https://files.example/x/a_b-1.0.tar.gz", hash = "sha256:0" }',
    '{ file = "a_b-1.0-py3-none-any.whl" }',
    '{ name = "a_b-1.0.zip", url = "https://files.example/a_b-1.0.zip", size = 12 }',
  ]
  for (const file of usual) {
    test(`package files: ${file} is removed from a list, and emptied if it is the only member`, () => {
      const text = `${entry}wheels = [\n    ${file},\n    ${file},\n]\nsdist = ${file}\n`
      assert.deepEqual(read(text), { package: [{ name: 'a-b', version: '1.0', wheels: [], sdist: {} }] })
    })
  }

  const unusual = [
    'other-1.0.tar.gz',
    'a_b-1.1.tar.gz',
    'a_b-1.0',
    'a_b-1.01.tar.gz',
    'a-b-1.0.tar.gz',
    'https://files.example/other-1.0.zip#/a_b-1.0.zip',
    'https://files.example/other-1.0.zip?a_b-1.0.zip',
    'a_b-1.0.tar.gz/',
  ]
  for (const place of unusual) {
    test(`package files: ${place} is kept`, () => {
      const file = `{ url = "${place}", hash = "sha256:0" }`
      const text = `${entry}wheels = [${usual[0]}, ${file}, ${usual[0]}]\nsdist = ${file}\n`
      const kept = { url: place }
      assert.deepEqual(read(text), { package: [{ name: 'a-b', version: '1.0', wheels: [kept], sdist: kept }] })
    })
  }

  test('package files: kept for a package without a version or with a differently spelled name', () => {
    for (const about of ['name = "a-b"\n', 'version = "1.0"\n', 'name = "A-b"\nversion = "1.0"\n']) {
      const text = `[[package]]\n${about}wheels = [{ file = "a_b-1.0.zip" }]\n`
      assert.match(JSON.stringify(read(text)), /"wheels":\[\{"file":"a_b-1\.0\.zip"\}\]/)
    }
  })

  test('package files: members of the same name outside packages are kept', () => {
    const text = `${entry}[package.dependencies]\nname = "a-b"\nversion = "1.0"\nfiles = { version = "a_b-1.0." }\n`
    assert.match(JSON.stringify(read(text)), /"files":\{"version":"a_b-1\.0\."\}/)
  })

  const faulty = [
    '{ url = "a_b-1.0.zip", url = "a_b-1.0.zip" }',
    '{ url = "a_b-1.0.zip" hash = "0" }',
    '{ url = "a_b-1.0.zip", hash = "0 }',
    '{ url = "a_b-1.0\u0001.zip" }',
    '{ url = "a_b-1.0.zip", hash = "0"',
    '{ url = "a_b-1.0.zip", }',
  ]
  for (const file of faulty) {
    test(`package files: ${JSON.stringify(file)} is left to the full parser, even after a usual file`, () => {
      assert.equal(read(`${entry}wheels = [${file}]\n`), undefined)
      assert.equal(read(`${entry}wheels = [{ url = "a_b-1.0.zip", hash = "1" }, ${file}]\n`), undefined)
    })
  }
})

describe('lockfiles with any files, compared with the full parser', () => {
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 10 } }
  /** A number that only the full parser reads. */
  const forFullParser = '\n[more]\nnumber = 1.5\n'
  const source = 'source = { registry = "https://registry.example/simple" }\n'
  const own =
    '[[package]]\nname = "own"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "a-b" }]\n'

  async function outcome(ecosystem: Ecosystem, target: string): Promise<unknown> {
    try {
      const { graph, unresolved } = await ecosystem.read({ target, additional: [] }, noRegistries, options)
      return { graph, unresolved }
    } catch (error) {
      if (error instanceof Unreadable) return error.message
      throw error
    }
  }

  const locks: Readonly<Record<string, { ecosystem: Ecosystem; write: (files: string) => string }>> = {
    uv: { ecosystem: uv, write: (files) => `version = 1\n\n${own}\n${entryOf('package', source)}${files}` },
    poetry: {
      ecosystem: poetry,
      write: (files) => `${entryOf('package', '')}${files}\n[metadata]\nlock-version = "2.1"\n`,
    },
    pyproject: { ecosystem: pyproject, write: (files) => `lock-version = "1.0"\n\n${entryOf('packages', '')}${files}` },
  }

  function entryOf(list: string, more: string): string {
    return `[[${list}]]\nname = "a-b"\nversion = "1.0"\n${more}`
  }

  // Not `hash`: what is left out may be defined twice.
  const key = fc.constantFrom('url', 'path', 'file', 'filename', 'name', '"url"', 'other')
  const place = fc.constantFrom(
    ...['"a_b-1.0.tar.gz"', '"a_b-1.0-py3-none-any.whl"', '"https://files.example/x/a_b-1.0.zip"', "'a_b-1.0.zip'"],
    ...['"a_b-1.0.tar.gz#other-2.0.zip"', '"other-2.0.tar.gz"', '"other-2.0.zip#/a_b-1.0.zip"', '"a.b-1.0.zip"'],
    ...['"other-2.0-py3-none-any.whl"', '"dir/a_b-1.0.zip"', '""', '"a_b-1.0%2B2.zip"', '"\\"a_b-1.0.zip"', '12'],
  )
  const about = fc.constantFrom(
    ...['', ', hash = "sha256:0"', ', hashes = { sha256 = "0" }', ', hashes = { a = "0", b = "1" }', ', size = 12'],
    ...[', upload-time = 2025-01-02T03:04:05Z', ', upload-time = "2025"', ', hash', ','],
  )
  const file = fc
    .tuple(fc.array(fc.tuple(key, place), { minLength: 1, maxLength: 3 }), about)
    .map(([members, more]) => `{ ${members.map(([name, text]) => `${name} = ${text}`).join(', ')}${more} }`)
  const plain = fc.constant('{ url = "https://files.example/a_b-1.0.zip", hash = "sha256:0" }')
  const files = fc.array(fc.oneof(plain, file), { maxLength: 4 })
  const lists = fc
    .tuple(fc.constantFrom('wheels', 'files'), files, fc.option(file))
    .map(([name, list, sdist]) => `${name} = [${list.join(', ')}]\n${sdist === null ? '' : `sdist = ${sdist}\n`}`)

  for (const [name, { ecosystem, write }] of Object.entries(locks)) {
    test(`package files: ${name} reads the same packages, doubts and errors with any files`, async () => {
      await fc.assert(
        fc.asyncProperty(lists, async (written) => {
          const text = write(written)
          const full = await outcome(ecosystem, text + forFullParser)
          assert.deepEqual(await outcome(ecosystem, text), full, text)
        }),
        { numRuns: volume(3_000) },
      )
    })
  }
})
