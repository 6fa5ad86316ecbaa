/** The parsed value of a dependency, e.g. `^1.2.0`, `npm:other@1`, `github:user/repository`. */
export interface Spec {
  /** The name in the registry; differs from the dependency's for an alias. */
  readonly name: string
  /** The version, range or tag, `*` for none; meaningless for other sources. */
  readonly selector: string
  /** The source, for the sentence "comes from …"; undefined for the registry. */
  readonly elsewhere: string | undefined
}

const longestRange = 1_000
const localPath = /^(?:\.|~\/|\/|[a-zA-Z]:[\\/])/
const protocol = /^(?:git[+])?[a-z]+:/i
const scpLike = /^[^@\s/]+@[^:.\s/]+\.[^:\s/]+:/
const tarball = /\.(?:tgz|tar\.gz|tar)$/i
const gitProtocol = /^(?:git(?:\+[a-z]+)?|ssh|github|gitlab|bitbucket|gist|sourcehut):/i
const gitFile = /\.git(?:#|$)/
const repositoryShorthand = /^[^\s@./:#][^\s@/:#]*\/[^\s@/:#]+(?:#.*)?$/

/** Parses a dependency's value as npm-package-arg does. */
export function parseSpec(name: string, text: string): Spec {
  const selector = text.trim()
  if (selector.startsWith('npm:')) return parseAlias(name, selector.slice(4))
  if (selector.length > longestRange) return { name, selector: '', elsewhere: 'a range that is too long' }
  if (!mayLeaveTheRegistry.test(selector)) return { name, selector: selector || '*', elsewhere: undefined }
  return { name, selector, elsewhere: sourceOf(selector) }
}

/** A cheap first test: text without these characters is a version, a range or a tag. */
const mayLeaveTheRegistry = /[:/\\]|^\.|\.(?:tgz|tar)/i

/** The words for a folder or archive beside the project. */
export const LOCAL_PATH = 'a local path'

/** Splits `name@version` or `name@range`; the second part is empty if there is none. */
export function splitAtVersion(text: string): { name: string; rest: string } {
  const at = text.indexOf('@', 1)
  return at === -1 ? { name: text, rest: '' } : { name: text.slice(0, at), rest: text.slice(at + 1) }
}

/** Returns true if a lockfile's text is a git address or a local path instead of a tarball. */
export function isGitOrLocal(text: string): boolean {
  return text.startsWith('file:') || gitProtocol.test(text)
}

function parseAlias(name: string, text: string): Spec {
  const { name: target, rest } = splitAtVersion(text.trim())
  if (target !== '' && !mayLeaveTheRegistry.test(rest)) return parseSpec(target, rest)
  return { name, selector: '', elsewhere: 'an alias without a package name' }
}

function sourceOf(text: string): string | undefined {
  if (text.startsWith('file:') || text.startsWith('link:') || localPath.test(text)) return LOCAL_PATH
  if (gitProtocol.test(text) || scpLike.test(text) || repositoryShorthand.test(text)) return 'a git repository'
  if (/^https?:/i.test(text)) return gitFile.test(text) ? 'a git repository' : 'a URL'
  if (protocol.test(text)) return `a source npm does not know ("${text.slice(0, text.indexOf(':') + 1)}")`
  if (text.includes('/') || tarball.test(text)) return LOCAL_PATH
  return undefined
}
