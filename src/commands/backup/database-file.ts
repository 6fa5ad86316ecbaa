import { DatabaseSync } from 'node:sqlite'

/** Reads every page of an embedded database. Throws if the file is not one. */
export function isIntact(path: string): boolean {
  const copy = new DatabaseSync(path, { readOnly: true })
  try {
    return copy.prepare('pragma integrity_check').get()?.['integrity_check'] === 'ok'
  } finally {
    copy.close()
  }
}
