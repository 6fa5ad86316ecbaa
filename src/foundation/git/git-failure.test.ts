import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStorageFault, type StorageFault } from '../db/storage-faults.ts'
import { findDiskFailure, toGitProblem } from './git-failure.ts'
import type { ProgramEnd } from './run-program.ts'

const ended = (errors: string): ProgramEnd => ({ endedBy: 'exit', exitCode: 128, output: Buffer.alloc(0), errors })

// words of git 2.39 to 2.51 and of the C library
const DISK: readonly (readonly [words: string, fault: StorageFault])[] = [
  ['fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output', 'full'],
  ["fatal: sha1 file '/w/pack/tmp_pack_a' write error. Out of diskspace", 'full'],
  ["fatal: could not write '/w/pack/pack-1.promisor' promisor file", 'full'],
  ["fatal: could not write '/w/pack/pack-1.promisor' promisor file: No space left on device", 'full'],
  ['error: unable to create temporary file: No space left on device\nfatal: failed to write object', 'full'],
  ["fatal: Unable to create '/w/shallow.lock': No space left on device.", 'full'],
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

test('git failure: a disk of this server that is full or fails is a storage fault, not one of the repository', () => {
  for (const [words, fault] of DISK) assert.equal(findStorageFault(findDiskFailure(ended(words))), fault, words)
})

test('git failure: own limits and a full disk of the remote server are no storage faults here', () => {
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
