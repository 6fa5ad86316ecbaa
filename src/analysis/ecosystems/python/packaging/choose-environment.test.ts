import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PythonTarget } from '#analysis/ecosystems/python-target.ts'
import { pypiReaderOf } from '#test/registries/pypi-content.ts'
import { readRequirements } from '../pip/read-requirements.ts'

/** Locked lines, which need no registry: packages by their markers. */
const lock = (...markers: string[]) =>
  markers.map((marker, at) => `p${at}==1.0${marker && ` ; ${marker}`}\n    # via -r requirements.in\n`).join('')
const until39 = 'python_version < "3.10"'
const mostlyOld = lock(until39, until39, until39, '')
const none = { version: '3.13', platform: 'linux', basis: 'default' } as const

async function read(target: string, python: PythonTarget, ...additional: string[]) {
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 }, python }
  const reading = await readRequirements({ target, additional }, pypiReaderOf({}), options)
  return {
    python: /for (Python [\d.]+)/.exec(reading.filesRead[0]!)![1],
    packages: reading.graph.nodes.length - 1,
    files: reading.filesRead.slice(1),
    excluded: reading.excluded.map(({ packages }) => packages),
    unresolved: reading.unresolved.map(({ code }) => code),
  }
}

describe('the Python version for requirements', () => {
  test('Python version: the request has precedence', async () => {
    const result = await read(mostlyOld, { version: '3.13', platform: 'linux' }, '# file: .python-version\n3.9\n')
    assert.deepEqual([result.python, result.packages, result.excluded], ['Python 3.13', 1, [3]])
  })

  test('Python version: a file beside the requirements has precedence over the setting and is listed', async () => {
    const setting = { version: '3.12', platform: 'linux', basis: 'setting' } as const
    for (const python of [setting, none]) {
      const result = await read(lock(''), python, '# file: runtime.txt\npython-3.6.15\n')
      assert.deepEqual(result, {
        python: 'Python 3.6.15',
        packages: 1,
        files: ['runtime.txt (Python 3.6.15)'],
        excluded: [],
        unresolved: [],
      })
    }
  })

  test('Python version: a range keeps the default if allowed, else selects its newest', async () => {
    const range = (text: string) => `# file: pyproject.toml\n[project]\nrequires-python = "${text}"\n`
    assert.equal((await read(lock(''), none, range('>=3.8'))).python, 'Python 3.13')
    assert.equal((await read(lock(''), none, range('>=3.8,<3.12'))).python, 'Python 3.11')
    assert.equal((await read(lock(''), none, range('<3'))).python, 'Python 2.7')
    const old = await read(mostlyOld, none, range('>=3.7'))
    assert.deepEqual([old.python, old.packages, old.unresolved], ['Python 3.9', 4, []])
  })

  test('Python version: chosen by the markers of most requirements if none is set', async () => {
    const result = await read(mostlyOld, none)
    assert.deepEqual([result.python, result.packages, result.unresolved], ['Python 3.9', 4, []])
    const half = await read(lock(until39, ''), none)
    assert.deepEqual([half.python, half.packages, half.excluded], ['Python 3.13', 1, [1]])
  })

  test('Python version: requirements mostly for another version than the one set are reported', async () => {
    const setting = { version: '3.13', platform: 'linux', basis: 'setting' } as const
    const bySetting = await read(mostlyOld, setting)
    assert.deepEqual([bySetting.python, bySetting.unresolved], ['Python 3.13', ['other-environment']])
    const byFile = await read(mostlyOld, none, '# file: .python-version\n3.12\n')
    assert.deepEqual([byFile.python, byFile.unresolved], ['Python 3.12', ['other-environment']])
    const byRange = await read(mostlyOld, none, '# file: setup.cfg\n[options]\npython_requires = >=3.11\n')
    assert.deepEqual([byRange.python, byRange.unresolved], ['Python 3.13', ['other-environment']])
  })

  test('Python version: markers of other systems do not change it', async () => {
    const windows = 'sys_platform == "win32"'
    const result = await read(lock(windows, windows, windows, ''), none)
    assert.deepEqual([result.python, result.packages, result.excluded], ['Python 3.13', 1, [3]])
  })

  test('Python version: another version of a tested package counts as excluded', async () => {
    const result = await read(
      'p==1.0 ; python_version < "3.9"\n    # via x\np==2.0 ; python_version >= "3.9"\n    # via x\n',
      none,
    )
    assert.deepEqual([result.packages, result.excluded], [1, [1]])
  })
})
