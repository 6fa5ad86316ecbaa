import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsPython, chooseDeclaredPython, readDeclaredPython } from './python-of-files.ts'

const declared: [path: string, content: string, text: string | undefined][] = [
  ['.python-version', '3.9\n', '3.9'],
  ['.python-version', '# chosen by the team\n\n3.8.18 # newest\n3.12.1\n', '3.8.18'],
  ['.python-version', 'cpython-3.11\r\n', '3.11'],
  ['.python-version', 'python3.10\n', '3.10'],
  ['.python-version', 'pypy3.9-7.3.9\n', undefined],
  ['.python-version', 'system\n', undefined],
  ['.python-version', '', undefined],
  ['runtime.txt', '\uFEFFpython-3.6.15\n', '3.6.15'],
  ['runtime.txt', 'flask==0.12.2\n', undefined],
  ['Pipfile', '[packages]\npython_version = "*"\n[requires] # all\npython_version = "3.7"\n', '3.7'],
  ['Pipfile', '[requires]\npython_version = "3.7"\npython_full_version = "3.7.2"\n', '3.7.2'],
  ['Pipfile', '[requires]\npython_version = "*"\n', undefined],
  ['pyproject.toml', '[project]\nname = "p"\nrequires-python = ">=3.8,<3.10" # both\n', '>=3.8,<3.10'],
  ['pyproject.toml', "[project]\n  'requires-python'='~=3.8'\n", '~=3.8'],
  ['pyproject.toml', '[tool.other]\nrequires-python = "<3"\n', undefined],
  ['pyproject.toml', '[project]\nrequires-python = "nonsense"\n', undefined],
  ['pyproject.toml', '[project]\n[tool.x]\nrequires-python = "<3"\n', undefined],
  ['pyproject.toml', 'project.requires-python = ">=3.8"\n', '>=3.8'],
  ['pyproject.toml', '[project]\nreadme = """\n[tool]\n"""\nrequires-python = "\\u003e=3.8"\n', '>=3.8'],
  ['pyproject.toml', '[project]\nrequires-python = ">=3.8"\nrequires-python = ">=3.9"\n', undefined],
  ['pyproject.toml', '[project]\nrequires-python = 3.8\n', undefined],
  ['setup.cfg', '[metadata]\nname = p\n[options]\npython_requires = >=3.6, <3.9 ; both\n', '>=3.6, <3.9'],
  ['setup.cfg', '[options]\npython_requires =\n    >=3.6\n', '>=3.6'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.8"\n', '>=3.8,<4'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "~3.8"\ndjango = "*"\n', '>=3.8,<3.9'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "~3.8.2"\n', '>=3.8.2,<3.9'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "~3"\n', '>=3,<4'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.8.1,!=3.9.0"\n', '>=3.8.1,<4,!=3.9.0'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = ">=3.8,<3.12"\n', '>=3.8,<3.12'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "3.9"\n', '3.9'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^2.7 || ^3.8"\n', undefined],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "*"\n', undefined],
  ['pyproject.toml', '[project]\nrequires-python = ">=3.9"\n[tool.poetry.dependencies]\npython = "^3.8"\n', '>=3.9'],
  ['setup.py', 'setup(\n    name="p",\n    python_requires=">=3.6, <3.9",\n)\n', '>=3.6, <3.9'],
  ['setup.py', "setup(**{'python_requires': '>=3.6'})\n", '>=3.6'],
  ['setup.py', 'setup(python_requires=RANGE)\n', undefined],
  ['setup.py', 'setup(python_requires=">=3." + minor)\n', undefined],
  ['setup.py', '# python_requires=">=2.7"\nsetup(name="p")\n', undefined],
  ['setup.py', 'a = dict(python_requires=">=2.7")\nb = dict(python_requires=">=3.7")\n', undefined],
  ['other.toml', '[project]\nrequires-python = ">=3.8"\n', undefined],
]

test('declared Python: read from each kind of file', () => {
  for (const [path, content, text] of declared) {
    assert.equal(readDeclaredPython(path, content)?.text, text, `${path}: ${JSON.stringify(content)}`)
  }
})

test('declared Python: a range allows a minor version if it allows one of its patches', () => {
  const allows = (range: string, python: string) => {
    const declared = readDeclaredPython('setup.cfg', `[options]\npython_requires = ${range}\n`)
    return allowsPython(declared!, python)
  }
  assert.deepEqual(
    [allows('>=3.9.2', '3.9'), allows('<=3.9.5', '3.9'), allows('>=3.9.2', '3.9.1'), allows('<3.9', '3.9')],
    [true, true, false, false],
  )
})

test('declared Python: the nearest file has precedence, and in one folder the one with a version', () => {
  const chosen = (...paths: string[]) => {
    const declared = paths.map((path) =>
      readDeclaredPython(path, path.endsWith('toml') ? '[project]\nrequires-python=">=3"' : '3.9'),
    )
    return chooseDeclaredPython(declared.map((declaration) => declaration!))?.path
  }
  assert.equal(chosen('pyproject.toml', 'runtime.txt', '.python-version'), '.python-version')
  assert.equal(chosen('../.python-version', 'pyproject.toml'), 'pyproject.toml')
  assert.equal(chosen('../../runtime.txt', '../pyproject.toml'), '../pyproject.toml')
  assert.equal(chosen(), undefined)
})
