import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { cargo } from './index.ts'

const folder = path.join(import.meta.dirname, 'cargo/fixtures/workspace')
const names = ['Cargo.lock', 'Cargo.toml', 'core-lib.toml', 'server.toml']
const files = names.map((name) => readFileSync(path.join(folder, name), 'utf8'))

/** A replacement in the file at an index, and what the reader says. Cargo 1.95 refuses such changes with `--locked`. */
const refused: readonly (readonly [change: string, file: number, from: string, to: string, says: RegExp])[] = [
  [
    'a range that the lock does not meet',
    3,
    'compress = "^1"',
    'compress = "^1.1"',
    /compress: Cargo.lock holds 0.3.2/,
  ],
  ['a range of the workspace', 1, 'rc.0"', 'rc.2"', /number: Cargo.lock holds 1.9.3-rc.1/],
  ['an added dependency', 2, '[dependencies]', '[dependencies]\nadded = "1"', /added: Cargo.lock has no entry/],
  [
    'a dependency that another member has',
    2,
    '[dependencies]',
    '[dependencies]\nbuild-info = "0.2"',
    /build-info: Cargo.lock has no/,
  ],
  [
    'an optional dependency',
    3,
    '[build-',
    '[dependencies.added]\nversion = "1"\noptional = true\n[build-',
    /added: .* no entry/,
  ],
  [
    'a dependency for tests',
    3,
    '[build-',
    '[dev-dependencies]\nadded = "1"\n[build-',
    /added: Cargo.lock has no entry/,
  ],
  [
    'a dependency for one system',
    3,
    '[build-',
    '[target."cfg(unix)".dependencies]\nadded = "1"\n[build-',
    /added: .* no entry/,
  ],
  ['a removed dependency', 3, 'compress = "^1"\n', '', /compress: Cargo.lock has it as a dependency/],
  ['another version of the workspace', 1, '1.4.0', '1.4.1', /server: Cargo.lock has version 1.4.0/],
  ['another name of a member', 3, '"server"', '"client"', /client: Cargo.lock has no entry for this package/],
  ['a crate from a folder', 3, '"^1"', '{ path = "compress" }', /compress: Cargo.toml takes it from a folder/],
  [
    'a patch',
    1,
    '[workspace.package]',
    '[patch.crates-io]\ncompress = { path = "c" }\n[workspace.package]',
    /compress: .* replaces it/,
  ],
  ['a removed entry of the workspace', 1, 'number = "1.9.3-rc.0"\n', '', /The workspace has no dependency number/],
  ['a lock without an entry', 0, 'name = "ffi-sys"', 'name = "ffi"', /ffi-sys: Cargo.lock has no entry/],
  ['a later lock', 0, 'version = 4', 'version = 5', /Cargo.lock has version 5; supported: 1 to 4/],
  ['an entry twice', 0, '"compress"\nversion = "1.0.0"', '"compress"\nversion = "0.3.2"', /compress 0.3.2 .*twice/],
  ['marks of a merge', 0, '[[package]]\nname = "timer"', '<<<<<<< HEAD\n[[package]]\nname = "timer"', /merge|TOML/],
]

for (const [change, file, from, to, says] of refused) {
  test(`Cargo: what --locked refuses is reported: ${change}`, async () => {
    const [target, ...additional] = files.map((text, at) => (at === file ? text.replace(from, () => to) : text))
    assert.notDeepEqual([target, ...additional], files)
    assert.match(await read(target!, additional), says)
  })
}

test('Cargo: a lock that is cut off anywhere is refused, or its gaps are reported', async () => {
  const [lock, ...manifests] = files
  const whole = lock!.trimEnd()
  const entries = [...whole.matchAll(/^\[\[package\]\]/gm)].map(({ index }) => index)
  const cuts = [...entries.slice(1), ...Array.from({ length: 20 }, (_, at) => Math.floor((whole.length * at) / 20))]
  for (const cut of cuts) assert.notEqual(await read(whole.slice(0, cut), manifests), '', `cut off at ${cut}`)
})

test('Cargo: packages that require each other, and 2,000 that require all others, are read once', async () => {
  const source = 'source = "registry+https://github.com/rust-lang/crates.io-index"'
  const crates = Array.from({ length: 2000 }, (_, at) => `c${at}`)
  const entry = (name: string, required: readonly string[]) =>
    `[[package]]\nname = "${name}"\nversion = "1.0.0"\n${source}\ndependencies = [${required.map((one) => `"${one}"`).join()}]\n`
  const lock = `version = 4\n${crates.map((name, at) => entry(name, [...crates.slice(0, 20), crates[(at + 1) % 2000]!])).join('')}`
  assert.equal(await read(lock, []), '')
})

/** Returns unresolved dependencies or the refusal as text. */
async function read(target: string, additional: readonly string[]): Promise<string> {
  const options = { includeDev: true, repositories: [], limits: { maxNodes: 5000 } }
  try {
    const { unresolved } = await cargo.read({ target, additional }, noRegistries, options)
    return unresolved.map(({ name, reason }) => `${name}: ${reason}`).join('\n')
  } catch (error) {
    return (error as Error).message
  }
}
