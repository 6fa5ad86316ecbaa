import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { findStorageFault, type StorageFault } from '../db/storage-faults.ts'
import { findDiskFailure, toGitProblem } from './git-failure.ts'
import type { ProgramEnd } from './run-program.ts'

const ended = (errors: string): ProgramEnd => ({ endedBy: 'exit', exitCode: 128, output: Buffer.alloc(0), errors })

// Messages of git 2.39 to 2.51 and of the C library.
const DISK: readonly (readonly [words: string, fault: StorageFault])[] = [
  ['fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output', 'full'],
  ["fatal: sha1 file '/w/pack/tmp_pack_a' write error. Out of diskspace", 'full'],
  ["fatal: could not write '/w/pack/pack-1.promisor' promisor file", 'full'],
  ["fatal: could not write '/w/pack/pack-1.promisor' promisor file: No space left on device", 'full'],
  ['error: unable to create temporary file: No space left on device\nfatal: failed to write object', 'full'],
  ["fatal: Unable to create '/w/shallow.lock': No space left on device.", 'full'],
  ['fatal: failed to write to /w/shallow.lock: No space left on device', 'full'],
  ["error: failed to write new configuration file /w/config.lock\nfatal: could not set 'core.bare' to 'true'", 'full'],
  ['error: unable to write symref for HEAD: No space left on device', 'full'],
  ['error: file write error: No space left on device\nfatal: unable to write loose object file', 'full'],
  ["fatal: cannot write promisor file '/w/pack/pack-1.promisor': No space left on device", 'full'],
  ['fatal: error while closing pack file: Disk quota exceeded\nfatal: index-pack failed', 'full'],
  ['fatal: write error: Disk quota exceeded\nfatal: fetch-pack: invalid index-pack output', 'full'],
  ['fatal: write error: Input/output error\nfatal: fetch-pack: invalid index-pack output', 'broken'],
  ["error: unable to write file '/w/objects/aa/bb': Disk quota exceeded", 'full'],
  ['fatal: cannot pwrite pack file: No space left on device', 'full'],
  ["fatal: fsync error on '/w/pack/tmp_idx_a': Input/output error", 'broken'],
  ["fatal: Unable to create '/w/shallow.lock': Read-only file system.", 'read-only'],
]

const OTHERS = [
  'fatal: write error: File too large\nfatal: fetch-pack: invalid index-pack output',
  'remote: fatal: write error: No space left on device\nfatal: early EOF',
  'fatal: remote error: upload-pack: Disk quota exceeded',
  'error: index-pack died of signal 25',
  'fatal: write error: Broken pipe',
  "fatal: couldn't find remote ref main",
]

test('git failure: a full or failing local disk is a storage fault', () => {
  for (const [words, fault] of DISK) assert.equal(findStorageFault(findDiskFailure(ended(words))), fault, words)
})

test('git failure: every message of git on a full disk is recognized', async (context) => {
  const disk = mkdtempSync(join(tmpdir(), 'gatehouse-full-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', disk]).status !== 0) {
    rmSync(disk, { recursive: true })
    return context.skip('needs the right to mount a small disk')
  }
  try {
    using repository = bareRepository()
    const commit = repository.commit([{ path: 'file', content: randomBytes(40_000) }])
    for (const name of ['allowFilter', 'allowAnySHA1InWant']) repository.git(['config', `uploadpack.${name}`, 'true'])
    const blob = repository.git(['rev-parse', `${commit}:file`])
    const run = (args: readonly string[]) => {
      const env = { PATH: process.env['PATH']!, HOME: disk, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' }
      return spawnSync('git', args, { cwd: disk, env, encoding: 'utf8' })
    }
    const init = ['init', '--quiet', '--bare', '--template=', 'r']
    const settings = ['fetch.unpackLimit=1', 'remote.o.promisor=true', `remote.o.url=file://${repository.path}`]
    const fetch = [
      '--git-dir',
      'r',
      ...settings.flatMap((setting) => ['-c', setting]),
      'fetch',
      '-q',
      '--filter=blob:none',
    ]
    const fetchCommit = [...fetch, '--depth=1', 'o', commit]
    const steps = [[init], [init, fetchCommit], [init, fetchCommit, [...fetch, 'o', blob]]]
    const said = new Set<string>()
    for (let freeBytes = 0; freeBytes < 80 * 1024; freeBytes += 4096) {
      for (const step of steps) {
        for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
        for (const args of step.slice(0, -1)) assert.equal(run(args).status, 0)
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - freeBytes))
        const { status, stderr } = run(step.at(-1)!)
        if (status === 0) continue
        said.add(stderr)
        assert.equal(findStorageFault(findDiskFailure(ended(stderr))), 'full', stderr)
      }
    }
    assert.ok(said.size > 1, [...said].join('\n'))
  } finally {
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true })
  }
})

test('git failure: own limits and a full disk of the remote server are not local storage faults', () => {
  for (const words of OTHERS) {
    assert.equal(findDiskFailure(ended(words)), undefined, words)
    assert.equal(
      findStorageFault(
        toGitProblem(ended(words), { seconds: 1, diskBytes: 1, memoryBytes: 1, receivedBytes: 1, idleSeconds: 1 }),
      ),
      undefined,
      words,
    )
  }
})
