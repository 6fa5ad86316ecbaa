import { withoutComments } from '#analysis/documents/lenient-json.ts'
import { JSON_LOCK } from '#analysis/ecosystems/javascript/pnpm-json-lock.ts'
import { isBerryText } from '#analysis/ecosystems/javascript/yarn/yarn-lock.ts'
import { type FileKind, SEND_GRAPH } from './file-kind.ts'
import { textKind } from './make-kinds.ts'
import { BUN_BINARY_LOCK, BUN_TEXT_LOCK } from './mangled.ts'
import type { Outline } from './outline.ts'

const SEND_RAW = 'Download the raw file and send its text.'

/** Files of JavaScript's package managers. */
const javascript: readonly FileKind[] = [
  {
    id: 'pnpm-lock.yaml',
    label: 'a pnpm lockfile',
    names: /^pnpm-lock(?:\..+)?\.ya?ml$|^shrinkwrap\.yaml$/,
    detect: ({ form, head, text }) =>
      form === 'json' ? JSON_LOCK.test(head) : form === 'text' && isPnpmLock(head, text),
  },
  {
    id: 'yarn.lock',
    label: 'a yarn.lock',
    names: /^yarn\.lock$/,
    detect: ({ form, text, head }) =>
      form === 'text' &&
      (/^#[ \t]*yarn lockfile v\d/m.test(head) ||
        isBerryText(head) ||
        (startsWithDescriptor(head) && !/^---/.test(text))),
    // Without dependencies, it may be empty.
    isPlausible: ({ head }) => isCommentsOnly(head, /^#/),
  },
  {
    id: 'pnpm-workspace.yaml',
    label: 'a pnpm-workspace.yaml',
    names: /^pnpm-workspace\.ya?ml$/,
    detect: ({ form, head }) => form === 'text' && isPnpmWorkspace(head),
    // pnpm takes any of its many settings there.
    isPlausible: ({ form, head }) => form !== 'xml' && (isYamlMap(head) || isCommentsOnly(head, /^(?:#|---$)/)),
  },
  {
    id: '.yarnrc.yml',
    label: 'a .yarnrc.yml',
    names: /^\.yarnrc\.ya?ml$/,
    detect: ({ form, head }) => form === 'text' && isYarnSettings(head),
    isPlausible: ({ head }) => isCommentsOnly(head, /^#/),
  },
  {
    id: 'bun.lock',
    label: 'a bun.lock (Bun)',
    names: /^bun\.lock$/,
    // Bun writes trailing commas and accepts comments, which JSON does not allow.
    detect: ({ form, head, json }) =>
      (form === 'json' || /^\s*\/[/*]/.test(head)) &&
      /^\s*\{\s*"lockfileVersion":\s*\d+,\s*"(?:configVersion|workspaces)":/.test(withoutComments(head)) &&
      json() === undefined,
  },
  {
    id: 'bun.lockb',
    label: 'a bun.lockb, the binary lockfile of Bun',
    instead: BUN_TEXT_LOCK,
    detect: ({ head }) => head.trimStart().startsWith(BUN_BINARY_LOCK),
  },
  textKind({
    id: '.npmrc',
    label: 'an .npmrc',
    instead: 'It declares no dependencies. Send the package.json.',
    all: [/^(?:@[\w-]+:)?registry[ \t]*=|^\/\/[^\s=]+:_(?:authToken|auth|password)[ \t]*=/m],
  }),
]

const PNPM_VERSION = /^(?:lockfileVersion|shrinkwrapVersion):/m

/** Searches all of a text that begins as pnpm before 6 sorts the members: the version follows the projects. */
function isPnpmLock(head: string, text: string): boolean {
  const isSorted = /^(?:dependencies|devDependencies|importers):[ \t]*\r?$/.test(head.slice(0, head.indexOf('\n')))
  return PNPM_VERSION.test(isSorted ? text : head)
}

const PNPM_SETTING =
  /^(?:allow(?:Builds|NonAppliedPatches|UnusedPatches|edDeprecatedVersions)|autoInstallPeers|catalogMode|cleanupUnusedCatalogs|configDependencies|dangerouslyAllowAllBuilds|dedupe\w+|engineStrict|hoist(?:Pattern|WorkspacePackages)?|ignore(?:PatchFailures|dBuiltDependencies|dOptionalDependencies)|injectWorkspacePackages|linkWorkspacePackages|managePackageManagerVersions|minimumReleaseAge\w*|neverBuiltDependencies|onlyBuiltDependencies|overrides|patchedDependencies|peerDependencyRules|pnpmfile|preferWorkspacePackages|publicHoistPattern|resolutionMode|save(?:Exact|Prefix|WorkspaceProtocol)|sharedWorkspaceLockfile|shamefullyHoist|strict(?:DepBuilds|PeerDependencies)|trustPolicy\w*|updateConfig|verifyDepsBeforeRun):(?:\s|$)|^nodeLinker:[ \t]*(?:isolated|hoisted)\b/m

/** A map from files to the settings that they own, unlike the lists of other tools. */
const PNPM_INCLUDE = /^include:[ \t]*\r?\n[ \t]+['"]?\.{1,2}\/[^\r\n:]+\.ya?ml['"]?:(?:[ \t]|\r?$)/m

/** Matches folders of a workspace, or a setting that only pnpm has (pnpm's "Settings"). */
function isPnpmWorkspace(head: string): boolean {
  if (isOtherYaml(head)) return false
  if (/^packages:[ \t]*(?:\r?\n(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*-[ \t]|\[)/m.test(head)) return true
  return PNPM_SETTING.test(head) || PNPM_INCLUDE.test(head)
}

/** Matches the members of other files in YAML. */
function isOtherYaml(head: string): boolean {
  return /^(?:sdks|PODS|resolver|snapshot|lockfileVersion|__metadata):/m.test(head)
}

/** Matches a map as the first entry, and no other first line. */
function isYamlMap(head: string): boolean {
  const first = head.split('\n', 200).find((line) => !/^\s*(?:#|---|$)/.test(line))
  return /^(?:[A-Za-z]\w*|"\w+"|'\w+'):(?:\s|$)/.test(first ?? '') && !isOtherYaml(head)
}

const SETTING =
  /^(?:approvedGitRepositories|cacheFolder|catalogs?|changeset\w+|checksumBehavior|compressionLevel|constraintsPath|default(?:Protocol|SemverRangePrefix)|enable[A-Z]\w*|globalFolder|http\w+|ignore\w+|immutablePatterns|init(?:Fields|Scope)|inject\w+|installStatePath|lockfileFilename|logFilters|network\w+|nmHoistingLimits|nmMode|nmSelfReferences|nodeLinker|npm[A-Z]\w*|packageExtensions|patchFolder|plugins|pnp\w*|preferDeferredVersions|prefer\w+|progressBarStyle|supportedArchitectures|taskPoolConcurrency|telemetry\w*|tsEnable\w+|unsafeHttpWhitelist|virtualFolder|winLinkType|yarnPath):(?:\s|$)/

/** Matches the name of a setting at the beginning (Yarn's "Settings"). */
function isYarnSettings(head: string): boolean {
  const first = head.split('\n', 200).find((line) => !/^\s*(?:#|---|$)/.test(line))
  return SETTING.test(first ?? '')
}

/** Matches the first entry of a Yarn 1 lock: ranges of one package, and a colon. */
function startsWithDescriptor(head: string): boolean {
  const first = head.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#'))
  return /^(?:\? )?"?(?:@[\w.~-]+\/)?[\w.~-]+@[^\n]*:?\s*$/.test(first ?? '') && /:\s*$|^\? /.test(first ?? '')
}

/** Files of Go. */
const go: readonly FileKind[] = [
  {
    ...textKind({
      id: 'go.sum',
      label: 'a go.sum (Go modules)',
      names: /^go\.(?:work\.)?sum$/,
      all: [/^\S+ v\S+ h1:[\w+/]+=/m],
    }),
    isPlausible: ({ form }) => form === 'blank',
  },
  textKind({
    id: 'go.work',
    label: 'a go.work (Go modules)',
    names: /^go\.work$/,
    all: [/^use[ \t]+[("`./]/m],
    none: [/^(?:module|require)[ \t]/m, /[=;{}]\s*$/m],
  }),
  textKind({
    id: 'go.mod',
    label: 'a go.mod (Go modules)',
    names: /^go\.mod$/,
    all: [
      /^(?:module[ \t]+"?[\w.~/-]+"?|require[ \t]+(?:\(|\S+[ \t]+v\d\S*).*|go[ \t]+1\.\d+\S*)[ \t]*(?:\/\/.*)?\r?$/m,
    ],
    none: [/[=;{}]\s*$/m],
  }),
  textKind({
    id: 'modules.txt',
    label: 'a vendor/modules.txt (Go modules)',
    names: /^modules\.txt$/,
    all: [/^# [\w./~-]+ v\d/m, /^(?:## explicit|[\w-]+(?:\.[\w-]+)+\/)/m],
  }),
  textKind({
    id: 'Gopkg.lock',
    label: 'a Gopkg file (dep)',
    instead: SEND_GRAPH,
    all: [/^[ \t]*\[\[(?:projects|constraint|override)\]\]|^\[solve-meta\]/m],
  }),
  textKind({
    id: 'glide.lock',
    label: 'a glide file (Glide)',
    instead: SEND_GRAPH,
    all: [/^(?:hash: [0-9a-f]{64}|package: [\w./-]+)\s*$/m, /^(?:imports|import|testImports?):/m],
  }),
]

/** Files of other package managers that imports report. */
const others: readonly FileKind[] = [
  textKind({
    id: 'Cartfile',
    label: 'a Cartfile (Carthage)',
    instead: SEND_GRAPH,
    all: [/^(?:github|git|binary)[ \t]+"[^"\n]+"/m],
    none: [/\bdo[ \t]*\r?$|^[ \t]*(?:gem|source)\b/m],
  }),
  textKind({
    id: 'environment.yml',
    label: 'an environment of conda (environment.yml)',
    instead:
      'Gatehouse does not read it yet: write the packages of pip to a requirements.txt and send that to /v1/test/pip.',
    all: [/^dependencies:[ \t]*\r?$/m, /^[ \t]*-[ \t]/m],
  }),
  textKind({
    id: 'project.clj',
    label: 'a project.clj (Leiningen)',
    instead: SEND_GRAPH,
    all: [/^[ \t]*\((?:defproject|ns)[ \t]/m],
  }),
  textKind({
    id: '*.cabal',
    label: 'a package of Haskell',
    instead: SEND_GRAPH,
    all: [/^cabal-version:/im],
  }),
  textKind({
    id: 'spdx-tag',
    label: 'an SPDX bill of materials',
    names: /\.spdx$/,
    all: [/^["']?(?:SPDXVersion|spdxVersion)["']?:/m],
  }),
  textKind({
    id: 'MODULE.bazel',
    label: 'a file of Bazel',
    instead: SEND_GRAPH,
    all: [/^[ \t]*(?:(?:bazel_dep|http_archive|maven_install)[ \t]*\(|load[ \t]*\([ \t]*["'](?:\/\/|@|:))/m],
  }),
  textKind({
    id: 'Dockerfile',
    label: 'a Dockerfile',
    instead: 'Send the manifest and lockfile of the project that it builds.',
    all: [/^FROM[ \t]+\S+/m, /^(?:RUN|COPY|ADD|WORKDIR|CMD|ENTRYPOINT|ENV|EXPOSE)[ \t]/m],
  }),
  textKind({
    id: 'http-message',
    label: 'the message of a server',
    instead: SEND_RAW,
    all: [/^\s*(?:HTTP\/[\d.]+ )?[1-5]\d\d:? [A-Z][\w' -]{2,60}\.?\s*$/],
  }),
]

/** Maven command lines (`.mvn`), with options that pip does not have. */
const maven: readonly FileKind[] = [
  {
    ...textKind({
      id: 'jvm.config',
      label: 'a jvm.config of Maven',
      names: /^jvm\.config$/,
      all: [/^(?:\s|#[^\n\r]*[\n\r])*-/, /(?:^|\s)(?:-X\w|--add-(?:opens|exports|modules)|-ea\b|-javaagent:)/],
    }),
    isPlausible: isOptions,
  },
  {
    ...textKind({
      id: 'maven.config',
      label: 'a maven.config',
      names: /^maven\.config$/,
      all: [
        /^(?:[ \t\r\n]|#[^\n]*\n)*-(?:[DPTBUXs]|gs|ntp|nsu|-(?:define|activate-profiles|settings|global-settings|file|threads|batch-mode|no-transfer-progress|update-snapshots|fail-at-end)\b)/,
      ],
    }),
    isPlausible: isOptions,
  },
]

function isOptions({ head }: Outline): boolean {
  return /^\s*(?:[-#]|$)/.test(head)
}

export const textKinds: readonly FileKind[] = [...javascript, ...go, ...maven, ...others]

/** Returns true for blank lines and comments only; `comment` matches the start of a comment line. */
export function isCommentsOnly(text: string, comment: RegExp): boolean {
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(at, end).trim()
    if (line !== '' && !comment.test(line)) return false
    at = end + 1
  }
  return true
}
