import { identifyFiles } from '#analysis/discovery/file-kinds/identify-files.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, ManifestPlaces } from '../ecosystem.ts'
import { type DeclaredGem, type Gemfile, parseGemfile, parseGemspec } from './gemfile.ts'
import { type GemfileLock, parseGemfileLock } from './gemfile-lock.ts'

/** The sent files, identified by content. */
export interface ProjectFiles {
  readonly lock: { readonly content: GemfileLock; readonly file: 'target' | number } | undefined
  readonly gemfile: Gemfile | undefined
  /** Dependencies of gemspecs; undefined if none was sent. */
  readonly gemspec: readonly DeclaredGem[] | undefined
  readonly filesRead: string[]
}

/**
 * Identifies a Gemfile.lock, a Gemfile and gemspecs in any order. Gemspecs alone are read like a Gemfile that includes
 * them.
 */
export function sortFiles(manifest: Manifest): ProjectFiles {
  const files = identifyFiles('rubygems', manifest)
  const { places } = manifest
  const [lock, secondLock] = files.filter(({ kind }) => kind === 'Gemfile.lock')
  const [gemfile, secondGemfile] = files.filter(({ kind }) => kind === 'Gemfile')
  const second = secondLock ?? secondGemfile
  if (second !== undefined)
    throw new Unreadable(`Two files of the kind ${second.kind} were sent`, { file: second.file })
  const gemspecs = files.filter(({ kind }) => kind === 'gemspec')
  const isGemspecOnly = lock === undefined && gemfile === undefined && gemspecs.length > 0
  return {
    lock: lock === undefined ? undefined : { content: parseGemfileLock(lock.text, lock.file), file: lock.file },
    gemfile: isGemspecOnly ? ONLY_GEMSPEC : gemfile && toGemfile(gemfile.text, gemfile.file),
    gemspec: gemspecs.length === 0 ? undefined : gemspecs.flatMap(({ text, file }) => parseGemspec(text, file)),
    filesRead: files.map(({ file, kind }) => nameIn(places, file) ?? kind),
  }
}

const ONLY_GEMSPEC: Gemfile = { gems: [], gemspecLine: 1, notStatic: [], plugins: [] }

/** Returns the name of a file in a repository: Bundler also accepts gems.rb and gems.locked. */
function nameIn(places: ManifestPlaces | undefined, file: 'target' | number): string | undefined {
  const path = file === 'target' ? places?.target : places?.additional[file]
  return path?.slice(path.lastIndexOf('/') + 1)
}

function toGemfile(text: string, file: 'target' | number): Gemfile {
  const gemfile = parseGemfile(text, file)
  const { gems, gemspecLine, notStatic } = gemfile
  const isOther = gems.length === 0 && gemspecLine === undefined && !/^[ \t]*(?:source|ruby|gem|group)\b/m.test(text)
  if (isOther && notStatic.length > 0) {
    throw new Unreadable('The file is neither a Gemfile.lock nor a Gemfile', { file, line: notStatic[0]!.line })
  }
  return gemfile
}
