import type { Unresolved } from '#analysis/dependency-graph.ts'
import { shorten } from '#analysis/documents/json-document.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { PyPiIndex, PyPiReader } from '#analysis/registries/pypi.ts'
import type { ProjectOptions } from '../requirements/options.ts'
import { type GivenOption, targetName } from '../requirements/walk-files.ts'

/** The indexes to query, and the named ones that are not allowed. */
export interface Indexes {
  readonly indexes: readonly PyPiIndex[]
  readonly unresolved: readonly Unresolved[]
}

/** Queries indexes from the files if the operator allows them; reports others, links and folders. */
export async function chooseIndexes(options: ProjectOptions, reader: PyPiReader): Promise<Indexes> {
  const { index, furtherIndexes, elsewhere } = options
  const declared = [...(index === undefined ? [] : [index]), ...furtherIndexes]
  const answers = declared.length === 0 ? [] : await reader.permitted(declared.map(({ value }) => value))
  const allowed = answers.filter((answer) => answer !== undefined)
  const refused = declared.filter((_, at) => answers[at] === undefined)
  const replaces = index !== undefined && answers[0] !== undefined
  return {
    indexes: [...new Set(replaces ? allowed : [null, ...allowed])],
    unresolved: [...refused.map(toRefused), ...elsewhere.map(toElsewhere)],
  }
}

function toRefused(option: GivenOption): Unresolved {
  return toUnresolved(option, 'The server may not query this index, so its packages are not known')
}

function toElsewhere(option: GivenOption): Unresolved {
  const reason =
    option.name === '--no-index'
      ? 'pip uses other sources than the registry, which are not known here'
      : 'The files of this location are not known'
  return toUnresolved(option, reason)
}

function toUnresolved({ name, value, line, file }: GivenOption, reason: string): Unresolved {
  const text = shorten(`${name} ${withoutCredentials(value)}`.trim())
  const entry = {
    name: text,
    range: '',
    code: 'not-from-registry',
    reason,
    requiredBy: file ?? targetName,
    line,
  } as const
  return file === undefined ? entry : { ...entry, file }
}
