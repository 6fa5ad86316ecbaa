import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { toDigest } from '#analysis/documents/digest.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { Unresolved } from '../../../dependency-graph.ts'
import type { Manifest, Reading, ReadOptions } from '../../ecosystem.ts'
import { readLocked } from '../../locked/read-locked.ts'
import { readUnlocked } from '../../locked/read-unlocked.ts'
import { parsePodfile } from './podfile.ts'
import { type PodfileLock, parsePodfileLock } from './podfile-lock.ts'

const UPDATE = 'pod install'
const EXACT = /^=?\s*(\d\S*)$/

/** Reads a Podfile.lock, and compares it with its Podfile; lists the pods of a Podfile without a lock. */
export async function readPods(manifest: Manifest, options: ReadOptions): Promise<Reading> {
  const files = identifyFiles('cocoapods', manifest)
  const [lock, secondLock] = files.filter(({ kind }) => kind === 'Podfile.lock')
  const [podfile, secondPodfile] = files.filter(({ kind }) => kind === 'Podfile')
  const second = secondLock ?? secondPodfile
  if (second !== undefined)
    throw new Unreadable(`Two files of the kind ${second.kind} were sent`, { file: second.file })
  const about = { name: '', version: '', manifestName: 'Podfile', filesRead: files.map(({ kind }) => kind) }
  if (lock === undefined) {
    const remedy = `Run ${UPDATE} and commit Podfile.lock.`
    const declared = parsePodfile(podfile!.text, podfile!.file).map((pod) => {
      const version = EXACT.exec(pod.range)?.[1]
      return { ...pod, kind: 'prod' as const, ...(version !== undefined && { version }) }
    })
    const reason = `Running the Podfile may add pods. ${remedy}`
    const unknown = { name: 'Podfile', range: '', code: 'not-static' as const, reason, requiredBy: 'Podfile' }
    return readUnlocked({ ...about, remedy, declared, unresolved: [unknown] }, options)
  }
  const parsed = parsePodfileLock(lock.text, lock.file)
  return readLocked(
    {
      ...about,
      lock: { name: 'Podfile.lock', file: lock.file, update: UPDATE },
      packages: parsed.packages,
      direct: parsed.direct,
      versions: rubygemsVersions,
      unresolved: podfile === undefined ? [] : await findStale(parsed, podfile.text),
    },
    options,
  )
}

/** Reports a Podfile that is not the one for which the lock was written. */
async function findStale({ checksum }: PodfileLock, podfile: string): Promise<Unresolved[]> {
  if (checksum === undefined) return []
  const digests = await Promise.all([podfile, podfile.replaceAll('\r\n', '\n')].map((text) => toDigest('SHA-1', text)))
  if (digests.includes(checksum)) return []
  const reason = `The Podfile changed after Podfile.lock was written; run ${UPDATE} to bring them together`
  return [{ name: 'Podfile', range: '', code: 'lockfile-contradiction', reason, requiredBy: 'Podfile' }]
}
