import { SyncFailed } from './sync-failed.ts'

/** The source's records: time of the last change in epoch milliseconds by id. */
export type ModifiedList = ReadonlyMap<string, number>

const LINE = /^(\d{4}-\d\d-\d\dT[^,\s]{1,40}),([\x21-\x7e]{1,128})$/

/**
 * Parses `<time>,<id>` lines. Any malformed line makes the whole list fail: an error page or half a download must not
 * pass for a source that lost its records.
 */
export function parseModifiedList(text: string, name: string): ModifiedList {
  const list = new Map<string, number>()
  let line = 0
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const row = text.slice(start, end < 0 ? text.length : end).trimEnd()
    start = end < 0 ? text.length : end + 1
    line += 1
    if (row === '') continue
    const [, time, id] = LINE.exec(row) ?? []
    const modified = time === undefined ? Number.NaN : Date.parse(time)
    if (id === undefined || Number.isNaN(modified)) throw new SyncFailed(`${name}: line ${line} is not "<time>,<id>"`)
    list.set(id, Math.max(modified, list.get(id) ?? 0))
  }
  return list
}
