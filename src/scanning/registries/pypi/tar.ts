import { setImmediate } from 'node:timers/promises'
import { readTar } from '#foundation/archives/tar.ts'
import { Problem } from '#foundation/problem.ts'
import type { ArchivedFile } from './archived-file.ts'

const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_FILES = 100_000
/** Bytes to read before yielding to other requests. */
const TURN_BYTES = 256 * 1024

/** Returns the files of a tar archive, without large ones and those after a damaged part. */
export async function filesOfTar(archive: Buffer): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = []
  try {
    for await (const { name, content } of readTar(inTurns(archive), (_, bytes) => bytes <= MAX_FILE_BYTES)) {
      if (content === undefined) continue
      const parts = name.toString('utf8').replace(/^\.\//, '').split('/')
      files.push({ parts, read: () => content.toString('utf8') })
      if (files.length === MAX_FILES) break
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  return files
}

async function* inTurns(archive: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < archive.length; at += TURN_BYTES) {
    yield archive.subarray(at, at + TURN_BYTES)
    await setImmediate()
  }
}
