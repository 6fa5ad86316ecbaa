import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { Gemfile } from './gemfile.ts'

/** Reports Bundler's plugins: it installs them apart from the gems (`bundle help plugin`), in versions that no file pins. */
export function reportPlugins({ plugins }: Gemfile): (Unresolved & { readonly line: number })[] {
  const reason = 'Bundler installs this plugin apart from the gems, and no lockfile has its version'
  return plugins.map(({ name, requirement, source, line }) => {
    const range = requirement ?? shorten(withoutCredentials(source))
    return { name: shorten(name), range, code: 'not-in-lockfile', reason, requiredBy: 'Gemfile', line }
  })
}
