import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Returns a member's lock as pnpm 10 writes it with `sharedWorkspaceLockfile: false`. */
function lockOf(lodash: string): string {
  return `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

catalogs:
  default:
    lodash:
      specifier: ${lodash}
      version: ${lodash}

overrides:
  minimist: 1.2.8

importers:

  .:
    dependencies:
      lodash:
        specifier: 'catalog:'
        version: ${lodash}

packages:

  lodash@${lodash}:
    resolution: {integrity: sha512-l==}

snapshots:

  lodash@${lodash}: {}
`
}

/** Returns a lock of a project of its own. */
function plainLock(lodash: string): string {
  return `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      lodash:
        specifier: ${lodash}
        version: ${lodash}

packages:

  lodash@${lodash}:
    resolution: {integrity: sha512-l==}

snapshots:

  lodash@${lodash}: {}
`
}

/** The lock of version 6, which pnpm 8 writes without the overrides of the root. */
const lockOf6 = `lockfileVersion: '6.0'

dependencies:
  lodash:
    specifier: 4.17.21
    version: 4.17.21

packages:

  /lodash@4.17.21:
    resolution: {integrity: sha512-l==}
`

const manifestOf = (name: string, range = 'catalog:') => JSON.stringify({ name, dependencies: { lodash: range } })

function workspace({ catalog = '4.17.21', override = '1.2.8' } = {}): Record<string, string> {
  return {
    '.npmrc': 'shared-workspace-lockfile=false\n',
    'pnpm-workspace.yaml': `packages:\n  - 'apps/*'\n  - '!apps/apart'\ncatalog:\n  lodash: ${catalog}\n`,
    'package.json': JSON.stringify({ name: 'root', private: true, pnpm: { overrides: { minimist: override } } }),
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n\noverrides:\n  minimist: 1.2.8\n\nimporters:\n\n  .: {}\n",
    'apps/clean/package.json': manifestOf('clean'),
    'apps/clean/pnpm-lock.yaml': lockOf('4.17.21'),
    'apps/old/package.json': manifestOf('old'),
    'apps/old/pnpm-lock.yaml': lockOf('4.17.20'),
    'apps/six/package.json': manifestOf('six', '4.17.21'),
    'apps/six/pnpm-lock.yaml': lockOf6,
    'apps/apart/package.json': manifestOf('apart', '4.17.21'),
    'apps/apart/pnpm-lock.yaml': lockOf6,
  }
}

interface Answer {
  readonly projects: readonly {
    readonly path: string
    readonly ok: boolean
    readonly result: {
      readonly issues: { readonly vulnerabilities: readonly { readonly package: string }[] }
      readonly coverage: { readonly unresolved: readonly { readonly name: string; readonly reason: string }[] }
    }
  }[]
}

onAnyEngine('a pnpm workspace with a lock for each member', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({ lodash: { '4.17.20': {}, '4.17.21': {} } })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  async function send(files: Readonly<Record<string, string>>) {
    const body = { files: Object.entries(files).map(([path, contents]) => ({ path, contents })) }
    const answer = await app.call('POST', '/v1/test/files', { body })
    assert.equal(answer.statusCode, 200, answer.body)
    const { projects }: Answer = answer.json()
    return projects.map(({ path, ok, result }) => ({
      path,
      ok,
      vulnerable: [...new Set(result.issues.vulnerabilities.map((vulnerability) => vulnerability.package))],
      open: result.coverage.unresolved.map(({ name }) => name),
    }))
  }

  test('pnpm workspace: every lock is a project, read with the settings of the root', async () => {
    const clean = { ok: true, vulnerable: [], open: [] }
    assert.deepEqual(await send(workspace()), [
      { path: 'apps/apart/package.json', ...clean },
      { path: 'apps/clean/package.json', ...clean },
      { path: 'apps/old/package.json', ok: false, vulnerable: ['lodash'], open: ['lodash'] },
      { path: 'apps/six/package.json', ...clean },
      { path: 'package.json', ...clean },
    ])
  })

  test('pnpm: the lock of each git branch is tested with the same package.json, and none counts for another', async () => {
    const files = {
      'package.json': manifestOf('p', '4.17.21'),
      'pnpm-lock.yaml': plainLock('4.17.21'),
      'pnpm-lock.feature!1.yaml': plainLock('4.17.20'),
      'pnpm-lock.main.yaml': plainLock('4.17.21'),
    }
    const clean = { ok: true, vulnerable: [], open: [] }
    assert.deepEqual(await send(files), [
      { path: 'package.json', ...clean },
      { path: 'pnpm-lock.feature!1.yaml', ok: false, vulnerable: ['lodash'], open: ['lodash'] },
      { path: 'pnpm-lock.main.yaml', ...clean },
    ])
    const { 'pnpm-lock.yaml': _, 'pnpm-lock.main.yaml': __, ...alone } = files
    assert.deepEqual(await send(alone), [{ path: 'package.json', ok: false, vulnerable: ['lodash'], open: ['lodash'] }])
  })

  test('pnpm workspace: members locked before a change of the root’s catalog or overrides are not ok', async () => {
    const changed = await send(workspace({ catalog: '4.17.20', override: '0.0.8' }))
    const openOf = Object.fromEntries(changed.map(({ path, ok, open }) => [path, [ok, open]]))
    assert.deepEqual(openOf['apps/clean/package.json'], [false, ['minimist', 'lodash']])
    assert.deepEqual(openOf['apps/apart/package.json'], [true, []])
    assert.deepEqual(openOf['apps/old/package.json'], [false, ['minimist']])
  })
})
