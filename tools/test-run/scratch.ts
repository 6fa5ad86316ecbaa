import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const MEMORY = '/dev/shm'
/** Free space that a whole run never exceeds. */
const NEEDED_BYTES = 4 * 1024 ** 3

/**
 * Creates a folder for everything that a run writes. It lies in memory where that has room and runs programs, because
 * tests commit many thousands of times and a disk takes milliseconds to sync each. Removes what killed runs left there.
 */
export function createScratch(memory: string = MEMORY): string {
  for (const name of globSync('gatehouse-test-run-*', { cwd: memory })) {
    const owner = name.split('-')[3]
    if (!existsSync(`/proc/${owner}`)) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const prefix = `gatehouse-test-run-${process.pid}-`
  if (hasRoom(memory)) {
    const folder = mkdtempSync(join(memory, prefix))
    // A PostgreSQL of a test runs as another user, below this folder.
    chmodSync(folder, 0o711)
    if (runsPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  }
  return mkdtempSync(join(tmpdir(), prefix))
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= NEEDED_BYTES
}

/**
 * Returns true if programs in the folder can run: containers often mount it `noexec`, and some tests write a program.
 */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'probe')
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}
