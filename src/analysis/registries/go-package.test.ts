import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { modulesAbove } from './go-package.ts'
import { readPackageUrl } from './package-url.ts'

describe('Go paths of package URLs', () => {
  const cases: [purl: string, modules: string[], isPackage: boolean][] = [
    ['github.com/gorilla/mux@v1.8.0', [], false],
    ['github.com/gorilla/mux/sub@v1.8.0', ['github.com/gorilla/mux'], false],
    ['github.com/gorilla/mux/sub@v1.8.0?type=module', [], false],
    ['github.com/gorilla/mux/sub@v1.8.0?type=package', ['github.com/gorilla/mux'], true],
    ['github.com/a/b/nested@v1.0.0?type=package#sub', [], false],
    ['git.example/a/b/c@v0.1.0', ['git.example/a/b', 'git.example/a'], false],
    ['golang.org/x/net/html@v0.1.0', ['golang.org/x/net', 'golang.org/x'], false],
    // A module of version 2 or later ends in it, so one without is a package, and one with it is no package of version 1.
    ['github.com/a/b/v2/sub@v2.1.0', ['github.com/a/b/v2'], true],
    ['github.com/a/b/v2@v2.1.0', [], false],
    ['github.com/a/b/sub/v2@v2.1.0', [], false],
    ['github.com/a/b/sub@v2.1.0%2Bincompatible', ['github.com/a/b'], false],
    ['gopkg.in/yaml.v3@v3.0.0', [], false],
    ['gopkg.in/square/go-jose.v2/json@v2.1.0', ['gopkg.in/square/go-jose.v2'], true],
    // A version without a major number.
    ['github.com/a/b/v2/sub@main', ['github.com/a/b/v2', 'github.com/a/b'], false],
  ]
  for (const [path, modules, isPackage] of cases) {
    test(`modules above ${path}`, () => {
      const purl = `pkg:golang/${path}`
      const result = readPackageUrl(purl)
      assert.ok('registry' in result)
      assert.deepEqual(modulesAbove(purl, result.package), { modules, isPackage })
    })
  }
})
