import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { programEnvironment, programOfRun } from '#test/servers/program.ts'
import { startServer } from '#test/servers/server-process.ts'
import { isFullVolume } from '#test/volume.ts'
import { build } from '../../tools/packaging/build.ts'
import { writeArtifacts } from '../../tools/release/write-artifacts.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

describe('the npm package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-package-'))
  const home = join(folder, 'home')
  const installed = join(folder, 'prefix/lib/node_modules/gatehouse')
  const program = join(folder, 'prefix/bin/gatehouse')
  const release = join(folder, 'release')
  const tarball = `gatehouse-${version}.tgz`
  let released: string[]
  before(async () => {
    mkdirSync(home)
    // A run of many files has built most of the package for its processes: only at full volume it is built again.
    released = writeArtifacts(
      await build(join(folder, 'dist'), isFullVolume ? undefined : programOfRun()),
      process.cwd(),
      release,
    )
    const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-update-notifier']
    const install = ['install', '--global', '--prefix', join(folder, 'prefix'), join(release, tarball)]
    execFileSync('npm', [...install, ...options], { cwd: folder, env: { ...programEnvironment, HOME: home } })
  })
  after(() => rmSync(folder, { recursive: true }))

  test('the package is small and has no dependencies and no Node', () => {
    assert.ok(statSync(join(release, tarball)).size < 20e6)
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    assert.equal(dependencies, undefined)
    assert.equal(optionalDependencies, undefined)
    const files = globSync('**', { cwd: installed, withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size)
    assert.ok(bytes.reduce((sum, byte) => sum + byte, 0) < 60e6)
  })

  test('the package lists the bundled packages with their licenses', () => {
    const notices = readFileSync(join(installed, 'THIRD-PARTY-NOTICES'), 'utf8')
    for (const name of ['fastify', 'react', '@mantine/core', '@fastify/swagger-ui', 'undici'])
      assert.match(notices, new RegExp(`^${name} \\d\\S+ \\(MIT\\)$`, 'm'))
  })

  test('a release has checksums and a valid bill of materials with every bundled package', () => {
    assert.deepEqual(released, [tarball.replace('.tgz', '.cdx.json'), tarball, 'SHA256SUMS'])
    assert.equal(spawnSync('sha256sum', ['--check', '--status', 'SHA256SUMS'], { cwd: release }).status, 0)
    const { components, metadata } = JSON.parse(readFileSync(join(release, released[0]!), 'utf8'))
    assert.equal(metadata.component.name, 'gatehouse')
    for (const name of ['fastify', 'react', 'swagger-ui'])
      assert.ok(
        components.some((component: { name: string; purl: string }) => component.name === name && component.purl),
        name,
      )
  })

  test('the package tests a folder without a server', () => {
    const shop = join(folder, 'shop')
    mkdirSync(shop)
    writeFileSync(join(shop, 'package.json'), '{"name":"shop","dependencies":{"lodash":"4.17.4"}}')
    const lock = { '': { dependencies: { lodash: '4.17.4' } }, 'node_modules/lodash': { version: '4.17.4' } }
    writeFileSync(join(shop, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: lock }))
    const run = (...args: string[]) =>
      spawnSync(program, args, { env: { ...programEnvironment, HOME: home }, encoding: 'utf8' })
    assert.equal(run('--version').stdout, `${version}\n`)
    const tested = run('test', '--local', shop)
    assert.equal(tested.status, 1, tested.stderr)
    assert.match(tested.stdout, /critical +lodash@4\.17\.4/)
  })

  test('the package serves the API, the console and the documentation with their files', async () => {
    const server = await startServer({ GATEHOUSE_DATA_DIR: join(folder, 'data') }, [program, 'serve'])
    const read = async (path: string) => {
      const answer = await fetch(new URL(path, `${server.baseUrl}/`))
      assert.equal(answer.status, 200, path)
      return answer.text()
    }
    try {
      await read('/readyz')
      assert.match(await read('/docs/authentication'), /<h1/)
      for (const path of ['/console/', '/docs']) {
        const page = await read(path)
        const files = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file!)
        assert.ok(files.length > 1, path)
        for (const file of files) assert.notEqual(await read(file), '', file)
      }
      for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) await read(`/docs/assets/${file}`)
      const openapi = JSON.parse(await read('/docs/openapi.json'))
      assert.deepEqual(Object.keys(openapi.paths), Object.keys(JSON.parse(readFileSync('openapi.json', 'utf8')).paths))
    } finally {
      assert.equal(await server.end('SIGTERM'), 0)
    }
  })
})

test('an older Node is refused with the required version', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } })'
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${older}`, 'bin/gatehouse.js', '--version'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.match(stderr, /^Gatehouse requires Node 24 or newer\. This is Node 20\.1\.0 .*\n$/)
})
