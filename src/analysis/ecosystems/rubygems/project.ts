import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { RubyGemsReader } from '../../registries/rubygems.ts'
import type { Manifest, Reading, ReadOptions } from '../ecosystem.ts'
import { graphOfLock } from './lock-graph.ts'
import { sortFiles } from './project-files.ts'
import { resolveGemfile } from './resolve.ts'

/** Reads a project by its Gemfile.lock if one was sent, else by its Gemfile. */
export async function readProject(manifest: Manifest, reader: RubyGemsReader, options: ReadOptions): Promise<Reading> {
  const files = sortFiles(manifest)
  const { lock, gemfile, filesRead } = files
  if (lock !== undefined) return { ...graphOfLock(lock, gemfile, options), filesRead, locked: true }
  if (gemfile === undefined) throw new Unreadable('Neither a Gemfile.lock nor a Gemfile was sent')
  return resolveGemfile({ ...files, gemfile }, reader, options)
}
