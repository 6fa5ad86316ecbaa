import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const packageJson = JSON.stringify({
  name: 'p',
  version: '1.0.0',
  dependencies: { tool: '^1.0.0' },
  devDependencies: { minimist: '1.2.0' },
})
/** A vulnerable package of the starter set below another one, in each version of the format. */
const locks: Readonly<Record<string, string>> = {
  '5.4': `lockfileVersion: 5.4

specifiers:
  minimist: 1.2.0
  tool: ^1.0.0

dependencies:
  tool: 1.0.0

devDependencies:
  minimist: 1.2.0

packages:

  /lodash/4.17.4:
    resolution: {integrity: sha512-l==}

  /minimist/1.2.0:
    resolution: {integrity: sha512-m==}
    dev: true

  /tool/1.0.0:
    resolution: {integrity: sha512-t==}
    dependencies:
      lodash: 4.17.4
`,
  '6.0': `lockfileVersion: '6.0'

dependencies:
  tool:
    specifier: ^1.0.0
    version: 1.0.0

devDependencies:
  minimist:
    specifier: 1.2.0
    version: 1.2.0

packages:

  /lodash@4.17.4:
    resolution: {integrity: sha512-l==}

  /minimist@1.2.0:
    resolution: {integrity: sha512-m==}
    dev: true

  /tool@1.0.0:
    resolution: {integrity: sha512-t==}
    dependencies:
      lodash: 4.17.4
`,
  '9.0': `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      tool:
        specifier: ^1.0.0
        version: 1.0.0
    devDependencies:
      minimist:
        specifier: 1.2.0
        version: 1.2.0

packages:

  lodash@4.17.4:
    resolution: {integrity: sha512-l==}

  minimist@1.2.0:
    resolution: {integrity: sha512-m==}

  tool@1.0.0:
    resolution: {integrity: sha512-t==}

snapshots:

  lodash@4.17.4: {}

  minimist@1.2.0: {}

  tool@1.0.0:
    dependencies:
      lodash: 4.17.4
`,
}

const bunLock = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "p",
      "dependencies": { "tool": "^1.0.0", },
      "devDependencies": { "minimist": "1.2.0", },
    },
  },
  "packages": {
    "lodash": ["lodash@4.17.4", "", {}, "sha512-l=="],

    "minimist": ["minimist@1.2.0", "", {}, "sha512-m=="],

    "tool": ["tool@1.0.0", "", { "dependencies": { "lodash": "~4.17.0" } }, "sha512-t=="],
  }
}
`

onAnyEngine('package tests of pnpm and Bun', (engine) => {
  let app: TestApp
  let npm: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    npm = await startNpmRegistry({
      lodash: { '4.17.4': {}, '4.17.21': {} },
      tool: { '1.0.0': { dependencies: { lodash: '~4.17.0' } } },
    })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: npm.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await npm.close()
  })

  async function post(body: object, route = 'pnpm') {
    const answer = await app.call('POST', `/v1/test/${route}`, { body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  const cases = [
    ...Object.entries(locks).map(
      ([version, lock]) => ['pnpm', `pnpm-lock.yaml (lockfileVersion ${version})`, lock] as const,
    ),
    ['bun', 'bun.lock (lockfileVersion 1)', bunLock] as const,
  ]
  for (const [route, label, lock] of cases) {
    test(`${label}: finds the dependency path and the upgrade that a reinstall brings`, async () => {
      const result = await post(filesBody(packageJson, lock), route)
      assert.deepEqual([result.ok, result.packageManager, result.dependencyCount], [false, route, 2])
      const { filesRead, complete, excluded } = result.coverage
      assert.deepEqual(filesRead, ['package.json', label])
      assert.deepEqual([complete, excluded], [true, [{ reason: 'dev', packages: 1 }]])
      const issue = result.issues.vulnerabilities.find(({ id }: { id: string }) => id === 'GHSA-jf85-cpcp-j695')
      assert.deepEqual(issue.from, ['tool@1.0.0', 'lodash@4.17.4'])
      assert.deepEqual(issue.upgradePath, ['tool@1.0.0', 'lodash@4.17.21'])
      assert.deepEqual([issue.language, issue.packageManager], ['js', 'npm'])
    })
  }

  test('pnpm project without a lockfile: versions are resolved, and the coverage says how', async () => {
    const { coverage, dependencyCount } = await post(filesBody(packageJson))
    assert.deepEqual([coverage.locked, coverage.complete, dependencyCount], [false, true, 2])
    assert.deepEqual(coverage.boundsMet, ['Without pnpm-lock.yaml, versions are those that npm would choose today'])
  })

  test('pnpm lockfile of another package.json: result not ok, the difference is named', async () => {
    const other = JSON.stringify({ name: 'p', dependencies: { tool: '^2.0.0' } })
    const fixed = locks['9.0']!.replaceAll('4.17.4', '4.17.21')
    const { ok, coverage } = await post(filesBody(other, fixed))
    assert.equal(ok, false)
    assert.deepEqual(
      coverage.unresolved.map(({ name, code }: Record<string, string>) => [name, code]),
      [['tool', 'not-in-lockfile']],
    )
  })
})
