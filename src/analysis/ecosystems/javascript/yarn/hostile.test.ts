import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { volume } from '#test/volume.ts'
import { yarn } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const project = '{"dependencies":{"a":"1"}}'
const v1 = '# yarn lockfile v1\n\n'
const berry = '__metadata:\n  version: 8\n\n'
const entry = 'a@1:\n  version "1.0.0"\n'

function read(target: string, ...additional: string[]) {
  return yarn.read({ target, additional }, noRegistries, options)
}

describe('refused Yarn files', () => {
  const cases: [why: string, files: string[], file: 'target' | number, line: number | undefined, message: RegExp][] = [
    ['an empty target', [''], 'target', 1, /empty/],
    ['a target that is not JSON', ['{"name": '], 'target', 1, /Invalid JSON/],
    ['a broken package.json beside the lock', [project, `${v1}${entry}`, '{'], 1, 1, /Invalid JSON/],
    ['two locks', [project, v1, `${v1}${entry}`], 1, undefined, /Two yarn\.lock/],
    ['a list of dependencies', ['{"dependencies":["a"]}', `${v1}${entry}`], 'target', undefined, /a list/],
    [
      'resolutions that are not strings',
      ['{"resolutions":{"a":1}}', `${v1}${entry}`],
      'target',
      undefined,
      /"resolutions"/,
    ],
    [
      'a resolution without a package',
      ['{"resolutions":{"/":"1"}}', `${v1}${entry}`],
      'target',
      undefined,
      /without a package name|Invalid key/,
    ],
    ['an unresolved merge', [project, `${v1}<<<<<<< HEAD\n${entry}=======\n>>>>>>> x\n`], 0, 3, /merge conflict/],
    ['an unresolved merge inside', [project, `${v1}a@1:\n<<<<<<< HEAD\n  version "1"\n`], 0, 4, /merge conflict/],
    ['a value at the margin', [project, `${v1}${entry}b "1"\n`], 0, 5, /unexpected "b "1""/],
    ['odd indentation', [project, `${v1}a@1:\n   version "1.0.0"\n`], 0, 4, /indentation/],
    ['tabs', [project, `${v1}a@1:\n\t\tversion "1.0.0"\n`], 0, 4, /indentation/],
    ['too deep indentation', [project, `${v1}a@1:\n      version "1.0.0"\n`], 0, 4, /indentation/],
    ['an open quote', [project, `${v1}"a@1:\n  version "1.0.0"\n`], 0, 3, /unterminated string/],
    ['a broken escape', [project, `${v1}a@1:\n  version "\\x"\n`], 0, 4, /unexpected/],
    [
      'an entry without a package',
      [project, `${v1}"":\n  version "1.0.0"\n`],
      0,
      3,
      /without a package name|Invalid key/,
    ],
    ['an overlong version', [project, `${v1}a@1:\n  version "${'1'.repeat(300)}"\n`], 0, 3, /Version longer than 256/],
    [
      'deep nesting',
      [project, v1 + Array.from({ length: 20 }, (_, at) => `${'  '.repeat(at)}a:\n`).join('')],
      0,
      12,
      /depth limit of [0-9]+/,
    ],
    ['a list in YAML', [project, `${berry}"a@npm:1":\n  - version\n`], 0, 5, /unexpected/],
    ['an anchor in YAML', [project, `${berry}"a@npm:1":\n  version: &x 1.0.0\n`], 0, 5, /unexpected/],
    ['an alias in YAML', [project, `${berry}"a@npm:1":\n  version: *x\n`], 0, 5, /unexpected/],
    ['a block of text in YAML', [project, `${berry}"a@npm:1":\n  version: |\n    1\n`], 0, 5, /unexpected/],
    ['a map in braces', [project, `${berry}"a@npm:1":\n  version: {a: 1}\n`], 0, 5, /unexpected/],
    ['a berry lock without its metadata', [project, '"a@npm:1":\n  version: 1.0.0\n'], 0, 2, /unexpected/],
    ['no space after the colon', [project, `${berry}"a@npm:1":\n  version:1.0.0\n`], 0, 5, /unexpected/],
  ]
  for (const [why, files, file, line, message] of cases) {
    test(`Yarn file is refused: ${why}`, async () => {
      const [target, ...additional] = files
      await assert.rejects(read(target!, ...additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, file)
        assert.equal(error.line, line)
        return true
      })
    })
  }

  test('yarn.lock: more than 500,000 lines are refused', async () => {
    await assert.rejects(read(project, `${v1}${'a@1:\n'.repeat(600_000)}`), /more than 500000 lines/)
  })

  test('yarn.lock: more packages than the limit are refused', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `p${at}@1:\n  version "1.0.${at}"\n`)
    const dependencies = Object.fromEntries(many.map((_, at) => [`p${at}`, '1']))
    await assert.rejects(
      read(JSON.stringify({ dependencies: dependencies }), v1 + many.join('')),
      /more than 100 packages/,
    )
  })

  test('yarn resolutions: more than 50 for one package are refused', async () => {
    const resolutions = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`p${at}/a`, '1']))
    await assert.rejects(read(JSON.stringify({ resolutions }), v1 + entry), /more than 50 lines for "a"/)
  })
})

describe('large and odd yarn.lock files', () => {
  const long = 'x'.repeat(10_000_000)
  const cases: [why: string, target: string, lock: string, packages: number][] = [
    ['an empty lock', '{"name":"p"}', v1, 0],
    ['a byte order mark and carriage returns', project, `\uFEFF${v1}${entry}`.replaceAll('\n', '\r\n'), 1],
    ['a line of ten million characters', project, `${v1}a@1:\n  version "1.0.0"\n  resolved "${long}"\n`, 1],
    ['a comment of ten million characters', project, `${v1}#${long}\n${entry}`, 1],
    ['ten million blanks', project, `${v1}${' '.repeat(10_000_000)}\n${entry}`, 1],
    ['a name of ten million characters', project, `${v1}${entry}"${long}@1":\n  version "1.0.0"\n`, 1],
    [
      'a million ranges for one entry',
      project,
      `${v1}${Array(1_000_000).fill('a@1').join(', ')}:\n  version "1.0.0"\n`,
      1,
    ],
    [
      'a million ranges for one entry of berry',
      project,
      `${berry}"${Array(1_000_000).fill('a@npm:1').join(', ')}":\n  version: 1.0.0\n`,
      1,
    ],
    ['an entry that is locked twice, of which the last counts', project, `${v1}${entry}a@1:\n  version "2.0.0"\n`, 1],
  ]
  for (const [why, target, lock, packages] of cases) {
    test(`yarn.lock is read: ${why}`, async () => {
      const { graph } = await read(target, lock)
      assert.equal(graph.nodes.length - 1, packages)
    })
  }

  test('yarn.lock: peers that all packages forward terminate', async () => {
    const names = Array.from({ length: 90 }, (_, at) => `p${at}`)
    const peers = names.map((name) => `    ${name}: "*"\n`).join('')
    const asks = names.map((name) => `    ${name}: "npm:1"\n`).join('')
    const all = names.map(
      (name) =>
        `"${name}@npm:1":\n  version: 1.0.0\n  resolution: "${name}@npm:1.0.0"\n  dependencies:\n${asks}  peerDependencies:\n${peers}\n`,
    )
    const { graph } = await read('{"dependencies":{"p0":"1"}}', berry + all.join(''))
    assert.equal(graph.nodes.length - 1, 90)
  })
})

test('yarn.lock: random changes give a result or a refusal', async () => {
  const locks = [
    `${v1}"@s/b@~2.0.0", b@1:\n  version "2.0.5"\n  dependencies:\n    c "^3.0.0"\n\na@1:\n  version "1.0.0"\n  optionalDependencies:\n    b "1"\n`,
    `${berry}"a@npm:1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    "@s/b": "npm:1"\n  peerDependencies:\n    c: "*"\n  checksum: 10c0/0\n\n"@s/b@patch:@s/b@npm%3A1#x":\n  version: 1.0.0\n  resolution: "@s/b@patch:@s/b@npm%3A1.0.0#x::version=1"\n`,
  ]
  const piece = fc.constantFrom(
    '',
    '"',
    ':',
    '\n',
    '  ',
    ', ',
    '@',
    '%',
    '%zz',
    '? ',
    '\0',
    '\ud800',
    '__proto__',
    '::',
    '#',
    'npm:',
  )
  const change = fc.record({ at: fc.nat(400), length: fc.nat(8), piece })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...locks),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (lock, changes) => {
        const changed = changes.reduce(
          (text, { at, length, piece }) => text.slice(0, at) + piece + text.slice(at + length),
          lock,
        )
        try {
          const { graph, unresolved } = await read('{"dependencies":{"a":"1","@s/b":"~2.0.0"}}', changed)
          assert.ok(graph.nodes.length > 1 || unresolved.length > 0, 'what the project asks for is found or named')
        } catch (error) {
          assert.ok(error instanceof Unreadable, `${String(error)}: ${JSON.stringify(changed)}`)
        }
      },
    ),
    { numRuns: volume(1_000) },
  )
})

describe('.yarnrc.yml beside the lock', () => {
  const lock = `${v1}${entry}`
  const cases: [why: string, settings: string, named: RegExp | undefined][] = [
    ['without effects on packages', 'nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.cjs\n', undefined],
    [
      'with registries of scopes',
      '# ours\n\nnpmScopes:\n  own:\n    npmRegistryServer: "https://registry.example"\n',
      /npmScopes/,
    ],
    ['with package extensions', 'packageExtensions:\n  "a@*":\n    dependencies:\n      b: 1\n', undefined],
    [
      'with another registry and catalogs',
      'npmRegistryServer: "https://registry.example"\ncatalog:\n  a: 1\n',
      /npmRegistryServer is/,
    ],
  ]
  for (const [why, settings, note] of cases) {
    test(`.yarnrc.yml, ${why}: not a second lock, and its effects on packages are noted`, async () => {
      const { filesRead, boundsMet, graph } = await read(project, settings, lock)
      assert.deepEqual(filesRead, ['package.json', 'yarn.lock (v1)', '.yarnrc.yml'])
      assert.equal(graph.nodes.length, 2)
      assert.equal(boundsMet.length, note === undefined ? 0 : 1)
      if (note) assert.match(boundsMet[0]!, note)
    })
  }
})

test('.yarnrc.yml without a lock: settings that affect packages are reported', async () => {
  const cases: [settings: string, codes: string[]][] = [
    ['nodeLinker: node-modules\n', []],
    ['packageExtensions:\n  "a@*":\n    dependencies:\n      b: 1\n', ['.yarnrc.yml not-static']],
  ]
  for (const [settings, codes] of cases) {
    const { unresolved } = await read('{"name":"x"}', settings)
    assert.deepEqual(
      unresolved.map(({ name, code }) => `${name} ${code}`),
      codes,
    )
  }
})

describe('archive addresses in a berry lock', () => {
  const locked = (url: string) =>
    `${berry}"a@npm:1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0::__archiveUrl=${encodeURIComponent(url)}"\n`
  const cases: [why: string, url: string, name: string, code: string | undefined][] = [
    ['of the package', 'https://registry.example/npm/a/-/a-1.0.0.tgz', 'a', undefined],
    ['without a package name', 'https://registry.example/download/a/1.0.0/0f', 'a', 'not-from-registry'],
    ['of another package', 'https://registry.example/evil/-/evil-1.0.0.tgz', 'evil', 'lockfile-contradiction'],
  ]
  for (const [why, url, name, code] of cases) {
    test(`berry lock with an archive address ${why}`, async () => {
      const { graph, unresolved } = await read(project, locked(url))
      assert.deepEqual(graph.nodes[1]?.package, { name, version: '1.0.0' })
      assert.deepEqual(
        unresolved.map((unresolved) => unresolved.code),
        code === undefined ? [] : [code],
      )
    })
  }
})
