import { spelling } from './lock-texts.ts'
import type { Spelling } from './spelling.ts'

const SOURCE =
  "Poetry's documentation: Dependency specification, Managing dependencies, The pyproject.toml file, Basic usage; PEP 621, PEP 735"
const FILES = 'files = [{file = "Django-2.0-py3-none-any.whl", hash = "sha256:00"}]\n'
const NONE = 'files = []\n'
const METADATA = '[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\n'
const POETRY = '[tool.poetry]\nname = "project"\nversion = "1"\n'
const PROJECT = '[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\n'

interface Entry {
  readonly name?: string
  readonly version?: string
  readonly groups?: string
  readonly markers?: string
  readonly optional?: true
  readonly files?: string
  /** Tables below the entry. */
  readonly more?: string
}

/** An entry of poetry.lock as Poetry 2 writes it. */
function entry({ name = 'django', version = '2.0', groups = '"main"', files = FILES, ...others }: Entry = {}): string {
  const { markers, optional = false, more = '' } = others
  const condition = markers === undefined ? '' : `markers = ${markers}\n`
  return `[[package]]\nname = "${name}"\nversion = "${version}"\noptional = ${optional}\npython-versions = "*"\ngroups = [${groups}]\n${condition}${files}${more}\n`
}

const lock = (...entries: Entry[]) => `${entries.map(entry).join('')}${METADATA}`
const poetry = (dependencies: string, more = '') =>
  `${POETRY}[tool.poetry.dependencies]\npython = ">=3.9"\n${dependencies}\n${more}`
const project = (dependencies: string, more = '') => `${PROJECT}dependencies = [${dependencies}]\n${more}`
const from = (type: string, url: string, more = '') =>
  ({ files: NONE, more: `\n[package.source]\ntype = "${type}"\nurl = "${url}"\n${more}` }) satisfies Entry
const below = (dependency: string) =>
  ({ name: 'asker', version: '1.0', files: NONE, more: `\n[package.dependencies]\n${dependency}\n` }) satisfies Entry

type Row = readonly [
  name: string,
  pyproject: string,
  lock: string,
  tool?: Spelling['tool'],
  more?: 'not asked' | 'for development',
]

const OLD = `"python_version < \\"3.9\\""`
const NEW = `"python_version >= \\"3.9\\""`

/** Ranges and conditions of `[tool.poetry.dependencies]`; Poetry repeats the conditions in the lock. */
const conditions: readonly Row[] = [
  ...['2.0', '==2.0', '^2.0', '~2.0', '2.*', '>=1.8,<3', '^1.8 || ^2.0', '!=4.2', '~=2.0'].map(
    (range): Row => [`range ${range}`, poetry(`django = "${range}"`), lock({})],
  ),
  ['table of its own', poetry('', '[tool.poetry.dependencies.django]\nversion = "2.0"\n'), lock({})],
  ['with pre-releases', poetry('django = {version = "*", allow-prereleases = true}'), lock({})],
  ['with extras', poetry('django = {version = "*", extras = ["argon2"]}'), lock({})],
  ['range of Pythons', poetry('django = {version = "*", python = "^3.9"}'), lock({ markers: NEW })],
  ['one of several ranges of Pythons', poetry('django = {version = "*", python = "~2.7 || >=3.9"}'), lock({})],
  [
    'marker of a platform',
    poetry(`django = {version = "*", markers = "sys_platform == 'linux'"}`),
    lock({ markers: '"sys_platform == \\"linux\\""' }),
  ],
  [
    'platform',
    poetry('django = {version = "*", platform = "linux"}'),
    lock({ markers: '"sys_platform == \\"linux\\""' }),
  ],
  [
    'several constraints',
    poetry('django = [\n  {version = "4.2", python = "<3.9"},\n  {version = "2.0", python = ">=3.9"},\n]'),
    lock({ version: '4.2', files: NONE, markers: OLD }, { markers: NEW }),
  ],
  [
    'several constraints, of which one has a source',
    poetry(
      'django = [\n  {url = "https://files.example/Django-4.2.tar.gz", python = "<3.9"},\n  {version = "2.0", python = ">=3.9"},\n]',
    ),
    lock({ version: '4.2', markers: OLD, ...from('url', 'https://files.example/Django-4.2.tar.gz') }, { markers: NEW }),
  ],
  ['condition of the project that the lock lacks', poetry('django = {version = "*", python = "<3.9"}'), lock({})],
  ['marker of the project that the lock lacks', project(`"django ; sys_platform == 'win32'"`), lock({})],
  [
    'condition of another package that the lock lacks',
    poetry('asker = "*"'),
    lock(below('django = {version = "*", markers = "python_version < \\"3.9\\""}'), {}),
  ],
  [
    'extra of another package that nothing asks for',
    poetry('asker = "*"'),
    lock(below('django = {version = "*", optional = true}'), {}),
  ],
  ['condition of the lock that the project lacks', poetry('django = "*"'), lock({ markers: OLD }), 'ignores'],
  ['optional in the lock alone', poetry('django = "*"'), lock({ optional: true })],
]

const extra = { optional: true, markers: `"extra == \\"web\\""` } as const
const EXTRAS = '[extras]\nweb = ["django"]\n\n'

/** Groups of Poetry and of PEP 735, extras, and packages for development. */
const groups: readonly Row[] = [
  [
    'group',
    poetry('', '[tool.poetry.group.web.dependencies]\ndjango = "*"\n'),
    lock({ groups: '"web"' }),
    'installs',
    'for development',
  ],
  [
    'group that is optional',
    poetry('', '[tool.poetry.group.web]\noptional = true\n[tool.poetry.group.web.dependencies]\ndjango = "*"\n'),
    lock({ groups: '"web"' }),
    'installs',
    'for development',
  ],
  [
    'group that includes a group',
    poetry(
      '',
      '[tool.poetry.group.web.dependencies]\ndjango = "*"\n[tool.poetry.group.all]\ninclude-groups = ["web"]\n',
    ),
    lock({ groups: '"web", "all"' }),
    'installs',
    'for development',
  ],
  [
    'group of PEP 735',
    project('', '[dependency-groups]\nweb = ["django"]\n'),
    lock({ groups: '"web"' }),
    'installs',
    'for development',
  ],
  [
    'group of PEP 735 that includes a group',
    project('', '[dependency-groups]\nweb = ["django"]\nall = [{include-group = "web"}]\n'),
    lock({ groups: '"web", "all"' }),
    'installs',
    'for development',
  ],
  [
    'group of PEP 735 with a table of Poetry',
    project(
      '',
      '[dependency-groups]\nweb = ["django"]\n[tool.poetry.group.web.dependencies]\ndjango = {allow-prereleases = true}\n',
    ),
    lock({ groups: '"web"' }),
    'installs',
    'for development',
  ],
  ['group main beside the dependencies', poetry('', '[tool.poetry.group.main.dependencies]\ndjango = "*"\n'), lock({})],
  [
    'dev-dependencies',
    poetry('', '[tool.poetry.dev-dependencies]\ndjango = "*"\n'),
    lock({ groups: '"dev"' }),
    'installs',
    'for development',
  ],
  ['group that no project declares', poetry(''), lock({ groups: '"ghost"' }), 'ignores'],
  [
    'extra of Poetry',
    poetry('django = {version = "*", optional = true}', '[tool.poetry.extras]\nweb = ["django"]\n'),
    lock(extra).replace('[metadata]', `${EXTRAS}[metadata]`),
  ],
  [
    'extra of PEP 621',
    project('', '[project.optional-dependencies]\nweb = ["django"]\n'),
    lock(extra).replace('[metadata]', `${EXTRAS}[metadata]`),
  ],
  [
    'extra that only the lock has',
    poetry('django = {version = "*", optional = true}'),
    lock(extra).replace('[metadata]', `${EXTRAS}[metadata]`),
  ],
  ['optional without an extra', poetry('django = {version = "*", optional = true}'), lock({ optional: true })],
]

const git = from('git', 'https://git.example/django', 'reference = "2.0"\nresolved_reference = "aaaa"\n')

/** Packages that are not from the default index. */
const sources: readonly Row[] = [
  ['git repository', poetry('django = {git = "https://git.example/django", tag = "2.0"}'), lock(git)],
  [
    'folder of a git repository',
    poetry('django = {git = "https://git.example/all", rev = "aaaa", subdirectory = "django"}'),
    lock(git),
  ],
  ['git repository of PEP 508', project('"django @ git+https://git.example/django@2.0"'), lock(git)],
  [
    'archive',
    poetry('django = {url = "https://files.example/Django-2.0.tar.gz"}'),
    lock(from('url', 'https://files.example/Django-2.0.tar.gz')),
  ],
  [
    'archive of PEP 508',
    project('"django @ https://files.example/Django-2.0.tar.gz"'),
    lock(from('url', 'https://files.example/Django-2.0.tar.gz')),
  ],
  [
    'file',
    poetry('django = {path = "../Django-2.0-py3-none-any.whl"}'),
    lock(from('file', '../Django-2.0-py3-none-any.whl')),
    'installs',
    'not asked',
  ],
  [
    'file in the project',
    poetry('django = {file = "wheels/Django-2.0-py3-none-any.whl"}'),
    lock(from('file', 'wheels/Django-2.0-py3-none-any.whl')),
    'installs',
    'not asked',
  ],
  [
    'folder outside',
    poetry('django = {path = "../django", develop = true}'),
    lock(from('directory', '../django')),
    'installs',
    'not asked',
  ],
  [
    'named source',
    poetry(
      'django = {version = "*", source = "private"}',
      '[[tool.poetry.source]]\nname = "private"\nurl = "https://pypi.example/simple"\npriority = "explicit"\n',
    ),
    lock({ more: '\n[package.source]\ntype = "legacy"\nurl = "https://pypi.example/simple"\nreference = "private"\n' }),
  ],
  [
    'source for all packages',
    poetry('django = "*"', '[[tool.poetry.source]]\nname = "private"\nurl = "https://pypi.example/simple"\n'),
    lock({ more: '\n[package.source]\ntype = "legacy"\nurl = "https://pypi.example/simple"\nreference = "private"\n' }),
  ],
]

const inPoetry = '[tool.poetry.dependencies]\ndjango = "*"\n'

/** Both tables, the older locks, and what is no dependency of the project. */
const tables: readonly Row[] = [
  ['both tables', project('"django"', '[tool.poetry.dependencies]\ndjango = {allow-prereleases = true}\n'), lock({})],
  ['both tables with other ranges', project('"django>=1"', '[tool.poetry.dependencies]\ndjango = "2.0"\n'), lock({})],
  ['table of Poetry beside an empty list', project('', inPoetry), lock({})],
  ['table of Poetry beside a project without a list', `${PROJECT}${inPoetry}`, lock({})],
  [
    'extras of Poetry beside a project',
    project(
      '',
      `[tool.poetry.dependencies]\ndjango = {version = "*", optional = true}\n[tool.poetry.extras]\nweb = ["django"]\n`,
    ),
    lock(extra).replace('[metadata]', `${EXTRAS}[metadata]`),
  ],
  [
    'project that is no package',
    '[tool.poetry]\npackage-mode = false\n[tool.poetry.dependencies]\npython = ">=3.9"\ndjango = "*"\n',
    lock({}),
  ],
  [
    'project that is no package, with PEP 621',
    '[project]\nname = "project"\nrequires-python = ">=3.9"\ndependencies = ["django"]\n[tool.poetry]\npackage-mode = false\n',
    lock({}),
  ],
  ['lock of Poetry 1.8', poetry('django = "*"'), lock({}).replace('groups = ["main"]\n', '').replace('2.1', '2.0')],
  [
    'lock of Poetry 1.8, needed below a group',
    poetry('', '[tool.poetry.group.web.dependencies]\nasker = "*"\n'),
    lock(below('django = "*"'), {}).replaceAll('groups = ["main"]\n', '').replace('2.1', '2.0'),
    'installs',
    'for development',
  ],
  [
    'lock of Poetry 1.1, main',
    poetry('django = "*"'),
    lock({}).replace('groups = ["main"]\n', 'category = "main"\n').replace('2.1', '1.1'),
  ],
  [
    'lock of Poetry 1.1, dev',
    poetry('', '[tool.poetry.dev-dependencies]\ndjango = "*"\n'),
    lock({}).replace('groups = ["main"]\n', 'category = "dev"\n').replace('2.1', '1.1'),
    'installs',
    'for development',
  ],
  [
    'lock of Poetry 1.1, files in the metadata',
    poetry('django = "*"'),
    `${entry({ files: '' }).replace('groups = ["main"]\n', 'category = "main"\n')}[metadata.files]\ndjango = [{file = "Django-2.0-py3-none-any.whl", hash = "sha256:00"}]\n\n${METADATA.replace('2.1', '1.1')}`,
  ],
  [
    'lock of Poetry 1.1, legacy source',
    poetry('django = "*"'),
    lock({ more: '\n[package.source]\ntype = "legacy"\nurl = "https://pypi.example/simple"\nreference = "private"\n' })
      .replace('groups = ["main"]\n', 'category = "main"\n')
      .replace('2.1', '1.1'),
  ],
  ['lock of Poetry 2 without groups', poetry('django = "*"'), lock({}).replace('groups = ["main"]\n', ''), 'refuses'],
  ['tool of the build', `${poetry('')}[build-system]\nrequires = ["django==2.0"]\n`, METADATA, 'ignores', 'not asked'],
  [
    'plugin of Poetry',
    poetry('', '[tool.poetry.requires-plugins]\ndjango = "2.0"\n'),
    METADATA,
    'ignores',
    'not asked',
  ],
]

/** Places where a project of Poetry declares a dependency, with a lock that Poetry accepts. */
export const poetryDeclarations: readonly Spelling[] = [...conditions, ...groups, ...sources, ...tables].map(
  ([name, pyproject, text, tool = 'installs', more]) =>
    spelling(
      `declared: ${name}`,
      SOURCE,
      { 'poetry.lock': text, 'pyproject.toml': pyproject },
      { tool, ...(more === 'not asked' && { isAsked: false }), ...(more === 'for development' && { isDev: true }) },
    ),
)
