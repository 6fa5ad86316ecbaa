import { damagedTexts, spelling } from './lock-texts.ts'
import { pylockSpellings } from './python-locks.ts'
import type { Hidden, ProjectFiles, Sabotage, Spelling } from './spelling.ts'

const hidden: Hidden = { name: 'django', version: '2.0' }
const PIPENV = "Pipenv's documentation, Pipfile & Pipfile.lock, Specifiers, Advanced usage (package category groups)"
const PYPROJECT = 'PEP 508, 621 and 735; documentation of setuptools, Poetry, uv, PDM, Hatch, pixi and Rye'

type Tool = Spelling['tool']
type Json = Readonly<Record<string, unknown>>

interface Written {
  readonly pipfile?: string
  readonly tool?: Tool
  readonly isAsked?: false
}

const META = { hash: {}, 'pipfile-spec': 6, requires: {}, sources: [] }
const SOURCE = '[[source]]\nurl = "https://pypi.example/simple"\nverify_ssl = true\nname = "pypi"\n\n'
const pipfileOf = (packages: string, more = '') => `${SOURCE}[packages]\n${packages}\n\n[dev-packages]\n${more}`

function locked(
  name: string,
  sections: Json,
  { pipfile = pipfileOf('django = "*"'), ...more }: Written = {},
): Spelling {
  const text = JSON.stringify({ _meta: META, default: {}, develop: {}, ...sections }, null, 4)
  return spelling(`lock: ${name}`, PIPENV, { 'Pipfile.lock': text, Pipfile: pipfile }, more)
}

function manifest(name: string, packages: string, { tool = 'installs', isAsked }: Written = {}, more = ''): Spelling {
  return spelling(
    `Pipfile: ${name}`,
    PIPENV,
    { Pipfile: pipfileOf(packages, more) },
    { tool, ...(isAsked === false && { isAsked }) },
  )
}

const old = { version: '==2.0' }
const inDefault = (value: unknown) => ({ default: { django: value } })
const plain = { _meta: META, default: { django: old }, develop: {} }

const locks: readonly Spelling[] = [
  locked('entry', inDefault(old)),
  spelling('lock: alone', PIPENV, { 'Pipfile.lock': JSON.stringify(plain) }),
  locked('name in capitals', { default: { Django: old } }),
  locked('three equals signs', inDefault({ version: '===2.0' })),
  locked('white space', inDefault({ version: '== 2.0' })),
  locked('bare version', inDefault({ version: '2.0' }), { isAsked: false }),
  locked('range', inDefault({ version: '>=2.0' }), { isAsked: false }),
  locked('star', inDefault({ version: '*' }), { isAsked: false }),
  locked('text', inDefault('==2.0'), { isAsked: false }),
  locked('extras', inDefault({ ...old, extras: ['bcrypt'] })),
  locked('marker that holds', inDefault({ ...old, markers: "python_version >= '3.8'" })),
  locked('condition under the name of a variable', inDefault({ ...old, sys_platform: "== 'linux'" })),
  locked('marker that cannot be read', inDefault({ ...old, markers: "some_day == 'soon'" }), { isAsked: false }),
  locked(
    'that nothing in the Pipfile requires',
    { default: { asker: { version: '==1.0' }, django: old } },
    { pipfile: pipfileOf('asker = "*"') },
  ),
  locked('category', { web: { django: old } }, { pipfile: `${pipfileOf('')}\n[web]\ndjango = "*"\n`, isAsked: false }),
  locked('git repository', inDefault({ git: 'https://git.example/django.git', ref: 'aaaa' }), { isAsked: false }),
  locked(
    'git repository with a version',
    inDefault({ git: 'https://git.example/django.git', ref: 'aaaa', version: '==2.0' }),
    { isAsked: false },
  ),
  locked('file of an address', inDefault({ file: 'https://files.example/Django-2.0.tar.gz' }), { isAsked: false }),
  locked('folder outside', inDefault({ path: '../django', editable: true }), { isAsked: false }),
  locked('folder inside, whose dependencies are not locked', inDefault({ path: './django' }), {
    tool: 'ignores',
    isAsked: false,
  }),
  locked('range changed after the lock', inDefault({ version: '==4.2' }), {
    pipfile: pipfileOf('django = "==2.0"'),
    tool: 'refuses',
    isAsked: false,
  }),
  locked('added after the lock', {}, { tool: 'refuses', isAsked: false }),
  spelling(
    'lock: written for another Pipfile',
    PIPENV,
    {
      'Pipfile.lock': JSON.stringify({
        ...plain,
        _meta: { ...META, hash: { sha256: 'a'.repeat(64) } },
        default: { django: { version: '==4.2' } },
      }),
      Pipfile: pipfileOf('django = "*"'),
    },
    { tool: 'refuses', isAsked: false },
  ),
  spelling('lock: section twice, the last has it', PIPENV, {
    'Pipfile.lock': JSON.stringify(plain).replace('"default":', '"default":{},"default":'),
    Pipfile: pipfileOf('django = "*"'),
  }),
  spelling('lock: escapes', PIPENV, {
    'Pipfile.lock': JSON.stringify(plain).replaceAll('django', 'dj\\u0061ngo'),
    Pipfile: pipfileOf('django = "*"'),
  }),
  spelling(
    'lock: pipfile-spec that is not known',
    PIPENV,
    { 'Pipfile.lock': JSON.stringify({ ...plain, _meta: { ...META, 'pipfile-spec': 7 } }) },
    { isAsked: false },
  ),
  spelling(
    'lock: section that is no map',
    PIPENV,
    { 'Pipfile.lock': JSON.stringify({ ...plain, default: ['django==2.0'] }) },
    { tool: 'refuses', isAsked: false },
  ),
]

const manifests: readonly Spelling[] = [
  manifest('exact version', 'django = "==2.0"'),
  manifest('name in capitals', 'DJANGO = "==2.0"'),
  manifest('name in quotes', '"django" = "==2.0"'),
  manifest('table', 'django = {version = "==2.0"}'),
  manifest('table of its own', '', {}, '\n[packages.django]\nversion = "==2.0"\n'),
  manifest('key with a dot', 'django.version = "==2.0"'),
  manifest('bounds', 'django = ">=1.11,<2.0.1"'),
  manifest('prefix', 'django = "==2.0.0"'),
  manifest('compatible release', 'django = "~=2.0.0,<2.0.1"'),
  manifest('extras', 'sentry-sdk = {version = "==1.0.0", extras = ["django"]}\ndjango = "<2.0.1"'),
  manifest('marker that holds', 'django = {version = "==2.0", markers = "python_version >= \'3\'"}'),
  manifest('condition under the name of a variable', 'django = {version = "==2.0", sys_platform = "== \'linux\'"}'),
  manifest('index', 'django = {version = "==2.0", index = "pypi"}'),
  manifest('git repository', 'django = {git = "https://git.example/django.git", ref = "2.0"}', { isAsked: false }),
  manifest('git repository, editable', 'django = {git = "https://git.example/django.git", editable = true}', {
    isAsked: false,
  }),
  manifest('subversion', 'django = {svn = "https://svn.example/django"}', { isAsked: false }),
  manifest('file', 'django = {file = "https://files.example/Django-2.0.tar.gz"}', { isAsked: false }),
  manifest('folder', 'django = {path = "../django", editable = true}', { isAsked: false }),
  manifest('project itself', 'project = {path = ".", editable = true}', { isAsked: false }),
  manifest('category', '', { isAsked: false }, '\n[web]\ndjango = "==2.0"\n'),
  manifest('packages that are no table', '', { tool: 'refuses', isAsked: false }, ''),
].map((each) =>
  each.name === 'Pipfile: packages that are no table'
    ? { ...each, plant: () => ({ Pipfile: `packages = ["django==2.0"]\n${SOURCE}[dev-packages]\n` }) }
    : each,
)

export const pipenv: Sabotage = {
  ecosystem: 'pipenv',
  hidden,
  target: 'Pipfile',
  base: { 'Pipfile.lock': JSON.stringify({ ...plain, default: {} }), Pipfile: pipfileOf('') },
  spellings: [
    ...locks,
    ...manifests,
    ...damagedTexts('Pipfile.lock', {
      files: { 'Pipfile.lock': `${JSON.stringify(plain, null, 4)}\n`, Pipfile: pipfileOf('django = "*"') },
      source: PIPENV,
      cutAt: '"develop"',
    }),
    ...damagedTexts('Pipfile', { files: { Pipfile: pipfileOf('django = "==2.0"') }, source: PIPENV, cutAt: '"==2.0"' }),
  ],
}

const HEAD = '[project]\nname = "project"\nversion = "1"\nrequires-python = ">=3.9"\n'

function project(
  name: string,
  text: string,
  { tool = 'installs', others = {} }: { tool?: Tool; others?: ProjectFiles } = {},
): Spelling {
  return spelling(name, PYPROJECT, { 'pyproject.toml': `${HEAD}${text}\n`, ...others }, { tool, isAsked: false })
}

function whole(name: string, text: string, tool: Tool = 'installs'): Spelling {
  return spelling(name, PYPROJECT, { 'pyproject.toml': `${text}\n` }, { tool, isAsked: false })
}

const POETRY = '[tool.poetry]\nname = "project"\nversion = "1"\n'

const tables: readonly Spelling[] = [
  project('dependencies', 'dependencies = ["django==2.0"]'),
  project('name in capitals', 'dependencies = ["Django==2.0"]'),
  project('white space and brackets', 'dependencies = ["django ( == 2.0 )"]'),
  project('bounds', 'dependencies = ["django>=1.11,<2.0.1"]'),
  project('extra of a package', 'dependencies = ["sentry-sdk[django]==1.0.0", "django<2.0.1"]'),
  project('marker that holds', 'dependencies = ["django==2.0; python_version >= \'3.9\'"]'),
  project('address', 'dependencies = ["django @ https://files.example/Django-2.0.tar.gz"]'),
  project('git repository', 'dependencies = ["django @ git+https://git.example/django@2.0"]'),
  project('folder', 'dependencies = ["django @ file:///srv/django"]'),
  project('extra of the project', '[project.optional-dependencies]\nweb = ["django==2.0"]'),
  project(
    'extra of the project that others name',
    'dependencies = ["project[web]"]\n[project.optional-dependencies]\nweb = ["django==2.0"]',
  ),
  project('keys with dots', 'optional-dependencies.web = ["django==2.0"]'),
  project('escapes', 'dependencies = ["dj\\u0061ngo==2.0"]'),
  project('text over lines', 'dependencies = ["""\ndjango==2.0"""]'),
  project('requirement that cannot be read', 'dependencies = ["django=2.0"]', { tool: 'refuses' }),
  project('text in place of the list', 'dependencies = "django==2.0"', { tool: 'refuses' }),
  project('text in place of an extra', '[project.optional-dependencies]\nweb = "django==2.0"', { tool: 'refuses' }),
  project('list in place of the extras', 'optional-dependencies = ["django==2.0"]', { tool: 'refuses' }),
  project('number in the list', 'dependencies = [2.0]', { tool: 'refuses' }),
  project('dynamic', 'dynamic = ["dependencies"]'),
  project(
    'dynamic, in a file of setuptools',
    'dynamic = ["dependencies"]\n[tool.setuptools.dynamic]\ndependencies = {file = ["requirements.txt"]}',
  ),
  project(
    'dynamic extras',
    'dynamic = ["optional-dependencies"]\n[tool.setuptools.dynamic.optional-dependencies]\nweb = {file = "web.txt"}',
  ),
  project(
    'dynamic, by a plugin of Hatch',
    'dynamic = ["dependencies"]\n[tool.hatch.metadata.hooks.requirements_txt]\nfiles = ["requirements.txt"]',
  ),
  project('group, which is for development', '[dependency-groups]\ndev = ["django==2.0"]', { tool: 'ignores' }),
  project(
    'source of uv: git',
    'dependencies = ["django"]\n[tool.uv.sources]\ndjango = {git = "https://git.example/django", tag = "2.0"}',
  ),
  project(
    'source of uv in capitals',
    'dependencies = ["django"]\n[tool.uv.sources]\nDjango = {url = "https://files.example/Django-2.0.tar.gz"}',
  ),
  project('source of uv: folder', 'dependencies = ["django"]\n[tool.uv.sources]\ndjango = {path = "../django"}'),
  project('source of uv: workspace', 'dependencies = ["django"]\n[tool.uv.sources]\ndjango = {workspace = true}'),
  project(
    'source of uv: list with markers',
    'dependencies = ["django"]\n[tool.uv.sources]\ndjango = [{index = "a", marker = "sys_platform == \'win32\'"}, {git = "https://git.example/django", marker = "sys_platform == \'linux\'"}]',
  ),
  project('override of uv', 'dependencies = ["django==4.2"]\n[tool.uv]\noverride-dependencies = ["django==2.0"]'),
  project('constraint of uv', 'dependencies = ["django"]\n[tool.uv]\nconstraint-dependencies = ["django<2.0.1"]'),
  project(
    'packages of pixi',
    '[tool.pixi.project]\nchannels = ["x"]\nplatforms = ["linux-64"]\n[tool.pixi.pypi-dependencies]\ndjango = "==2.0"',
  ),
  project(
    'conda packages of pixi',
    '[tool.pixi.workspace]\nchannels = ["x"]\nplatforms = ["linux-64"]\n[tool.pixi.dependencies]\ndjango = "2.0"',
  ),
  project('packages of a feature of pixi', '[tool.pixi.feature.web.pypi-dependencies]\ndjango = "==2.0"'),
  project('groups of PDM, which are for development', '[tool.pdm.dev-dependencies]\ntest = ["django==2.0"]', {
    tool: 'ignores',
  }),
  project('overrides of PDM', 'dependencies = ["django==4.2"]\n[tool.pdm.resolution.overrides]\ndjango = "2.0"'),
  whole('Poetry', `${POETRY}[tool.poetry.dependencies]\ndjango = "2.0"`),
  whole('Poetry: caret', `${POETRY}[tool.poetry.dependencies]\ndjango = "^2.0,<2.0.1"`),
  whole('Poetry: table', `${POETRY}[tool.poetry.dependencies.django]\nversion = "2.0"\nextras = ["bcrypt"]`),
  whole(
    'Poetry: list',
    `${POETRY}[tool.poetry.dependencies]\ndjango = [{version = "2.0", python = ">=3"}, {version = "1.8", python = "<3"}]`,
  ),
  whole(
    'Poetry: git repository',
    `${POETRY}[tool.poetry.dependencies]\ndjango = {git = "https://git.example/django.git", tag = "2.0"}`,
  ),
  whole('Poetry: folder', `${POETRY}[tool.poetry.dependencies]\ndjango = {path = "../django", develop = true}`),
  whole(
    'Poetry: address',
    `${POETRY}[tool.poetry.dependencies]\ndjango = {url = "https://files.example/Django-2.0.tar.gz"}`,
  ),
  whole(
    'Poetry: optional',
    `${POETRY}[tool.poetry.dependencies]\ndjango = {version = "2.0", optional = true}\n[tool.poetry.extras]\nweb = ["django"]`,
  ),
  whole('Poetry: alternatives', `${POETRY}[tool.poetry.dependencies]\ndjango = "2.0 || 2.0.0"`),
  whole('Poetry: main group', `${POETRY}[tool.poetry.group.main.dependencies]\ndjango = "2.0"`),
  whole('Poetry: dependencies that are a list', `${POETRY}dependencies = ["django==2.0"]`, 'refuses'),
  whole(
    'Poetry beside a project table',
    `${HEAD}dependencies = ["django"]\n[tool.poetry.dependencies]\ndjango = {git = "https://git.example/django.git"}`,
  ),
  whole('only a build system', '[build-system]\nrequires = ["setuptools"]\n'),
  whole('old table of Flit', '[tool.flit.metadata]\nmodule = "project"\nrequires = ["django==2.0"]\n'),
  whole('key twice', `${HEAD}dependencies = ["django==4.2"]\ndependencies = ["django==2.0"]`, 'refuses'),
]

export const pyproject: Sabotage = {
  ecosystem: 'pyproject',
  hidden,
  target: 'pyproject.toml',
  base: { 'pyproject.toml': HEAD },
  spellings: [
    ...tables,
    ...pylockSpellings,
    ...damagedTexts('pyproject.toml', {
      files: { 'pyproject.toml': `${HEAD}dependencies = ["django==2.0"]\n` },
      source: PYPROJECT,
      cutAt: '"django',
    }),
  ],
}
