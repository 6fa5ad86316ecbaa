import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import { openCommit } from './git-commit.ts'

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
const context = { environment, signal: new AbortController().signal }

describe('folders at a commit', () => {
  let root: string
  let repository: string
  const git = (folder: string, ...args: string[]) =>
    String(
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  const write = (path: string, text: string) => {
    mkdirSync(join(repository, path, '..'), { recursive: true })
    writeFileSync(join(repository, path), text)
  }

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-git-commit-'))
    repository = join(root, 'repository')
    mkdirSync(repository)
    git(repository, 'init', '--quiet', '--initial-branch=main')
    write('package.json', 'old')
    write('app/pom.xml', '<project/>\r\n')
    git(repository, 'add', '.')
    git(repository, 'commit', '--quiet', '--message=first')
    write('package.json', 'new')
    write('lib/package.json', 'added')
    git(repository, 'add', '.')
    git(repository, 'commit', '--quiet', '--message=second')
  })
  after(() => rmSync(root, { recursive: true }))

  async function readAll(source: RepositorySource): Promise<Record<string, string>> {
    const { entries } = await source.list(() => true)
    const all: Record<string, string> = {}
    for await (const { entry, content, problem } of source.readFiles(entries)) {
      all[entry.path] = problem ?? String(content)
    }
    return all
  }
  const at = async (path: string, ref: string) => readAll(await openCommit(path, ref, context))

  test('folder at a commit: has the committed files; work tree and index stay untouched', async () => {
    write('package.json', 'not committed')
    const index = readFileSync(join(repository, '.git/index'))
    assert.deepEqual(await at(repository, 'HEAD~1'), { 'app/pom.xml': '<project/>\r\n', 'package.json': 'old' })
    assert.deepEqual(await at(join(repository, 'app'), 'main'), { 'pom.xml': '<project/>\r\n' })
    assert.deepEqual(await at(join(repository, 'lib'), 'HEAD~1'), {}, 'the commit lacks the folder')
    assert.equal(readFileSync(join(repository, 'package.json'), 'utf8'), 'not committed')
    assert.deepEqual(readFileSync(join(repository, '.git/index')), index)
  })

  test('folder at a commit: missing commits, shallow clones and plain folders are refused with advice', async () => {
    for (const ref of ['missing', '', '--all', '^main', 'main\u001b[31m', `${'0'.repeat(40)}`]) {
      await assert.rejects(at(repository, ref), {
        name: 'Error',
        message: /has no commit ".*fetch it first/,
        exitCode: 2,
      })
    }
    const shallow = join(root, 'shallow')
    git(root, 'clone', '--quiet', '--depth=1', `file://${repository}`, shallow)
    await assert.rejects(at(shallow, 'HEAD~1'), /shallow and has no commit "HEAD~1".*--unshallow/)
    await assert.rejects(at(root, 'main'), /in no git work tree/)
    await assert.rejects(at(join(root, 'missing'), 'main'), /does not exist/)
  })

  test('folder at a commit: a hostile repository runs nothing, even when objects are missing', async () => {
    const hostile = join(root, 'hostile')
    git(root, 'clone', '--quiet', `file://${repository}`, hostile)
    const trap = join(root, 'trap')
    writeFileSync(trap, `#!/bin/sh\necho >> ${root}/sprung\n`)
    chmodSync(trap, 0o755)
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
      writeFileSync(join(hostile, '.git/hooks', hook), readFileSync(trap), { mode: 0o755 })
    }
    const settings = {
      'core.fsmonitor': trap,
      'core.pager': trap,
      'core.sshCommand': trap,
      'filter.x.smudge': trap,
      'filter.x.clean': trap,
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.uploadpack': trap,
    }
    git(hostile, 'config', 'core.repositoryFormatVersion', '1')
    for (const [name, value] of Object.entries(settings)) git(hostile, 'config', name, value)
    writeFileSync(join(hostile, '.git/info/attributes'), '* filter=x\n')
    assert.deepEqual(await at(hostile, 'HEAD~1'), { 'app/pom.xml': '<project/>\r\n', 'package.json': 'old' })
    const packs = join(hostile, '.git/objects/pack')
    const blob = git(hostile, 'rev-parse', 'HEAD~1:package.json').trim()
    const [pack] = readdirSync(packs).filter((name) => name.endsWith('.pack'))
    const bytes = readFileSync(join(packs, pack!))
    for (const name of readdirSync(packs)) rmSync(join(packs, name), { force: true })
    execFileSync('git', ['-C', hostile, 'unpack-objects', '-q'], { env: environment, input: bytes })
    rmSync(join(hostile, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    for (const url of [`file://${repository}`, `ext::${trap}`, 'git@127.0.0.1:a', repository]) {
      git(hostile, 'config', 'remote.origin.url', url)
      await assert.rejects(at(hostile, 'HEAD~1'), /clone lacks files of HEAD~1/, url)
    }
    assert.ok(!existsSync(join(root, 'sprung')))
  })
})
