import { encodingOf } from '#analysis/discovery/file-kinds/text-encoding.ts'
import type { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import { Problem } from '#foundation/problem.ts'
import type { ReadSubject } from './task.ts'
import type { TestFiles } from './test-files.ts'

export type FilesSubject = Extract<ReadSubject, { kind: 'files' }>

/** Returns the files of a request; `additional` is a list, one file, or an empty object. */
export function toSubject(files: TestFiles, encoding: FilesSubject['encoding'] = 'plain'): FilesSubject {
  const { target, additional = [] } = files
  const list = Array.isArray(additional) ? additional : 'contents' in additional ? [additional] : []
  return { kind: 'files', target: target.contents, additional: list.map(({ contents }) => contents), encoding }
}

/**
 * Returns the text of the files. Throws a 400 problem for invalid base64, and for base64 that does not contain text.
 */
export function decodeFiles({ target, additional, encoding, places }: FilesSubject): Manifest {
  const where = places === undefined ? {} : { places }
  if (encoding === 'plain') return { target, additional, ...where }
  return {
    ...where,
    target: decode(target, 'target'),
    additional: additional.map((contents, index) => decode(contents, index)),
  }
}

function decode(contents: string, file: Unreadable['file']): string {
  const packed = contents.replace(/[\r\n\t ]/g, '')
  const bytes = Buffer.from(packed, 'base64')
  // Node.js skips characters that are not base64; the length shows whether it skipped any.
  const isBase64 =
    packed.replace(/=+$/, '').length === Math.ceil((bytes.length * 4) / 3) && !/[^A-Za-z0-9+/_=-]/.test(packed)
  if (!isBase64) throw unreadable('is not base64, though encoding says so', file)
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('does not hold text in UTF-8, nor in an encoding that its first lines name', file)
  }
}

function unreadable(what: string, file: Unreadable['file']): Problem {
  return new Problem('manifest-unreadable', `${nameOf(file)} ${what}`, { source: { pointer: pointerTo(file) } })
}

/** Translates a parser's error for the caller. */
export function toManifestProblem(error: Unreadable, places?: ManifestPlaces): Problem {
  const at = error.line === undefined ? '' : ` (line ${error.line})`
  const place = error.file === 'target' ? places?.target : places?.additional[error.file]
  return new Problem('manifest-unreadable', `${place ?? nameOf(error.file)}: ${error.message}${at}`, {
    source: { pointer: pointerTo(error.file) },
    cause: error,
  })
}

function nameOf(file: Unreadable['file']): string {
  return file === 'target' ? 'The target file' : `Additional file ${file + 1}`
}

function pointerTo(file: Unreadable['file']): string {
  return file === 'target' ? '/files/target/contents' : `/files/additional/${file}/contents`
}
