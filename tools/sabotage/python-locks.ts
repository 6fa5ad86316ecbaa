import { damagedTexts, spelling } from './lock-texts.ts'
import { askPoetry, askUv } from './lock-tools.ts'
import { poetryDeclarations } from './poetry-spellings.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'django', version: '2.0', isAnyVersion: true }
const POETRY =
  "Poetry's documentation, The pyproject.toml file, Dependency specification; poetry.lock (poetry-core, packages/locker.py)"
const UV = "uv's documentation, Locking and syncing, Dependency sources, Resolution (forks, overrides, conflicts)"
const PYLOCK = 'PEP 751'

type Tool = Spelling['tool']

interface Written {
  readonly pyproject?: string
  readonly tool?: Tool
  readonly isAsked?: false
}

const FILES = 'files = [{file = "Django-2.0-py3-none-any.whl", hash = "sha256:00"}]\n'
const METADATA = '[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\n'
const entry = (more = '', { name = 'django', version = '2.0', files = FILES } = {}) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\noptional = false\npython-versions = "*"\ngroups = ["main"]\n${files}${more}\n`
const poetryProject = (dependencies: string, more = '') =>
  `[tool.poetry]\nname = "project"\nversion = "1"\n[tool.poetry.dependencies]\npython = ">=3.9"\n${dependencies}\n${more}`

function poetryLock(
  name: string,
  text: string,
  { pyproject = poetryProject('django = "*"'), ...more }: Written = {},
): Spelling {
  return spelling(name, POETRY, { 'poetry.lock': text, 'pyproject.toml': pyproject }, more)
}

const plain = `${entry()}${METADATA}`
const current = `${entry('', { version: '4.2', files: 'files = []\n' })}${METADATA}`
const asker = (dependencies: string) =>
  `${entry(dependencies, { name: 'asker', version: '1.0', files: 'files = []\n' })}${entry()}${METADATA}`
const asksAsker = { pyproject: poetryProject('asker = "*"') }
const source = (type: string, url: string) => `\n[package.source]\ntype = "${type}"\nurl = "${url}"\n`
const stale = `${METADATA}content-hash = "${'a'.repeat(64)}"\n`

/** Poetry itself needs the project. */
function lockAlone(name: string, text: string): Spelling {
  return spelling(name, POETRY, { 'poetry.lock': text }, { isAsked: false })
}

const poetrySpellings: readonly Spelling[] = [
  poetryLock('entry', plain),
  lockAlone('lock alone', plain),
  lockAlone(
    'lock alone of Poetry 1.5, which tells no groups',
    plain.replace('groups = ["main"]\n', '').replace('2.1', '2.0'),
  ),
  lockAlone(
    'lock alone of Poetry 1.1',
    plain.replace('groups = ["main"]\n', 'category = "main"\n').replace('2.1', '1.1'),
  ),
  poetryLock('name in capitals', plain.replace('"django"', '"Django"')),
  poetryLock('name in capitals in the project', plain, { pyproject: poetryProject('Django = "*"') }),
  poetryLock('version with zeros', plain.replace('version = "2.0"', 'version = "2.0.0"')),
  poetryLock('newer version than the files', plain.replace('version = "2.0"', 'version = "4.2"'), { isAsked: false }),
  poetryLock('files of another package', `${entry('', { name: 'harmless', version: '1.0' })}${METADATA}`, {
    pyproject: poetryProject('harmless = "*"'),
    isAsked: false,
  }),
  poetryLock('optional entry', `${entry().replace('false', 'true')}[extras]\nweb = ["django"]\n\n${METADATA}`, {
    pyproject: poetryProject('django = {version = "*", optional = true}', '[tool.poetry.extras]\nweb = ["django"]\n'),
  }),
  poetryLock('marker that holds', plain.replace('groups', 'markers = "python_version >= \'3.9\'"\ngroups')),
  poetryLock(
    'marker by group',
    plain.replace('groups', 'markers = {main = "python_version >= \'3.9\'", dev = "python_version < \'3\'"}\ngroups'),
  ),
  poetryLock('marker that cannot be read', plain.replace('groups', 'markers = "some_day == \'soon\'"\ngroups'), {
    isAsked: false,
  }),
  poetryLock('below a package', asker('\n[package.dependencies]\ndjango = ">=1.8"\n'), asksAsker),
  poetryLock(
    'below a package as a table',
    asker('\n[package.dependencies]\ndjango = {version = ">=1.8", markers = "python_version >= \'3.9\'"}\n'),
    asksAsker,
  ),
  poetryLock(
    'below a package as a list',
    asker(
      '\n[package.dependencies]\ndjango = [\n  {version = ">=4", markers = "python_version < \'3\'"},\n  {version = ">=1.8", markers = "python_version >= \'3\'"},\n]\n',
    ),
    asksAsker,
  ),
  poetryLock(
    'below an extra',
    asker(
      '\n[package.dependencies]\ndjango = {version = ">=1.8", optional = true}\n[package.extras]\nweb = ["django (>=1.8)"]\n',
    ),
    { pyproject: poetryProject('asker = {version = "*", extras = ["web"]}') },
  ),
  poetryLock(
    'below an extra of another spelling',
    asker(
      '\n[package.dependencies]\ndjango = {version = ">=1.8", optional = true}\n[package.extras]\nWeb_Site = ["Django (>=1.8)"]\n',
    ),
    { pyproject: poetryProject('asker = {version = "*", extras = ["web-site"]}') },
  ),
  poetryLock('one of two versions', `${entry('', { version: '4.2', files: 'files = []\n' })}${plain}`, {
    pyproject: poetryProject('django = [{version = "4.2", python = "<3.9"}, {version = "2.0", python = ">=3.9"}]'),
  }),
  poetryLock('two versions without markers', `${entry('', { version: '4.2', files: 'files = []\n' })}${plain}`),
  poetryLock('entry that nothing requires, of the main group', plain, { pyproject: poetryProject('') }),
  ...['git', 'url', 'file', 'directory', 'legacy'].map((type) =>
    poetryLock(
      `source ${type}`,
      `${entry(source(type, type === 'directory' ? '../django' : 'https://host.example/django'), { files: 'files = []\n' })}${METADATA}`,
      type === 'file' || type === 'directory' ? { isAsked: false } : {},
    ),
  ),
  poetryLock(
    'source directory inside',
    `${entry(source('directory', 'libs/django'), { files: 'files = []\n' })}${METADATA}`,
    {
      isAsked: false,
    },
  ),
  poetryLock('extra of the project', plain, {
    pyproject:
      '[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\n[project.optional-dependencies]\nweb = ["django"]\n',
    tool: 'refuses',
  }),
  poetryLock('project table', plain, {
    pyproject: '[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["Django>=1"]\n',
  }),
  poetryLock('dynamic dependencies of Poetry', plain, {
    pyproject: `[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\ndynamic = ["dependencies"]\n[tool.poetry.dependencies]\ndjango = "*"\n`,
  }),
  poetryLock('keys with dots', plain, {
    pyproject:
      'tool.poetry.name = "project"\ntool.poetry.version = "1"\ntool.poetry.dependencies.python = ">=3.9"\ntool.poetry.dependencies.django = "*"\n',
  }),
  poetryLock('escapes', plain.replace('"django"', '"dj\\u0061ngo"')),
  poetryLock(
    'packages as a list in one line',
    `package = [{name = "django", version = "2.0", optional = false, python-versions = "*", groups = ["main"], files = []}]\n${METADATA}`,
    { isAsked: false },
  ),
  poetryLock('key twice', plain.replace('version = "2.0"', 'version = "4.2"\nversion = "2.0"'), { tool: 'refuses' }),
  poetryLock('range changed after the lock', current, {
    pyproject: poetryProject('django = "2.0"'),
    tool: 'refuses',
    isAsked: false,
  }),
  poetryLock('added after the lock', METADATA, { tool: 'refuses' }),
  poetryLock('written for other dependencies', `${entry('', { version: '4.2', files: 'files = []\n' })}${stale}`, {
    tool: 'refuses',
  }),
  poetryLock('without a version', plain.replace('version = "2.0"\n', ''), { tool: 'refuses' }),
  poetryLock('version that is none', plain.replace('version = "2.0"', 'version = "latest"'), { tool: 'refuses' }),
  poetryLock('lock-version that is not known', plain.replace('"2.1"', '"3.0"'), { tool: 'refuses' }),
  poetryLock('dependencies that are no table', plain, {
    pyproject: '[tool.poetry]\nname = "project"\nversion = "1"\ndependencies = ["django"]\n',
    tool: 'refuses',
  }),
]

export const poetry: Sabotage = {
  ecosystem: 'poetry',
  hidden,
  target: 'poetry.lock',
  base: { 'poetry.lock': METADATA, 'pyproject.toml': poetryProject('') },
  spellings: [
    ...poetrySpellings,
    ...poetryDeclarations,
    ...damagedTexts('poetry.lock', {
      files: { 'poetry.lock': plain, 'pyproject.toml': poetryProject('django = "*"') },
      source: POETRY,
      cutAt: 'version =',
    }),
  ],
  ask: askPoetry,
}

const REGISTRY = 'source = { registry = "https://pypi.example/simple" }'
const uvEntry = (more = '', { name = 'django', version = '2.0', source: from = REGISTRY } = {}) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n${from}\n${more}\n`
const HEAD = 'version = 1\nrevision = 3\nrequires-python = ">=3.9"\n'
const own = (more: string) => `[[package]]\nname = "project"\nversion = "1"\nsource = { virtual = "." }\n${more}\n`
const uvProject = (dependencies: string, more = '') =>
  `[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = [${dependencies}]\n${more}`
const requires = (specifier = '') =>
  `[package.metadata]\nrequires-dist = [{ name = "django"${specifier && `, specifier = "${specifier}"`} }]\n`
const direct = (more = '') => `dependencies = [{ name = "django"${more} }]\n${requires()}`

function uvLock(name: string, text: string, { pyproject = uvProject('"django"'), ...more }: Written = {}): Spelling {
  return spelling(name, UV, { 'uv.lock': text, 'pyproject.toml': pyproject }, more)
}

const uvPlain = `${HEAD}${uvEntry()}${own(direct())}`
const uvCurrent = (specifier = '') =>
  `${HEAD}${uvEntry('', { version: '4.2' })}${own(`dependencies = [{ name = "django" }]\n${requires(specifier)}`)}`
const uvAsker = (dependencies: string, more = '') =>
  `${HEAD}${uvEntry(dependencies, { name: 'asker', version: '1.0' })}${uvEntry()}${own(`dependencies = [{ name = "asker"${more} }]\n[package.metadata]\nrequires-dist = [{ name = "asker"${more.replace('extra =', 'extras =')} }]\n`)}`
const from = (text: string) => `${HEAD}${uvEntry('', { source: `source = { ${text} }` })}${own(direct())}`

const uvSpellings: readonly Spelling[] = [
  uvLock('entry', uvPlain),
  spelling('lock alone', UV, { 'uv.lock': uvPlain }, { isAsked: false }),
  spelling('lock without project', UV, { 'uv.lock': `${HEAD}${uvEntry()}` }, { isAsked: false }),
  uvLock('name in capitals', uvPlain.replaceAll('"django"', '"Django"'), { isAsked: false }),
  uvLock(
    'newer version than the files',
    `${HEAD}${uvEntry('wheels = [{ url = "https://files.example/Django-2.0-py3-none-any.whl", hash = "sha256:00" }]', { version: '4.2' })}${own(direct())}`,
    { isAsked: false },
  ),
  uvLock('marker that holds', `${HEAD}${uvEntry()}${own(direct(', marker = "python_full_version >= \'3.9\'"'))}`),
  uvLock(
    'fork of the resolution',
    `${HEAD}resolution-markers = ["python_full_version >= '3.10'", "python_full_version < '3.10'"]\n${uvEntry('resolution-markers = ["python_full_version >= \'3.10\'"]')}${uvEntry('resolution-markers = ["python_full_version < \'3.10\'"]', { version: '1.8' })}${own(`dependencies = [\n  { name = "django", version = "2.0", ${REGISTRY}, marker = "python_full_version >= '3.10'" },\n  { name = "django", version = "1.8", ${REGISTRY}, marker = "python_full_version < '3.10'" },\n]\n${requires()}`)}`,
    { isAsked: false },
  ),
  uvLock('below a package', uvAsker('dependencies = [{ name = "django" }]\n'), { pyproject: uvProject('"asker"') }),
  uvLock(
    'below an extra',
    uvAsker('[package.optional-dependencies]\nweb = [{ name = "django" }]\n', ', extra = ["web"]'),
    { pyproject: uvProject('"asker[web]"') },
  ),
  uvLock(
    'extra of the project',
    `${HEAD}${uvEntry()}${own('[package.optional-dependencies]\nweb = [{ name = "django" }]\n[package.metadata]\nrequires-dist = [{ name = "django", marker = "extra == \'web\'" }]\nprovides-extras = ["web"]\n')}`,
    { pyproject: uvProject('', '[project.optional-dependencies]\nweb = ["django"]\n'), isAsked: false },
  ),
  uvLock(
    'conflicting extras',
    `${HEAD}conflicts = [[\n  { package = "project", extra = "a" },\n  { package = "project", extra = "b" },\n]]\n${uvEntry()}${uvEntry('', { version: '4.2' })}${own(`[package.optional-dependencies]\na = [{ name = "django", version = "2.0", ${REGISTRY} }]\nb = [{ name = "django", version = "4.2", ${REGISTRY} }]\n[package.metadata]\nrequires-dist = [\n  { name = "django", marker = "extra == 'a'", specifier = "==2.0" },\n  { name = "django", marker = "extra == 'b'", specifier = "==4.2" },\n]\n`)}`,
    {
      pyproject: uvProject('', '[project.optional-dependencies]\na = ["django==2.0"]\nb = ["django==4.2"]\n'),
      isAsked: false,
    },
  ),
  uvLock(
    'member of the workspace',
    `${HEAD}[manifest]\nmembers = ["member", "project"]\n${uvEntry()}[[package]]\nname = "member"\nversion = "1"\nsource = { editable = "member" }\n${direct()}${own('')}`,
    { pyproject: uvProject('', '[tool.uv.workspace]\nmembers = ["member"]\n'), isAsked: false },
  ),
  uvLock(
    'below a folder',
    `${HEAD}${uvEntry('dependencies = [{ name = "django" }]', { name: 'lib', version: '1', source: 'source = { directory = "lib" }' })}${uvEntry()}${own('dependencies = [{ name = "lib" }]\n[package.metadata]\nrequires-dist = [{ name = "lib", directory = "lib" }]\n')}`,
    { pyproject: uvProject('"lib"', '[tool.uv.sources]\nlib = { path = "lib" }\n'), isAsked: false },
  ),
  uvLock('script', `${HEAD}[manifest]\nrequirements = [{ name = "django" }]\n${uvEntry()}`, {
    pyproject: uvProject(''),
    isAsked: false,
  }),
  uvLock('from a git repository', from('git = "https://git.example/django?tag=2.0#aaaa"'), { isAsked: false }),
  uvLock('from an archive', from('url = "https://files.example/Django-2.0.tar.gz"'), { isAsked: false }),
  uvLock('from a file', from('path = "../Django-2.0-py3-none-any.whl"'), { isAsked: false }),
  uvLock('from a folder outside', from('directory = "../django"'), { isAsked: false }),
  uvLock('from a folder inside', from('directory = "libs/django"'), { isAsked: false }),
  uvLock('from a list of files', from('registry = "../wheels"'), { isAsked: false }),
  uvLock('range changed after the lock', uvCurrent(), { pyproject: uvProject('"django==2.0"'), tool: 'refuses' }),
  uvLock('added after the lock', `${HEAD}${own('')}`, { tool: 'refuses' }),
  uvLock('dropped after the lock', uvPlain, { pyproject: uvProject(''), tool: 'refuses' }),
  uvLock('override added after the lock', uvCurrent(), {
    pyproject: uvProject('"django"', '[tool.uv]\noverride-dependencies = ["django==2.0"]\n'),
    tool: 'refuses',
  }),
  uvLock(
    'override changed after the lock',
    `${HEAD}[manifest]\noverrides = [{ name = "django", specifier = "==4.2" }]\n${uvEntry('', { version: '4.2' })}${own(direct())}`,
    { pyproject: uvProject('"django"', '[tool.uv]\noverride-dependencies = ["django==2.0"]\n'), tool: 'refuses' },
  ),
  uvLock('constraint added after the lock', uvCurrent(), {
    pyproject: uvProject('"django"', '[tool.uv]\nconstraint-dependencies = ["django<4"]\n'),
    tool: 'refuses',
  }),
  uvLock(
    'override',
    `${HEAD}[manifest]\noverrides = [{ name = "django", specifier = "==2.0" }]\n${uvEntry()}${own(`dependencies = [{ name = "django" }]\n${requires('>=4')}`)}`,
    { pyproject: uvProject('"django>=4"', '[tool.uv]\noverride-dependencies = ["django==2.0"]\n') },
  ),
  uvLock('of another project', uvPlain.replace('"project"', '"other"'), { tool: 'refuses' }),
  uvLock('version that is none', uvPlain.replace('"2.0"', '"latest"'), { tool: 'refuses' }),
  uvLock('version of the format that is not known', uvPlain.replace('version = 1\n', 'version = 2\n'), {
    tool: 'refuses',
  }),
  uvLock('escapes', uvPlain.replaceAll('"django"', '"dj\\u0061ngo"')),
  uvLock('key twice', uvPlain.replace('version = "2.0"', 'version = "4.2"\nversion = "2.0"'), { tool: 'refuses' }),
]

export const uv: Sabotage = {
  ecosystem: 'uv',
  hidden,
  target: 'uv.lock',
  base: { 'uv.lock': `${HEAD}${own('')}`, 'pyproject.toml': uvProject('') },
  spellings: [
    ...uvSpellings,
    ...damagedTexts('uv.lock', {
      files: { 'uv.lock': uvPlain, 'pyproject.toml': uvProject('"django"') },
      source: UV,
      cutAt: 'version = "2.0"',
    }),
  ],
  ask: askUv,
}

const PYLOCK_HEAD = 'lock-version = "1.0"\ncreated-by = "test"\nrequires-python = ">=3.9"\n'
const pyEntry = (more = '', version = '2.0') =>
  `[[packages]]\nname = "django"\n${version && `version = "${version}"\n`}${more}\n`
const wheel = (name: string) =>
  `wheels = [{ name = "${name}", url = "https://files.example/${name}", hashes = { sha256 = "00" } }]\n`

export const pylockSpellings: readonly Spelling[] = (
  [
    ['entry', `${PYLOCK_HEAD}${pyEntry(wheel('django-2.0-py3-none-any.whl'))}`],
    ['newer version than the files', `${PYLOCK_HEAD}${pyEntry(wheel('django-2.0-py3-none-any.whl'), '4.2')}`],
    ['marker that holds', `${PYLOCK_HEAD}${pyEntry('marker = "python_version >= \'3.9\'"\n')}`],
    ['marker of an extra', `${PYLOCK_HEAD}extras = ["web"]\n${pyEntry('marker = "\'web\' in extras"\n')}`],
    [
      'marker of a default group',
      `${PYLOCK_HEAD}dependency-groups = ["web"]\ndefault-groups = ["web"]\n${pyEntry('marker = "\'web\' in dependency_groups"\n')}`,
    ],
    [
      'marker of a group that is not default',
      `${PYLOCK_HEAD}dependency-groups = ["web"]\n${pyEntry('marker = "\'web\' in dependency_groups"\n')}`,
      'ignores',
    ],
    ['marker that cannot be read', `${PYLOCK_HEAD}${pyEntry('marker = "some_day == \'soon\'"\n')}`],
    [
      'two entries of a package',
      `${PYLOCK_HEAD}${pyEntry('marker = "python_version < \'3\'"\n', '4.2')}${pyEntry('marker = "python_version >= \'3\'"\n')}`,
    ],
    [
      'from a git repository',
      `${PYLOCK_HEAD}${pyEntry('vcs = { type = "git", url = "https://git.example/django", commit-id = "aa" }\n')}`,
    ],
    [
      'from a git repository without a version',
      `${PYLOCK_HEAD}${pyEntry('vcs = { type = "git", url = "https://git.example/django", commit-id = "aa" }\n', '')}`,
    ],
    [
      'from an archive',
      `${PYLOCK_HEAD}${pyEntry('archive = { url = "https://files.example/Django-2.0.tar.gz", hashes = { sha256 = "00" } }\n', '')}`,
    ],
    ['from a folder', `${PYLOCK_HEAD}${pyEntry('directory = { path = "../django" }\n', '')}`],
    ['without a version', `${PYLOCK_HEAD}${pyEntry('', '')}`],
    ['lock-version that is not known', `${PYLOCK_HEAD.replace('1.0', '2.0')}${pyEntry()}`, 'refuses'],
    ['packages that are no list', `${PYLOCK_HEAD}[packages]\ndjango = "2.0"\n`, 'refuses'],
  ] as const
).map(([name, text, tool]) =>
  spelling(`pylock: ${name}`, PYLOCK, { 'pylock.toml': text } satisfies ProjectFiles, {
    tool: tool ?? 'installs',
    isAsked: false,
  }),
)
