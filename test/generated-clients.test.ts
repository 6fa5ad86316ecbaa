// cspell:ignore compileall PYTHONPATH
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ADMIN_KEY, type TestApp } from '#test/servers/app.ts'
import { startListening } from '#test/servers/listening.ts'

const run = promisify(execFile)
const clients = fileURLToPath(new URL('./clients/', import.meta.url))
const document = fileURLToPath(new URL('../openapi.json', import.meta.url))
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))
const python = join(clients, 'node_modules/.venv/bin/python')

/** The generators are not dependencies of the product, as they need their own compiler and a Python. */
const install = 'run "npm run install:clients"'
const withoutNode = !existsSync(join(clients, 'node_modules')) && `the client generators are not installed: ${install}`
const withoutPython = !existsSync(python) && `openapi-python-client is not installed: ${install}`

describe('clients generated from openapi.json', () => {
  let app: TestApp
  let folder: string
  before(async () => {
    app = await startListening('sqlite')
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(clients, 'node_modules'), join(folder, 'node_modules'))
  })
  after(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  async function compile(program: string): Promise<void> {
    const options = '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target esnext --module nodenext'
    const types = ['--lib', 'esnext,dom,dom.iterable', '--types', 'node', '--typeRoots', typeRoots]
    await run(compiler, [...options.split(' '), ...types, program], { cwd: folder })
  }
  const typeRoots = fileURLToPath(new URL('../node_modules/@types', import.meta.url))

  async function call(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
    const { stdout } = await run(program, [...args, app.parts.services.baseUrl, ADMIN_KEY, app.orgId], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
    const { version, self, ...others } = JSON.parse(stdout) as Record<string, unknown>
    assert.match(String(version), /^\d+\.\d+\.\d+/)
    assert.match(String(self), /^[\da-f-]{36}$/)
    assert.equal(others['app'], 'Generated')
    assert.ok((others['apps'] as string[]).includes('Generated'))
    assert.equal(others['code'], 'not-found')
  }

  test('openapi-typescript with openapi-fetch: compiles and makes five calls', { skip: withoutNode }, async () => {
    const generator = join(clients, 'node_modules/openapi-typescript/bin/cli.js')
    await run(process.execPath, [generator, document, '-o', join(folder, 'generated.ts')])
    const program = join(folder, 'openapi-typescript.ts')
    copyFileSync(join(clients, 'programs/openapi-typescript.ts'), program)
    await compile(program)
    await call(process.execPath, [program])
  })

  test('@hey-api/openapi-ts: compiles and makes five calls', { skip: withoutNode }, async () => {
    const options = {
      input: document,
      output: { path: join(folder, 'generated'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch'],
      logs: { level: 'silent' },
    }
    const script = `import { createClient } from '@hey-api/openapi-ts'; await createClient(${JSON.stringify(options)})`
    await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
    const program = join(folder, 'hey-api.ts')
    copyFileSync(join(clients, 'programs/hey-api.ts'), program)
    await compile(program)
    await call(process.execPath, [program])
  })

  test('openapi-python-client: generates without a warning and makes five calls', { skip: withoutPython }, async () => {
    const target = join(folder, 'python')
    mkdirSync(target)
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ post_hooks: [] }))
    const generator = join(clients, 'node_modules/.venv/bin/openapi-python-client')
    const options = [
      '--path',
      document,
      '--output-path',
      target,
      '--overwrite',
      '--config',
      config,
      '--fail-on-warning',
    ]
    await run(generator, ['generate', ...options], { maxBuffer: 1e8 })
    await run(python, ['-m', 'compileall', '-q', target])
    await call(python, [join(clients, 'programs/python_client.py')], { PYTHONPATH: target })
  })
})
