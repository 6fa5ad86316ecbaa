// cspell:ignore noprofile norc
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { assertCycloneDx, assertSarif } from '#test/documents/document-schemas.ts'
import { toOsvRecord, writeOsvExport } from '#test/manifests/osv-export.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { npmProject } from '#test/repositories/imports.ts'
import type { TestApp } from '#test/servers/app.ts'
import { startListening } from '#test/servers/listening.ts'
import { program, programEnvironment } from '#test/servers/program.ts'

interface Step {
  readonly name: string
  readonly if?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly uses?: string
}

const read = (path: string) => readFileSync(join('docs/ci', path), 'utf8')

test('CI guide: explains each setting that the workflow reads and each word to replace', () => {
  const guide = readFileSync('docs/guides/ci.md', 'utf8')
  const settings = [...read('github/workflow.yml').matchAll(/(?:vars|secrets)\.(\w+)/g)].map(([, name]) => name)
  const samples = [...guide.matchAll(/```yaml[^\n]*\n(.*?)```/gs)].map(([, sample]) => sample).join('\n')
  const replaced = [...samples.matchAll(/(?<=[ /@])[A-Z]+(?:_[A-Z]+)*(?=$|\/)/gm)].map(([name]) => name)
  assert.ok(settings.length > 0 && replaced.length > 0)
  for (const name of [...settings, ...replaced]) assert.ok(guide.includes(`\`${name}\``), name)
  assert.doesNotMatch(samples, /@\d|\bv\d|example/)
})

describe('CI recipes', () => {
  let root: string
  let app: TestApp
  let clone: string
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-ci-'))
    clone = join(root, 'clone')
    for (const folder of ['bin', 'clone', 'home', 'osv']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'bin/gatehouse'), `#!/bin/sh\nexec node ${resolve(program.executable)} "$@"\n`)
    chmodSync(join(root, 'bin/gatehouse'), 0o755)
    addProject('old')
    git('init', '--quiet', '--initial-branch=main')
    commit()
    git('checkout', '--quiet', '-b', 'change')
    git('update-ref', 'refs/remotes/origin/main', 'main')
    registry = await startNpmRegistry({ lodash: { '4.17.20': {}, '4.17.21': {} } })
    app = await startListening('sqlite', settings())
  })
  after(async () => {
    await app.close()
    await registry.close()
    rmSync(root, { recursive: true })
  })

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--message=change')
  }
  const addProject = (name: string) => {
    mkdirSync(join(clone, name), { recursive: true })
    for (const { path, content } of npmProject(name)) writeFileSync(join(clone, String(path)), content)
  }
  const settings = () => ({ GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  const server = () => ({ GATEHOUSE_URL: app.parts.services.baseUrl, GATEHOUSE_KEY: app.adminKey })

  /** Runs a script as CI systems do: in the clone, and with a shell that ends at the first error. */
  async function runScript(script: string, environment: Record<string, string>, shell = ['sh', '-e']) {
    const [program, ...args] = shell
    const child = spawn(program!, [...args, '-c', script], {
      cwd: clone,
      env: {
        ...programEnvironment,
        PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
        HOME: join(root, 'home'),
        ...environment,
      },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, output }
  }

  const action = parse(read('github/action.yml')) as {
    inputs: Record<string, { default?: string }>
    runs: { steps: Step[] }
  }

  /** Runs the steps of the action until one fails. */
  async function runAction(inputs: Record<string, string>, environment: Record<string, string> = {}) {
    const inputOf = (input: string) => inputs[input] ?? action.inputs[input]?.default
    const fill = (text: string) =>
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, input: string) => {
        const value = inputOf(input)
        assert.ok(value !== undefined, `the input ${input}`)
        return value
      })
    let all = ''
    for (const { if: condition, run, env = {} } of action.runs.steps) {
      if (condition !== undefined) {
        assert.equal(condition, "inputs.url == ''")
        if (inputOf('url') !== '') continue
      }
      assert.doesNotMatch(run!, /\$\{\{/, 'inputs reach scripts through the environment only')
      const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]))
      const summary = { GITHUB_STEP_SUMMARY: join(root, 'summary.md') }
      const { code, output } = await runScript(run!, { ...environment, ...filled, ...summary }, [
        'bash',
        '--noprofile',
        '--norc',
        '-eo',
        'pipefail',
      ])
      all += output
      if (code !== 0) return { code, output: all }
    }
    return { code: 0, output: all }
  }

  test('GitHub: the action fails for issues, writes the files to upload, and passes without new issues', async () => {
    const { GATEHOUSE_URL: url, GATEHOUSE_KEY: key } = server()
    const run = await runAction({ url, key })
    assert.equal(run.code, 1, run.output)
    assert.ok(!run.output.includes(key))
    assertSarif(JSON.parse(readFileSync(join(clone, 'gatehouse.sarif'), 'utf8')))
    assertCycloneDx(JSON.parse(readFileSync(join(clone, 'gatehouse-cyclonedx.json'), 'utf8')))
    assert.match(readFileSync(join(root, 'summary.md'), 'utf8'), /# Gatehouse: \d+ issues?/)
    const unchanged = await runAction({ url, key, against: 'origin/main' })
    assert.equal(unchanged.code, 0, unchanged.output)
    const workflow = parse(read('github/workflow.yml')) as {
      jobs: { gatehouse: { steps: (Step & { with?: object })[] } }
    }
    const step = workflow.jobs.gatehouse.steps.find(({ uses }) => uses?.endsWith('/gatehouse'))
    for (const input of Object.keys(step!.with!)) assert.ok(input in action.inputs, input)
  })

  test('GitHub: without a server, the action fetches advisories and tests in the runner', async () => {
    const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '4.17.21' }] }]
    const affected = [{ package: { ecosystem: 'npm', name: 'lodash' }, ranges }]
    writeOsvExport(join(root, 'osv'), [toOsvRecord('GHSA-npm', 'npm', 'lodash', { affected })])
    const run = await runAction({}, { ...settings(), GATEHOUSE_ADVISORIES_URL: join(root, 'osv') })
    assert.equal(run.code, 1, run.output)
    assert.match(run.output, /GHSA-npm/)
  })

  test('GitLab: the job fails for issues, in a merge request only for new ones', async () => {
    const [spec, job] = parseAllDocuments(read('gitlab/gatehouse.yml')).map((document) => document.toJS())
    const { inputs } = spec.spec as { inputs: Record<string, { default?: string }> }
    const { script, variables } = job.gatehouse as { script: string[]; variables: Record<string, string> }
    const run = (more: Record<string, string>) => {
      const filled = Object.entries(variables).map(([name, value]) => [
        name,
        value.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_all, input: string) => inputs[input]!.default!),
      ])
      return runScript(script.join('\n'), { ...Object.fromEntries(filled), ...server(), ...more })
    }
    const all = await run({})
    assert.equal(all.code, 1, all.output)
    assert.ok(existsSync(join(clone, 'gatehouse.junit.xml')))
    const base = String(git('rev-parse', 'main')).trim()
    const unchanged = await run({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })
    assert.equal(unchanged.code, 0, unchanged.output)
    addProject('new')
    commit()
    const added = await run({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })
    assert.equal(added.code, 1, added.output)
  })

  test('Jenkins: the step fails for new issues of a change and passes without projects', async () => {
    const [, script] = /sh '''\n(.*?)'''/s.exec(read('jenkins/Jenkinsfile')) ?? []
    const added = await runScript(script!, { ...server(), CHANGE_TARGET: 'main' })
    assert.equal(added.code, 1, added.output)
    const nothing = await runScript(`mkdir ../empty && cd ../empty\n${script}`, server())
    assert.equal(nothing.code, 0, nothing.output)
  })

  test('shell: the script fails for issues and passes without projects', async () => {
    const script = read('shell/gatehouse.sh').replace(/^export GATEHOUSE_URL=.*$/m, '')
    const failed = await runScript(script, server())
    assert.equal(failed.code, 1, failed.output)
    const nothing = await runScript(`cd ../empty\n${script}`, server())
    assert.equal(nothing.code, 0, nothing.output)
  })

  test('pre-commit: the hook fails for a project added by the commit, and its pattern matches manifests', async () => {
    const [hook] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as { entry: string; files: string }[]
    const before = await runScript(hook!.entry, server())
    assert.equal(before.code, 0, before.output)
    addProject('newest')
    const added = await runScript(hook!.entry, server())
    assert.equal(added.code, 1, added.output)
    // Python's verbose flag ignores white space.
    const files = new RegExp(hook!.files.replace('(?x)', '').replaceAll(/\s/g, ''))
    for (const path of ['package.json', 'a/pom.xml', 'go.sum', 'build.gradle.kts', 'requirements/base.in', '.snyk']) {
      assert.match(path, files)
    }
    for (const path of ['package.json.bak', 'README.md', 'a/my-go.mod']) assert.doesNotMatch(path, files)
  })
})
