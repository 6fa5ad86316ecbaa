import { isObject, type JsonObject, ownValue } from '#analysis/documents/json-document.ts'
import { type FileKind, SEND_GRAPH } from './file-kind.ts'
import { type JsonKind, jsonKind } from './make-kinds.ts'

/** JSON files, most specific first. */
const kinds: readonly JsonKind[] = [
  {
    id: 'cyclonedx',
    label: 'a CycloneDX bill of materials',
    names: /^bom\.json$|\.cdx\.json$/,
    is: (document) => has(document, 'bomFormat'),
  },
  {
    id: 'spdx',
    label: 'an SPDX bill of materials',
    names: /\.spdx\.json$/,
    is: (document) => has(document, 'spdxVersion', 'SPDXID') || has(document, '@graph'),
  },
  {
    id: 'dep-graph',
    label: 'a dependency graph',
    instead: 'Send it to /v1/test/dep-graph.',
    is: (document) =>
      isObject(ownValue(document, 'depGraph')) || (has(document, 'pkgManager') && has(document, 'graph', 'pkgs')),
  },
  {
    id: 'Pipfile.lock',
    label: 'a Pipfile.lock (Pipenv)',
    names: /^Pipfile\.lock$/,
    is: (document) => isObject(ownValue(document, '_meta')) && has(document, 'default', 'develop'),
  },
  {
    id: 'bun.lock',
    label: 'a bun.lock (Bun)',
    names: /^bun\.lock$/,
    is: (document) =>
      has(document, 'lockfileVersion') &&
      isObject(ownValue(document, 'workspaces')) &&
      !entriesAt(document, 'packages').some(isObject),
  },
  {
    id: 'deno.lock',
    label: 'a deno.lock (Deno)',
    instead: SEND_GRAPH,
    is: (document) =>
      typeof ownValue(document, 'version') === 'string' &&
      ['specifiers', 'npm', 'jsr', 'remote', 'redirects'].some((key) => isObject(ownValue(document, key))),
  },
  {
    id: 'Godeps.json',
    label: 'a Godeps.json (godep)',
    instead: SEND_GRAPH,
    is: (document) => has(document, 'ImportPath') && has(document, 'Deps', 'GoVersion'),
  },
  {
    id: 'dependencies.lock',
    label: 'a dependencies.lock (Gradle)',
    names: /^dependencies\.lock$/,
    is: isNebulaLock,
    isPlausible: (document) => Object.keys(document).length === 0,
  },
  {
    id: 'gradle-module',
    label: 'metadata of a published Gradle module',
    instead: 'Send the build.gradle of the project to /v1/test/gradle.',
    is: (document) => has(document, 'formatVersion') && has(document, 'component', 'variants'),
  },
  {
    id: 'packument',
    label: 'what a registry says of an npm package',
    instead: 'Test one of its versions with GET /v1/test/npm/{packageName}/{version}.',
    is: (document) => isObject(ownValue(document, 'dist-tags')) && isObject(ownValue(document, 'versions')),
  },
  {
    id: 'bower.json',
    label: 'a bower.json (Bower)',
    instead: SEND_GRAPH,
    is: (document) =>
      (Array.isArray(ownValue(document, 'ignore')) || has(document, 'moduleType', '_release')) &&
      !has(document, 'scripts', 'engines', 'packageManager', 'peerDependencies', 'optionalDependencies', 'bin'),
  },
  {
    id: 'component.json',
    label: 'a component.json',
    instead: SEND_GRAPH,
    is: (document) => Array.isArray(ownValue(document, 'scripts')),
  },
  {
    id: 'haxelib.json',
    label: 'a haxelib.json (Haxe)',
    instead: SEND_GRAPH,
    is: (document) => has(document, 'releasenote', 'classPath'),
  },
  {
    id: 'dub.json',
    label: 'a dub.json (D)',
    instead: SEND_GRAPH,
    is: (document) =>
      has(document, 'targetType', 'sourcePaths') ||
      (has(document, 'fileVersion') && isObject(ownValue(document, 'versions'))),
  },
  {
    id: 'elm.json',
    label: 'an elm.json (Elm)',
    instead: SEND_GRAPH,
    is: (document) => has(document, 'elm-version'),
  },
  {
    id: 'vcpkg.json',
    label: 'a vcpkg.json (vcpkg)',
    instead: SEND_GRAPH,
    is: (document) =>
      has(document, 'builtin-baseline', 'vcpkg-configuration') ||
      (has(document, 'version-string', 'version-semver', 'port-version') &&
        Array.isArray(ownValue(document, 'dependencies'))),
  },
  {
    id: 'deno.json',
    label: 'a deno.json (Deno)',
    instead: SEND_GRAPH,
    is: (document) =>
      !isNodeProject(document) &&
      (isObject(ownValue(document, 'tasks')) ||
        Object.keys(objectIn(document, 'imports')).some((key) => !key.startsWith('#'))),
  },
  {
    id: 'sarif',
    label: 'a SARIF log of findings',
    instead: 'Send the manifest that was scanned.',
    is: (document) => Array.isArray(ownValue(document, 'runs')),
  },
  {
    id: 'wrapped-file',
    label: 'the answer of an interface that wraps a file',
    instead: 'Download the raw file and send its text.',
    is: (document) =>
      has(document, 'download_url') ||
      (has(document, 'encoding') && has(document, 'content', 'contents')) ||
      has(objectIn(document, 'files'), 'target'),
  },
  {
    id: 'package-lock.json',
    label: 'a package-lock.json (npm)',
    names: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    is: isNpmLock,
  },
  { id: 'vendor.json', label: 'a vendor.json (govendor)', names: /^vendor\.json$/, is: isVendorJson },
  {
    id: 'package.json',
    label: 'a package.json',
    names: /^package\.json$/,
    is: isPackageJson,
    isPlausible: (document) => !has(document, ...OTHERS),
  },
]

export const jsonKinds: readonly FileKind[] = kinds.map(jsonKind)

/** Matches a lockfile version, package folders, or, before npm 5, dependencies with versions. */
function isNpmLock(document: JsonObject): boolean {
  const packages = ownValue(document, 'packages')
  // npm reads these, whatever else the file contains.
  if (isObject(packages) && Object.keys(packages).some((key) => key === '' || /(?:^|\/)node_modules\//.test(key)))
    return true
  const entries = entriesAt(document, 'dependencies')
  if (has(document, 'lockfileVersion')) return !entries.some((range) => typeof range === 'string')
  return entries.some((entry) => isObject(entry) && has(entry, 'version', 'from', 'resolved'))
}

function isVendorJson(document: JsonObject): boolean {
  if (has(document, 'package', 'Package')) return !isNodeProject(document)
  return typeof ownValue(document, 'rootPath') === 'string'
}

/** Matches the lock of Netflix's plugin: configurations with modules and their locked versions. */
function isNebulaLock(document: JsonObject): boolean {
  return Object.values(document).some(
    (modules) =>
      isObject(modules) &&
      Object.entries(modules).some(
        ([name, about]) => name.includes(':') && isObject(about) && has(about, 'locked', 'project'),
      ),
  )
}

const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'bundleDependencies',
  'bundledDependencies',
]

function isNodeProject(document: JsonObject): boolean {
  return has(document, ...DEPENDENCIES, 'scripts', 'workspaces', 'packageManager')
}

/** Documented package.json fields without dependencies. */
const PLAIN_FIELDS = new Set(
  (
    'name version description keywords homepage bugs license licenses author contributors maintainers funding files ' +
    'exports main module browser types typings bin man directories repository config os cpu libc sideEffects ' +
    '$schema imports preferGlobal _id _from _resolved _integrity readme'
  ).split(' '),
)
/** Members of server responses sent by mistake, and of other manifests that have names too. */
const OTHERS = (
  'error errors message detail status statusCode documentation_url node_id full_name sha html_url ' +
  'manifest_version short_name icons targets projectType expo displayName'
).split(' ')

/** Matches members that only package.json has, or a name without contrary members. */
function isPackageJson(document: JsonObject): boolean {
  if (has(document, ...DEPENDENCIES, 'workspaces', 'packageManager', 'overrides', 'resolutions')) return true
  if (['scripts', 'engines', 'publishConfig'].some((key) => isObject(ownValue(document, key)))) return true
  if (has(document, ...OTHERS)) return false
  const type = ownValue(document, 'type')
  if (typeof ownValue(document, 'private') === 'boolean' || type === 'module' || type === 'commonjs') return true
  const isNamed = isPackageName(ownValue(document, 'name'))
  const isVersioned = typeof ownValue(document, 'version') === 'string'
  return isNamed && (isVersioned || Object.keys(document).every((key) => PLAIN_FIELDS.has(key)))
}

function isPackageName(name: unknown): boolean {
  return typeof name === 'string' && /^(?:@[\w.~-]+\/)?[\w.~!'()*-]+$/.test(name)
}

function has(document: JsonObject, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(document, key))
}

function objectIn(document: JsonObject, key: string): JsonObject {
  const value = ownValue(document, key)
  return isObject(value) ? value : {}
}

function entriesAt(document: JsonObject, key: string): unknown[] {
  return Object.values(objectIn(document, key))
}
