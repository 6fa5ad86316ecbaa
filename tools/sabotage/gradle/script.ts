import type { Hidden, ProjectFiles, Spelling } from '../spelling.ts'

export const hidden: Hidden = { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1' }
export const GROUP = 'org.apache.logging.log4j'
export const MODULE = hidden.name
export const RELEASE = `${MODULE}:${hidden.version}`
export const SAFE = `${MODULE}:2.17.1`
/** Depends on the hidden package of its own version. */
export const BINDING = `${GROUP}:log4j-slf4j-impl`

interface Other {
  readonly tool?: Spelling['tool']
  readonly beside?: ProjectFiles
  /** Added after the release that is asked, 4.4.1. */
  readonly isNewer?: boolean
  /** A page of Gradle's user manual. */
  readonly source?: string
}

/** Adds statements to the end of the build script. */
export function script(name: string, text: string, other: Other = {}): Spelling {
  const { tool = 'installs', beside = {}, isNewer = false, source = 'Declaring dependencies' } = other
  return {
    name,
    source: `Gradle's user manual, ${source}`,
    tool,
    ...(isNewer ? { isAsked: false } : {}),
    plant(files) {
      const own = files['build.gradle']!
      // A project that has the package already says nothing about the spelling.
      if (
        Object.values(files).some((each) => each.includes(GROUP)) ||
        Object.keys(beside).some((path) => path in files)
      )
        return undefined
      return { ...files, 'build.gradle': `${own}\n${text}\n`, ...beside }
    },
  }
}

/** A dependency of the oldest configuration for the product, which every release up to 6 knows. */
export function dependency(notation: string): string {
  return `dependencies { compile ${notation} }`
}
