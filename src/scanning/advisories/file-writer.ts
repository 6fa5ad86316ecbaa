import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

const PIECE_BYTES = 1024 * 1024

export interface FileWriter {
  position(): number
  write(bytes: Uint8Array): void
  /** Syncs the file to the disk and closes it. */
  finish(): void
  /** Closes and deletes the file. */
  abandon(): void
}

/** Creates a file and writes it in large pieces, whatever the size of the given ones. */
export function openFileWriter(path: string): FileWriter {
  const fd = openSync(path, 'wx', 0o600)
  const pending = Buffer.alloc(PIECE_BYTES)
  let used = 0
  let written = 0

  function writeAll(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    written += bytes.length
  }

  function flush(): void {
    writeAll(pending.subarray(0, used))
    used = 0
  }

  return {
    position: () => written + used,
    write(bytes: Uint8Array): void {
      if (used + bytes.length > pending.length) flush()
      if (bytes.length > pending.length) {
        writeAll(bytes)
        return
      }
      pending.set(bytes, used)
      used += bytes.length
    },
    finish(): void {
      flush()
      fsyncSync(fd)
      closeSync(fd)
    },
    abandon(): void {
      try {
        closeSync(fd)
      } catch {
        // Closed already.
      }
      rmSync(path, { force: true })
    },
  }
}
