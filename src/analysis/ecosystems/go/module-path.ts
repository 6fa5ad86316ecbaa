/**
 * Number of path elements of a repository on known hosts (first group: cmd/go/internal/vcs; second: well-known
 * addresses of that time).
 */
const elementsOfHost: Readonly<Record<string, number>> = {
  'github.com': 3,
  'bitbucket.org': 3,
  'gitlab.com': 3,
  'gitee.com': 3,
  'git.sr.ht': 3,
  'code.google.com': 3,
  'golang.org': 3,
  'honnef.co': 3,
  'gonum.org': 3,
  'google.golang.org': 2,
  'cloud.google.com': 2,
  'k8s.io': 2,
  'sigs.k8s.io': 2,
  'go.uber.org': 2,
  'go.etcd.io': 2,
  'go.mongodb.org': 2,
  'launchpad.net': 2,
  'rsc.io': 2,
  'layeh.com': 2,
  'mvdan.cc': 2,
  'modernc.org': 2,
}

/** Returns the repository of an import path; undefined if only its server knows where the repository begins. */
export function findRepository(path: string): string | undefined {
  const elements = path.split('/')
  const host = elements[0]!
  if (host === 'gopkg.in') {
    const end = elements.slice(1, 3).findIndex((element) => /\.v\d+$/.test(element))
    return end === -1 ? undefined : elements.slice(0, end + 2).join('/')
  }
  const withEnding = elements.findIndex((element) => /\.(?:git|hg|svn|bzr|fossil)$/.test(element))
  if (withEnding > 0) return elements.slice(0, withEnding + 1).join('/')
  const count = Object.hasOwn(elementsOfHost, host) ? elementsOfHost[host]! : undefined
  return count === undefined || elements.length < count ? undefined : elements.slice(0, count).join('/')
}

/** Returns true if the first element is a host. Other paths belong to Go itself or App Engine. */
export function hasHost(path: string): boolean {
  const host = path.split('/', 1)[0]!
  return host.includes('.') && !host.startsWith('.') && !host.endsWith('.')
}

/** Returns true for valid import paths (golang.org/x/mod/module, CheckImportPath). */
export function isImportPath(path: string): boolean {
  return path.split('/').every((element) => /^[A-Za-z0-9._~+-]+$/.test(element) && !/^\.+$/.test(element))
}

/** Returns paths of the same repository: with `.git`, and through gopkg.in. */
export function sameRepositories(repository: string): string[] {
  const plain = repository.replace(/\.git$/, '')
  const [, owner, name] = /^gopkg\.in\/(?:([^/]+)\/)?([^/]+)\.v\d+$/.exec(plain) ?? []
  const redirected = name === undefined ? [] : [`github.com/${owner ?? `go-${name}`}/${name}`]
  const lower = redirected.map((address) => address.toLowerCase())
  return [...new Set([plain, ...redirected, ...lower])].filter((address) => address !== repository)
}

/** Returns the common leading elements of all paths. */
export function sharedPrefix(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/'))
  let length = first.length
  for (const other of others) {
    let same = 0
    while (same < length && other[same] === first[same]) same++
    length = same
  }
  return first.slice(0, length).join('/')
}

/** Returns the major version at the end of a module path: `…/v2`, `gopkg.in/yaml.v2`; undefined if there is none. */
export function majorInPath(path: string): number | undefined {
  const match = path.startsWith('gopkg.in/') ? /\.v(\d{1,4})$/.exec(path) : /\/v([2-9]|[1-9]\d{1,3})$/.exec(path)
  return match === null ? undefined : Number(match[1])
}

const longestPath = 512
const MAX_NAMES = 64

/**
 * Returns every other module that could contain one of the packages: advisories name modules, of which a repository may
 * have several. Each is a prefix of its packages' paths, with the major version at its end from version 2 on.
 */
export function otherModules(repository: string, paths: readonly string[], major: number | undefined): string[] {
  const names = new Set<string>()
  const suffix = major === undefined || major < 2 || majorInPath(repository) !== undefined ? undefined : `/v${major}`
  if (suffix !== undefined) names.add(repository + suffix)
  for (const path of paths) {
    if (path.length > longestPath) continue
    for (
      let end = path.length;
      end > repository.length && names.size < MAX_NAMES;
      end = path.lastIndexOf('/', end - 1)
    ) {
      names.add(path.slice(0, end))
      if (suffix !== undefined) names.add(path.slice(0, end) + suffix)
    }
  }
  names.delete(repository)
  return [...names].sort()
}
