import type { Hidden, ProjectFiles, Spelling } from '../spelling.ts'

export const hidden: Hidden = { name: 'org.apache.logging.log4j:log4j-core', version: '2.14.1' }
export const GROUP = 'org.apache.logging.log4j'
/** The hidden release as a module of sbt, and a harmless one. */
export const MODULE = `"${GROUP}" % "log4j-core" % "2.14.1"`
export const SAFE = `"${GROUP}" % "log4j-core" % "2.17.1"`
/** Depends on the hidden package of its own version. */
export const BINDING = `"${GROUP}" % "log4j-slf4j-impl"`

interface Other {
  readonly tool?: Spelling['tool']
  readonly beside?: ProjectFiles
  /** A page of sbt's reference manual. */
  readonly source?: string
}

/** Adds statements to the end of the build definition. */
export function build(name: string, text: string, other: Other = {}): Spelling {
  const { tool = 'installs', beside = {}, source = 'Library dependencies' } = other
  return {
    name,
    source: `sbt's reference manual, ${source}`,
    tool,
    plant(files) {
      const own = files['build.sbt']!
      // A project that has the package already says nothing about the spelling.
      if (Object.values(files).some((each) => each.includes(GROUP))) return undefined
      if (Object.keys(beside).some((path) => path in files)) return undefined
      return { ...files, 'build.sbt': `${own.trimEnd()}\n\n${text}\n`, ...beside }
    },
  }
}

/** Adds to the dependencies of the root project. */
export function adding(name: string, module: string, other: Other = {}): Spelling {
  return build(name, `libraryDependencies += ${module}`, other)
}
