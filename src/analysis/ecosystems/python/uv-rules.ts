import type { TomlTable, TomlValue } from 'smol-toml'
import { shorten } from '#analysis/documents/json-document.ts'
import { isTable } from '#analysis/documents/toml.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import { listIn, namesIn, tableIn, textIn } from './declarations.ts'
import { type Marker, parseMarker } from './packaging/marker.ts'
import { toProjectName } from './packaging/project-name.ts'
import { parseRequirementLine } from './requirements/requirement-line.ts'

/** A rule of uv for the packages of the whole project: of pyproject.toml, or as uv.lock repeats it. */
export interface UvRule {
  readonly list: UvRuleList
  /** The written text, for people. */
  readonly text: string
  /** Undefined for text that is no requirement. */
  readonly project: string | undefined
  /** The package and the scope that the rule is about; equal in both files. */
  readonly subject: string
  /** The package without which the rule changes nothing. */
  readonly needs: { readonly name: string; readonly version: string | undefined } | undefined
  readonly extras: readonly string[]
  /** Undefined for packages that are not from a registry. */
  readonly range: string | undefined
  readonly marker: Marker | undefined
}

export type UvRuleList = 'overrides' | 'constraints' | 'excludes' | 'dependency metadata'

const keys = [
  ['overrides', 'override-dependencies'],
  ['constraints', 'constraint-dependencies'],
  ['excludes', 'exclude-dependencies'],
] as const

const METADATA = 'dependency-metadata'

/** Reads the rules of `[tool.uv]`. */
export function readUvRules(document: TomlTable): UvRule[] {
  const uv = tableIn(document, 'tool', 'uv')
  return [
    ...keys.flatMap(([list, key]) => listIn(uv?.[key]).flatMap((entry) => rulesIn(list, entry, fromText))),
    ...listIn(uv?.[METADATA]).flatMap(metadataRules),
  ]
}

/** Reads the rules for which a uv.lock was written, from its table `manifest`. */
export function readLockedUvRules(manifest: TomlTable | undefined): UvRule[] {
  return [
    ...keys.flatMap(([list]) => listIn(manifest?.[list]).flatMap((entry) => rulesIn(list, entry, fromLock))),
    ...listIn(manifest?.[METADATA]).flatMap(metadataRules),
  ]
}

type RuleReader = (list: UvRuleList, value: TomlValue, scope: string) => UvRule[]

/** Reads a rule, or those for the dependencies of one package (uv 0.12 and later). */
function rulesIn(list: UvRuleList, value: TomlValue, read: RuleReader): UvRule[] {
  const scope = isTable(value) ? tableIn(value, 'package') : undefined
  if (!isTable(value) || scope === undefined) return read(list, value, '')
  const label = `${toProjectName(textIn(scope, 'name') ?? '')}==${textIn(scope, 'version') ?? '*'} > `
  return listIn(value['dependencies']).flatMap((dependency) => read(list, dependency, label))
}

function fromText(list: UvRuleList, value: TomlValue, scope: string): UvRule[] {
  const text = typeof value === 'string' ? value : ''
  const parsed = parseRequirementLine(text.trim(), 'plain')
  const requirement = parsed.kind === 'unreadable' ? undefined : parsed.requirement
  const project = requirement?.project
  return [
    {
      list,
      text: shorten(withoutCredentials(text)),
      project,
      subject: `${scope}${project ?? text}`,
      needs: project === undefined ? undefined : { name: project, version: undefined },
      extras: requirement?.extras ?? [],
      range: parsed.kind === 'from-registry' ? requirement?.range : undefined,
      marker: requirement?.marker,
    },
  ]
}

/** uv.lock writes requirements as tables, and excluded names as they are. */
function fromLock(list: UvRuleList, value: TomlValue, scope: string): UvRule[] {
  if (!isTable(value)) return fromText(list, value, scope)
  const project = toProjectName(textIn(value, 'name') ?? '')
  const marker = textIn(value, 'marker')
  return [
    {
      list,
      text: project,
      project,
      subject: `${scope}${project}`,
      needs: undefined,
      extras: namesIn(value['extras']).sort(),
      range: rangeOf(value),
      marker: marker === undefined ? undefined : parseMarker(marker),
    },
  ]
}

const sources = ['url', 'git', 'path', 'directory', 'editable', 'virtual']

/** Returns the specifiers of a requirement in a uv.lock; undefined if it names another source than an index. */
export function rangeOf(entry: TomlTable): string | undefined {
  return sources.some((key) => Object.hasOwn(entry, key)) ? undefined : (textIn(entry, 'specifier') ?? '')
}

/** Reads the dependencies that are declared in place of a package's own. */
function metadataRules(value: TomlValue): UvRule[] {
  if (!isTable(value)) return []
  const [name, version] = [toProjectName(textIn(value, 'name') ?? ''), textIn(value, 'version')]
  const label = `${name}==${version ?? '*'}`
  const common = { text: label, needs: { name, version } }
  const list = 'dependency metadata'
  const own = { ...common, list, project: name, subject: label, extras: [], range: '', marker: undefined } as const
  const requirements = listIn(value['requires-dist']).flatMap((requirement) =>
    fromText(list, requirement, `${label} > `),
  )
  return [own, ...requirements.map((requirement) => ({ ...requirement, ...common }))]
}
