import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { serveHttp } from '#test/servers/local-server.ts'
import { program, programEnvironment } from '#test/servers/program.ts'

const packageJson = '{"name": "app", "dependencies": {"lodash": "4.17.20"}}\n'

/** A server or registry that accepts requests and never responds. */
async function startSilence() {
  let arrive = () => {}
  const server = await serveHttp(() => arrive())
  return {
    url: server.url,
    nextRequest: () => new Promise<void>((resolve) => (arrive = resolve)),
    close: () => server[Symbol.asyncDispose](),
  }
}

describe('interrupted commands', () => {
  let root: string
  let silence: Awaited<ReturnType<typeof startSilence>>
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-interrupts-'))
    silence = await startSilence()
    mkdirSync(join(root, 'bin'))
    // Reports with a request that it runs, and waits.
    const ask = `exec 9<>/dev/tcp/127.0.0.1/${new URL(silence.url).port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&9`
    writeFileSync(join(root, 'bin/git'), `#!/bin/bash\n${ask}\nexec sleep 600\n`)
    chmodSync(join(root, 'bin/git'), 0o755)
  })
  after(async () => {
    await silence.close()
    rmSync(root, { recursive: true })
  })
  beforeEach(() => {
    for (const folder of ['home', 'project', 'tmp']) {
      rmSync(join(root, folder), { recursive: true, force: true })
      mkdirSync(join(root, folder))
    }
    writeFileSync(join(root, 'project/package.json'), packageJson)
  })

  interface Point {
    readonly args: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
  }

  const onServer = () => ({ GATEHOUSE_URL: silence.url, GATEHOUSE_KEY: 'key' })
  const locally = () => ({
    XDG_CACHE_HOME: join(root, 'home/cache'),
    GATEHOUSE_NPM_REGISTRY: silence.url,
    GATEHOUSE_TEST_WORKERS: '1',
  })
  const slowGit = () => ({ PATH: `${join(root, 'bin')}:${programEnvironment['PATH']}` })
  const points: Record<string, () => Point> = {
    'test, while a server tests': () => ({ args: ['test'], environment: onServer() }),
    'test --local, while a registry is asked': () => ({ args: ['test', '--local'], environment: locally() }),
    'test, while git lists files': () => ({ args: ['test'], environment: { ...onServer(), ...slowGit() } }),
    'fix --local, while a registry is asked': () => ({ args: ['fix', '--local'], environment: locally() }),
    'fix, while a server tests': () => ({ args: ['fix'], environment: onServer() }),
    'monitor, before the files are sent': () => ({ args: ['monitor'], environment: onServer() }),
    'projects, while a server answers': () => ({ args: ['projects'], environment: onServer() }),
    'login --key, while the key is checked': () => ({ args: ['login', '--key', '--url', silence.url] }),
    'advisories sync --local, while the source is asked': () => ({
      args: ['advisories', 'sync', '--local'],
      environment: { ...locally(), GATEHOUSE_ADVISORIES_URL: silence.url, GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' },
    }),
  }

  for (const [name, point] of Object.entries(points)) {
    const more = name.startsWith('fix --local') ? (['SIGHUP'] as const) : []
    for (const signal of ['SIGINT', 'SIGTERM', ...more] as const) {
      test(`${name}, ${signal}: exits as interrupted, without leftover files and processes`, async () => {
        const { args, environment = {} } = point()
        const reached = silence.nextRequest()
        // A separate process group, in which a process that outlives the command is found.
        const child = spawn(process.execPath, [resolve(program.executable), ...args], {
          cwd: join(root, 'project'),
          detached: true,
          env: { ...programEnvironment, HOME: join(root, 'home'), TMPDIR: join(root, 'tmp'), ...environment },
        })
        let errors = ''
        child.stderr.on('data', (chunk: Buffer) => (errors += chunk))
        child.stdin.end('key\n')
        const closed = once(child, 'close')
        await Promise.race([reached, closed])
        child.kill(signal)
        const [code] = await closed
        assert.equal(code, 130, errors)
        assert.match(errors, /Interrupted\.\n$/)
        assert.throws(() => process.kill(-child.pid!, 0), { code: 'ESRCH' }, 'no process is left')
        assert.deepEqual(readdirSync(join(root, 'tmp')), [])
        assert.deepEqual(readdirSync(join(root, 'project')), ['package.json'])
        assert.equal(readFileSync(join(root, 'project/package.json'), 'utf8'), packageJson)
        assert.deepEqual(leftIn(join(root, 'home')), [])
      })
    }
  }
})

/** Lists files of a home folder besides the cache that later commands use: its database and compiled advisories. */
function leftIn(home: string): string[] {
  const kept = /^cache\/gatehouse\/(?:gatehouse\.sqlite|secret\.key|advisories(?:\/[^/]*\.snapshot)?|reading)?$/
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((path) => !/^\.?cache(?:\/gatehouse)?$/.test(path) && !kept.test(path))
}
