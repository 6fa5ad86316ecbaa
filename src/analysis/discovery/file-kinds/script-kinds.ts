import { logicalLines } from '#analysis/documents/properties.ts'
import { isSettings } from '#analysis/ecosystems/jvm/gradle/settings.ts'
import { parseRequirementsFile } from '#analysis/ecosystems/python/requirements/requirements-file.ts'
import type { FileKind } from './file-kind.ts'
import { textKind } from './make-kinds.ts'
import type { Outline } from './outline.ts'
import { isCommentsOnly } from './text-kinds.ts'

/** Matches blocks of Gradle's build scripts at the start of a statement. */
const BLOCK =
  /(?:^|[;{}])[ \t]*(?:(?:plugins|dependencies|buildscript|repositories|allprojects|subprojects|configurations(?:\.\w+)?|sourceSets|publishing|android|java|kotlin|application|tasks(?:\.\w+)*|ext|test|jar|dependencyManagement|wrapper|afterEvaluate|signing|springBoot|bootJar|javadoc|compileJava|processResources|idea|eclipse|artifacts|pluginManagement|dependencyResolutionManagement)\b[ \t]*\{|(?:configure|project|tasks\.\w+|rootProject\.\w+)[ \t]*\([^\n]{0,300}\)[ \t]*\{)/m
const OF_SETTINGS =
  /\b(?:rootProject|include|includeBuild|includeFlat|pluginManagement|dependencyResolutionManagement)\b/
/** Matches statements of build scripts (Gradle's documentation, "Build script basics"). */
const STATEMENT = new RegExp(
  `${BLOCK.source}|(?:^|[;{}])[ \\t]*(?:${[
    '(?:plugins|dependencies|buildscript|repositories|allprojects|subprojects|configurations)[ \\t]*\\r?\\n[ \\t]*\\{',
    'apply[ \\t]*(?:\\(?[ \\t]*(?:plugin|from|type)\\b|[<{])',
    '(?:dependencies|configurations|repositories|rootProject|project|tasks|ext|extra|gradle|layout)\\.\\w+[ \\t]*[=({.]',
    '(?:group|version|description|sourceCompatibility|targetCompatibility|archivesBaseName|mainClassName|status|buildDir)\\b[ \\t]*(?:=[ \\t]*\\S|["\']|\\d)',
    '(?:ext|extra)[ \\t]*\\[|(?:evaluationDependsOn|defaultTasks)[ \\t]*\\(?[ \\t]*["\']|task[ \\t]+\\w+[ \\t]*(?:[({]|<<)',
    'def[ \\t]+\\w+[ \\t]*=|val[ \\t]+\\w+[^\\n=]{0,100}(?:=|[ \\t]by[ \\t])',
    '(?:implementation|api|compile|testImplementation|testCompile|runtimeOnly|compileOnly)[ \\t]*(?:["\'(]|\\b(?:project|libs|platform)\\b)',
    'import[ \\t]+(?:org\\.gradle|org\\.jetbrains|java|com|groovy)\\.',
  ].join('|')})|${[
    '\\bdependencies[ \\t]*\\{|\\bapply[ \\t]*(?:\\([ \\t]*\\[?[ \\t]*)?(?:plugin|from)[ \\t]*[:=]',
    '\\b(?:configurations|dependencies|pluginManager|plugins|repositories|project|rootProject)(?:\\.[\'"]|\\[[\'"]|\\.\\w+[ \\t]*[=({.\\[])',
    '\\bgetDependencies\\(|\\bevaluate[ \\t]*\\(|\\bDependencyHandler\\b',
  ].join('|')}`,
  'm',
)

const setupPy: FileKind = textKind({
  id: 'setup.py',
  label: 'a program in Python (setup.py)',
  instead:
    'Gatehouse does not run it: write its packages to a requirements.txt (pip-compile) and send that to /v1/test/pip.',
  all: [
    /^from[ \t]+[\w.]+[ \t]+import[ \t]|^import[ \t]+(?:os|sys|re|io|ast|codecs|setuptools|subprocess|json)\b|^[ \t]*(?:setuptools\.)?setup[ \t]*\(|^def[ \t]+\w+\([^\n]*\)[^\n]{0,100}:[ \t]*\r?$/m,
  ],
  // Packages of Scala may have the names of Python's modules: `import io.circe._`.
  none: [BLOCK, /^[ \t]*import[ \t]+[\w.]+\.(?:_|\*|\{)/m],
})

/** Files of Ruby. */
const ruby: readonly FileKind[] = [
  textKind({
    id: 'Gemfile.lock',
    label: 'a Gemfile.lock',
    names: /^Gemfile(?:[-_.].+)?\.lock$|\.gemfile\.lock$|^gems\.locked$/,
    all: [/^(?:GEM|GIT|PATH|PLUGIN SOURCE|DEPENDENCIES|PLATFORMS)[ \t]*\r?$/m],
  }),
  textKind({
    id: 'gemspec',
    label: 'a gemspec',
    names: /\.gemspec$/,
    all: [/\bGem::Specification\.new\b/],
  }),
  textKind({
    id: 'Rakefile',
    label: 'a Rakefile',
    instead: 'Send the Gemfile.lock to /v1/test/rubygems.',
    all: [/^[ \t]*(?:task|namespace|desc)[ \t]+[:'"(]/m, /^[ \t]*(?:end|require)\b/m],
    none: [/^[ \t]*(?:gem|gemspec)\b/m],
  }),
  {
    ...textKind({
      id: 'Gemfile',
      label: 'a Gemfile',
      names: /^Gemfile(?:[-_.].+)?$|^gems\.rb$|\.gemfile$/,
      all: [
        /^[ \t]*(?:(?:gem|source|ruby|eval_gemfile|git_source|plugin)(?:[ \t]*\()?[ \t]*[:'"%]|ruby[ \t]+file:|gemspec[ \t]*(?:\r?$|\(|\w+:|#)|(?:group|platforms?|path|git|github|install_if|env)\b[^\n]{0,200}\bdo[ \t]*\r?$)/m,
      ],
      none: [BLOCK],
    }),
    isPlausible: ({ text }) => isCommentsOnly(text, /^#/),
  },
]

/** Files of Gradle and sbt. */
const jvm: readonly FileKind[] = [
  {
    id: 'gradle.lockfile',
    label: 'a gradle.lockfile',
    names: /\.lockfile$/,
    detect: ({ form, head, text }) => form === 'text' && (LOCKED.test(head) || isLockOfConfiguration(text)),
    isPlausible: ({ text }) => isCommentsOnly(text, /^(?:#|empty=)/),
  },
  {
    ...textKind({
      id: 'build.properties',
      label: 'a build.properties of sbt',
      names: /^build\.properties$/,
      all: [/^[ \t]*sbt\.version[ \t]*[=:]/m],
    }),
    isPlausible: ({ text }) => isCommentsOnly(text, /^[#!]/),
  },
  {
    ...textKind({
      id: 'plugins.sbt',
      label: 'a plugins.sbt',
      names: /^plugins\.sbt$/,
      all: [/^[ \t]*addSbtPlugin[ \t]*\(/m],
      none: [/^[ \t]*(?:lazy[ \t]+val[ \t]|libraryDependencies|scalaVersion|enablePlugins)/m],
    }),
    isPlausible: isCode,
  },
  {
    ...textKind({
      id: 'build.sbt',
      label: 'a build definition of sbt (build.sbt)',
      names: /\.sbt$/,
      all: [
        /^[^\n]{0,300}?[\w)\]"`][ \t]*(?::=|<<=|<\+\+?=)|\b(?:libraryDependencies|dependencyOverrides|resolvers|scalacOptions|\w+Settings)\b[^\n]{0,100}?[ \t](?:\+\+?=|--?=)|^[ \t]*(?:lazy[ \t]+)?val[ \t]+\w+[^\n]{0,200}=[ \t]*\(?[ \t]*(?:project\b|Project[ \t]*\(|crossProject|RootProject|ProjectRef)|^[ \t]*(?:(?:enable|disable)Plugins|addSbtPlugin|addCommandAlias|inThisBuild|inScope)[ \t]*\(/m,
      ],
      none: [BLOCK, /^[ \t]*object[ \t]+\w+[ \t]+extends[ \t]+(?:sbt\.)?Build\b/m],
    }),
    isPlausible: isCode,
  },
  {
    ...textKind({
      id: 'project/*.scala',
      label: 'a Scala source of the build',
      names: /\.scala$/,
      all: [
        /^[ \t]*(?:case[ \t]+)?(?:package|import|(?:private[ \t]+)?(?:object|class|trait))[ \t]+[\w.]+[ \t]*(?:[{(._[]|extends\b|\r?$)/m,
      ],
      // Statements of Java and Groovy end with a semicolon, as do lines of licenses in comments.
      none: [
        BLOCK,
        /^(?![ \t]*(?:\*|\/[/*]))[^\n]*;[ \t]*\r?$|^[ \t]*apply(?:[ \t]*\()?[ \t]*(?:plugin|from)\b|^import[ \t]+org\.gradle/m,
      ],
    }),
    isPlausible: isCode,
  },
  {
    id: 'gradle.properties',
    label: 'a properties file (gradle.properties)',
    names: /\.properties$/,
    detect: ({ form, head }) => form === 'text' && isProperties(head),
    isPlausible: ({ form, head }) => form !== 'xml' && (isCommentsOnly(head, /^[#!]/) || isProperties(head)),
    // Settings in YAML look like properties with colons.
    isSure: ({ head }) => /^[^#:\n]*=/m.test(head),
  },
  {
    id: 'settings.gradle',
    label: 'a settings.gradle',
    names: /^settings\.gradle(?:\.kts)?$/,
    detect: ({ form, text, head }) => form === 'text' && OF_SETTINGS.test(head) && areSettings(text),
    isPlausible: isCode,
  },
  {
    ...textKind({
      id: 'build.gradle',
      label: 'a build script of Gradle (build.gradle)',
      names: /\.gradle(?:\.kts)?$/,
      all: [STATEMENT],
      none: [/^package[ \t]+[\w.]+;?[ \t]*\r?$/m],
    }),
    isPlausible: isCode,
  },
]

const LOCKED = /^# This is a Gradle generated file for dependency locking|^[\w.-]+:[\w.-]+:[\w.+-]+=[\w,]+\r?$/m

/** Returns true for the lock of one configuration, which tools also write without the header of Gradle. */
function isLockOfConfiguration(text: string): boolean {
  return !isCommentsOnly(text, /^#/) && isCommentsOnly(text, /^(?:#|[\w.-]+:[\w.-]+:[\w.+-]+$)/)
}

/** Larger settings are judged by their beginning. */
const MAX_SETTINGS_CHARACTERS = 200_000

/** Returns true for settings of a Groovy or Kotlin build, judged by top-level statements. */
function areSettings(text: string): boolean {
  try {
    return isSettings({ file: 'target', text: text.slice(0, MAX_SETTINGS_CHARACTERS) })
  } catch {
    return false
  }
}

/** Matches scripts: comments only, or something that looks like a statement. */
function isCode({ form, text, head }: Outline): boolean {
  if (form === 'blank') return true
  if (form !== 'text') return false
  const plain = text.length === head.length ? head.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '') : head
  return plain.trim() === '' || /[{(=]|\w[ \t:]+["'][^"'\n]*["']/.test(plain)
}

/** Matches files in which every line assigns an unquoted value to a key. */
function isProperties(head: string): boolean {
  const lines = logicalLines(head)
  return lines.length > 0 && lines.every((line) => /^\s*[\w.][\w.-]*\s*(?:=|:(?!\/\/))(?:\s*[^'"\s=]|\s*$)/.test(line))
}

/** Requirements lists come last: nearly every word may be one. */
const requirements: readonly FileKind[] = [
  {
    id: 'requirements.txt',
    label: 'a list of requirements (requirements.txt)',
    names: /\.(?:txt|in|pip)$|requirements[^/]*\.lock$/,
    detect: ({ form, text, head }) => form === 'text' && (hasRequirement(head) || isCommentsOnly(text, /^#/)),
    isPlausible: ({ form }) => form === 'blank',
    isSure: ({ head }) => REQUIREMENT.test(head),
  },
]

/** Matches a range or a pip option; bare words may be anything. */
const REQUIREMENT =
  /^[ \t]*(?:[A-Za-z0-9][\w.-]*(?:\[[^\]\n]*\])?[ \t]*(?:[=~!]=|[<>]=?)[ \t]*\d|-[rce][ \t]|--(?:hash|(?:extra-)?index-url|requirement)\b)/m

/** Returns true if pip would accept one of the lines (pip's "Requirements File Format"), or if all are options. */
function hasRequirement(head: string): boolean {
  if (/^(?:[ \t]*(?:#.*|--?[a-z][\w-]*(?:[ \t=].*)?)?\r?(?:\n|$))+$/i.test(head)) return true
  return parseRequirementsFile(head).entries.some((entry) => !('options' in entry) || entry.options.length > 0)
}

/** Scripts, and lists of requirements. */
export const scriptKinds: readonly FileKind[] = [setupPy, ...ruby, ...jvm, ...requirements]
