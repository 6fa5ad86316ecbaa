import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LockedDependency, LockedPackage, PythonLock } from './locked-packages.ts'
import { walkLock } from './walk-lock.ts'

const environment = {
  implementation_name: 'cpython',
  implementation_version: '3.13.1',
  os_name: 'posix',
  platform_machine: 'x86_64',
  platform_python_implementation: 'CPython',
  platform_release: '',
  platform_system: 'Linux',
  platform_version: '',
  python_full_version: '3.13.1',
  python_version: '3.13',
  sys_platform: 'linux',
}

const toPackage = (name: string): LockedPackage => ({
  name,
  version: '1.0',
  elsewhere: undefined,
  isProject: false,
  marker: undefined,
  dependencies: [],
  files: [],
})

const toRoot = (name: string, range: string): LockedDependency => ({
  name,
  extras: [],
  range,
  marker: undefined,
  kind: 'prod',
})

// Few edges of a package are searched one after another, many in a set.
for (const count of [1, 15, 16, 17, 40]) {
  test(`${count} dependencies, each declared twice with one range and once with another: two edges to each`, () => {
    const names = Array.from({ length: count }, (_, n) => `package-${n}`)
    const lock: PythonLock = {
      name: 'test.lock',
      file: 'target',
      update: 'test lock',
      manifest: 'test.toml',
      packages: names.map(toPackage),
      roots: ['>=1', '>=0', '>=1'].flatMap((range) => names.map((name) => toRoot(name, range))),
    }
    const { graph, unmet, missing } = walkLock(lock, { environment, roots: lock.roots })
    const edges = graph.nodes[0]!.edges.map(({ to, range }) => `${graph.nodes[to]!.package.name} ${range}`)
    assert.deepEqual(edges.sort(), names.flatMap((name) => [`${name} >=0`, `${name} >=1`]).sort())
    assert.deepEqual([unmet, missing], [[], []])
  })
}
