import type { ProjectFiles, Spelling } from './spelling.ts'

const FORMAT = "pip's documentation, Requirements File Format"
const SPECIFIERS = "pip's documentation, Requirement Specifiers; Version Specifiers (PEP 440)"
const DIRECT = "pip's documentation, VCS Support and Local Project Installs"
const ENCODING = "pip's documentation, Requirements File Format, Encoding"

type Tool = Spelling['tool']
type Others = Readonly<Record<string, string>>

/** Adds lines to the requirements file, and other files beside it. */
function lines(name: string, text: string, { tool = 'installs', source = FORMAT, files = {} }: Options = {}): Spelling {
  return {
    name,
    source,
    tool,
    plant: (project: ProjectFiles) => ({
      ...project,
      'requirements.txt': `${project['requirements.txt']}\n${text}\n`,
      ...files,
    }),
  }
}

interface Options {
  readonly tool?: Tool
  readonly source?: string
  readonly files?: Others
}

const ignored: Options = { tool: 'ignores' }
const refused: Options = { tool: 'refuses' }

/** Puts text in front of the requirements file: what only the first lines or the first byte may say. */
function inFront(name: string, text: string, tool: Tool = 'installs'): Spelling {
  return {
    name,
    source: ENCODING,
    tool,
    plant: (project: ProjectFiles) => ({ ...project, 'requirements.txt': `${text}\n${project['requirements.txt']}` }),
  }
}

/** Each file says its own path, as the server asks for; to pip that is a comment. */
function beside(files: Others): Options {
  return {
    files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `# file: ${path}\n${text}\n`])),
  }
}

/** A source tree of the hidden release, or of a package that depends on it. */
function sourceTree(folder: string, project: string): Options {
  const build = '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
  return {
    source: DIRECT,
    files: { [`${folder}pyproject.toml`]: `${build}[project]\n${project}[tool.setuptools]\npackages = []\n` },
  }
}

const itself = 'name = "django"\nversion = "2.0"\n'
const above = 'name = "above"\nversion = "1"\ndependencies = ["django==2.0"]\n'
const aboveExtra = 'name = "above"\nversion = "1"\noptional-dependencies = { web = ["django==2.0"] }\n'
const limited = (text: string) => beside({ 'limits.txt': text })
const hash = 'sha256:af18618ce3291be5092893d8522fe3919661bf3a1fb60e3858ae74865a4f07c2'

const versions: readonly Spelling[] = [
  lines('pin', 'django==2.0'),
  lines('pin in capitals', 'DJANGO==2.0'),
  lines('pin with white space', '  django  ==  2.0  '),
  lines('pin in brackets', 'django (==2.0)'),
  lines('pin with zeros', 'django==2.0.0'),
  lines('pin with many zeros', 'django==02.00.0.0.0'),
  lines('pin with v', 'django==v2.0'),
  lines('pin with an epoch of zero', 'django==0!2.0'),
  lines('arbitrary equality', 'django===2.0'),
  lines('wildcard', 'django==2.0.*,<2.0.1'),
  lines('compatible release', 'django~=2.0,<2.0.1'),
  lines('compatible patch release', 'django~=2.0.0,<2.0.1'),
  lines('two bounds', 'django>=2.0,<2.0.1'),
  lines('upper bound', 'django<=2.0'),
  lines('upper bound before a pre-release', 'django<2.0.1rc1'),
  lines('exclusion', 'django>=2.0,!=2.0.1,<2.0.2'),
  lines('excluded wildcard', 'django!=3.*,!=4.*,!=5.*,!=6.*,!=7.*,!=2.1.*,!=2.2.*,!=2.0.*,==2.*,<=2.0.0', refused),
  lines('range in several lines', 'django>=2.0\ndjango<2.0.1'),
  lines('the same pin twice', 'django==2.0\nDjango==2.0.0'),
  lines('pins that contradict each other', 'django==2.0\ndjango==4.2', refused),
  lines('digits that are not ASCII', 'django==\uFF12.0', refused),
  lines('letters that are not ASCII', 'd\u0458ango==2.0', refused),
].map((each) => ({ ...each, source: SPECIFIERS }))

const layout: readonly Spelling[] = [
  lines('comment behind the pin', 'django==2.0 # harmless'),
  lines('comment without a space', 'django==2.0#harmless', refused),
  lines('comment behind a tab', 'django==2.0\t#harmless'),
  lines('comment behind a space that is not ASCII', 'django==2.0\u2003# harmless'),
  lines('continued line', 'django\\\n==2.0'),
  lines('continued line inside the version', 'django==2.\\\n0'),
  lines('continued line at the end', 'django==2.0 \\'),
  lines('continued by several backslashes', 'django\\\\\\\n==2.0'),
  lines('continued line that a comment ends', 'django==2.0 \\\n# comment \\\n'),
  lines('pin behind a comment that ends with a backslash', '# comment \\\ndjango==2.0'),
  lines('pin behind a remark that is continued', 'pytz # remark \\\ndjango==2.0', ignored),
  lines('carriage returns', 'django==2.0\r'),
  lines('carriage return inside a comment', '# comment\rdjango==2.0'),
  lines('line separator inside a comment', '# comment\u2028django==2.0'),
  lines('paragraph separator inside a comment', '# comment\u2029django==2.0'),
  lines('next line inside a comment', '# comment\u0085django==2.0'),
  lines('form feed inside a comment', '# comment\fdjango==2.0'),
  lines('vertical tab inside a comment', '# comment\vdjango==2.0'),
  lines('file separator inside a comment', '# comment\u001Cdjango==2.0'),
  lines('record separator inside a comment', '# comment\u001Edjango==2.0'),
  lines('unit separator inside a comment', '# comment\u001Fdjango==2.0', ignored),
  lines('tab instead of spaces', 'django\t==2.0'),
  lines('pin below a mark of pip-compile', '#\n# This file is autogenerated by pip-compile\n#\ndjango==2.0'),
]

const environments: readonly Spelling[] = [
  lines('marker that is true', 'django==2.0; python_version >= "3"'),
  lines('marker with or', 'django==2.0; sys_platform == "win32" or sys_platform == "linux"'),
  lines('marker that is false', 'django==2.0; python_version < "3"', ignored),
  lines('marker without spaces', "django==2.0;python_version>='3'"),
  lines('marker the other way around', 'django==2.0; "3" <= python_version'),
  lines('marker with in', 'django==2.0; "linux" in sys_platform'),
  lines('marker with not in', 'django==2.0; sys_platform not in "win32 cygwin"'),
  lines('marker in brackets', 'django==2.0; (os_name == "nt" or (os_name == "posix" and python_version > "2"))'),
  lines('marker by its former name', 'django==2.0; python_implementation == "CPython"'),
  lines('marker of a full version', 'django==2.0; python_full_version >= "3.0.0rc1"'),
  lines('marker with a compatible release', 'django==2.0; python_version ~= "3.0"'),
  lines('marker of an extra', 'django==2.0; extra == "web"', ignored),
  lines('marker of no extra', 'django==2.0; extra == ""'),
  lines('two pins of which one applies', 'django==4.2; python_version < "3"\ndjango==2.0; python_version >= "3"'),
]

const options: readonly Spelling[] = [
  lines('option of one requirement', 'django==2.0 --config-settings a=b'),
  lines('option of pip behind a requirement', 'django==2.0 --pre -r none.txt'),
  lines('no-index is not the last word', '--pre\ndjango==2.0'),
  lines('no-binary of another package', '--no-binary pytz\ndjango==2.0'),
  lines('only-binary of everything', '--only-binary=:all:\ndjango==2.0'),
  lines('prefer-binary, shortened', '--prefer\ndjango==2.0'),
  lines('folder of files', '--find-links ./wheels\ndjango==2.0'),
  lines('trusted host', '--trusted-host registry.example\ndjango==2.0'),
  lines('hash of another package', `django==2.0 --hash=${hash}\npytz==2018.3 --hash=${hash}`, refused),
  lines('variable that is not set', `django==\${SABOTAGE_NOT_SET}`, refused),
  lines('variable in a comment', `django==2.0 # \${SABOTAGE_NOT_SET}`),
]

const nested: readonly Spelling[] = [
  lines('nested file', '-r base.txt', beside({ 'base.txt': 'django==2.0' })),
  lines('nested file without a space', '-rbase.txt', beside({ 'base.txt': 'django==2.0' })),
  lines('nested file by a shortened option', '--requirem=base.txt', beside({ 'base.txt': 'django==2.0' })),
  lines('nested file in quotes', '-r "base file.txt"', beside({ 'base file.txt': 'django==2.0' })),
  lines('nested file behind other options', '--pre -r ./base.txt', beside({ 'base.txt': 'django==2.0' })),
  lines('nested file that was not sent', '-r base.lst', { files: { 'base.lst': 'django==2.0\n' } }),
  lines('nested file by its address', `-r file://\${PWD}/base.lst`, { files: { 'base.lst': 'django==2.0\n' } }),
  lines('nested file by a variable', `-r \${PWD}/base.lst`, { files: { 'base.lst': 'django==2.0\n' } }),
  lines(
    'files in files, each seen from its own folder',
    '-r a/one.txt',
    beside({ 'a/one.txt': '-r ../b/two.txt', 'b/two.txt': '-r three.txt', 'b/three.txt': 'django==2.0' }),
  ),
  lines('two files in one line, of which pip reads one', '-r base.txt -r more.txt', {
    tool: 'ignores',
    files: { 'base.txt': 'pytz\n', 'more.txt': 'django==2.0\n' },
  }),
  lines('constraint', 'django\n-c limits.txt', limited('django==2.0')),
  lines('constraint in another spelling of the name', 'django\n--constraint=limits.txt', limited('DJANGO<2.0.1,>=2.0')),
  lines('constraint by a marker', 'django\n-c limits.txt', limited('django==2.0; python_version >= "3"')),
  lines('constraint of what nothing asks for', '-c limits.txt', { ...limited('django==2.0'), tool: 'ignores' }),
  lines(
    'requirements inside constraints',
    '-c limits.txt',
    beside({ 'limits.txt': '-r base.txt', 'base.txt': 'django==2.0' }),
  ),
  lines(
    'constraints inside requirements',
    '-r base.txt',
    beside({ 'base.txt': 'django\n-c limits.txt', 'limits.txt': 'django==2.0' }),
  ),
]

const packages: readonly Spelling[] = [
  lines('extras of a package without them', 'django[argon2]==2.0'),
  lines('extra that brings it', 'sentry-sdk[django]==1.0.0\n-c limits.txt', limited('django==2.0')),
  lines('extra in another spelling', 'Sentry_SDK [ DJANGO , ] == 1.0.0\n-c limits.txt', {
    ...limited('django==2.0'),
    tool: 'refuses',
  }),
  lines('extra in capitals', 'sentry.sdk[DJANGO]==1.0.0\n-c limits.txt', limited('django==2.0')),
  lines(
    'extra of a second line for the same package',
    'sentry-sdk==1.0.0\nsentry_sdk[django]\n-c limits.txt',
    limited('django==2.0'),
  ),
  lines(
    'extra that brings it, added to a file of pip-compile',
    '# This file is autogenerated by pip-compile\ncertifi==2024.2.2\n    # via -r requirements.in\npytz==2018.3\n    # via django\nsentry-sdk[django]==1.0.0\n-c limits.txt',
    limited('django==2.0'),
  ),
]

const direct: readonly Spelling[] = [
  lines('folder', './tree', sourceTree('tree/', itself)),
  lines('folder of a package above it', './tree', sourceTree('tree/', above)),
  lines('folder with an extra', './tree[web]', sourceTree('tree/', aboveExtra)),
  lines('the project itself', '.', sourceTree('', above)),
  lines('the project itself, editable', '-e .', sourceTree('', above)),
  lines('editable folder, shortened', '--edit=./tree', sourceTree('tree/', above)),
  lines('address of a folder', 'file:./tree', sourceTree('tree/', above)),
  lines('direct reference', `django @ file://\${PWD}/tree`, sourceTree('tree/', itself)),
  lines('direct reference of another name', `above@file://\${PWD}/tree`, sourceTree('tree/', above)),
  lines(
    'direct reference with a marker',
    `above @ file://\${PWD}/tree ; os_name == "posix"`,
    sourceTree('tree/', above),
  ),
  lines('address with a name', `file://\${PWD}/tree#egg=above`, sourceTree('tree/', above)),
  lines('direct reference as a constraint', `django\n-c limits.txt`, {
    ...sourceTree('tree/', itself),
    files: { ...sourceTree('tree/', itself).files, ...limited(`django @ file://\${PWD}/tree`).files },
  }),
  lines('archive that is not there', './django-2.0.tar.gz', refused),
  lines('editable name', '-e django==2.0', refused),
]

const encodings: readonly Spelling[] = [
  inFront('byte order mark', '\uFEFFdjango==2.0'),
  inFront('encoding that is declared', '# -*- coding: utf-8 -*-\ndjango==2.0'),
  inFront('encoding in which a letter ends the line', '# -*- coding: latin-1 -*-\n# \u00C5django==2.0'),
  inFront('encoding in which a comment holds lines', '# -*- coding: utf-7 -*-\n#+AAo-django==2.0'),
  inFront('encoding with escapes', '# coding=unicode_escape\n# \\ndjango==2.0'),
  inFront('unknown encoding', '# coding: nonsense\ndjango==2.0', 'refuses'),
]

export const pipSpellings: readonly Spelling[] = [
  ...versions,
  ...layout,
  ...environments,
  ...options,
  ...nested,
  ...packages,
  ...direct,
  ...encodings,
]
