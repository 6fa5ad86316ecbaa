import { toProjectName } from '../packaging/project-name.ts'
import type { FilePolicy, NameRule } from '../packaging/published-files.ts'
import type { GivenOption } from './walk-files.ts'

/** The combined effect of the option lines of all files. */
export interface ProjectOptions {
  readonly policy: FilePolicy
  /** Replaces the configured index; undefined if none is named. */
  readonly index: GivenOption | undefined
  readonly furtherIndexes: readonly GivenOption[]
  /** Folders, pages of files, and the option to use nothing else. */
  readonly elsewhere: readonly GivenOption[]
}

const noRule: NameRule = { isForAll: false, names: new Set() }

export const defaultPolicy: FilePolicy = {
  prereleases: noRule,
  finalsOnly: noRule,
  noBinary: noRule,
  onlyBinary: noRule,
  prefersBinary: false,
}

export function toOptions(options: readonly GivenOption[]): ProjectOptions {
  const findOptions = (name: GivenOption['name']) => options.filter((option) => option.name === name)
  const releases = toRule(findOptions('--all-releases'))
  return {
    policy: {
      prereleases: findOptions('--pre').length > 0 ? { ...releases, isForAll: true } : releases,
      finalsOnly: toRule(findOptions('--only-final')),
      noBinary: toRule(findOptions('--no-binary')),
      onlyBinary: toRule(findOptions('--only-binary')),
      prefersBinary: findOptions('--prefer-binary').length > 0,
    },
    index: findOptions('--index-url').at(-1),
    furtherIndexes: findOptions('--extra-index-url'),
    elsewhere: [...findOptions('--find-links'), ...findOptions('--no-index')],
  }
}

/** Reads comma-separated names; `:all:` means every project, and `:none:` resets. */
function toRule(options: readonly GivenOption[]): NameRule {
  const names = new Set<string>()
  let isForAll = false
  for (const word of options.flatMap(({ value }) => value.split(','))) {
    const name = word.trim()
    if (name === ':none:') {
      names.clear()
      isForAll = false
    } else if (name === ':all:') isForAll = true
    else if (name !== '') names.add(toProjectName(name))
  }
  return { isForAll, names }
}
