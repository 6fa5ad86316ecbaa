import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeOf } from '#test/repositories/manifest-trees.ts'
import { findProjects, isWanted } from './find-projects.ts'
import { findNotRead } from './not-read.ts'
import type { Tree } from './tree.ts'
import { unreadFiles } from './unread-files.ts'

async function listNotRead(tree: Tree) {
  return findNotRead(tree, await findProjects(tree))
}

/** Contents of files whose names say too little. */
const contents: Readonly<Record<string, string>> = {
  'requirements.yml': 'roles:\n  - name: a\n',
  'Chart.yaml': 'apiVersion: v2\nname: a\ndependencies:\n  - name: b\n',
  'requirements.yaml': 'dependencies:\n  - name: b\n',
  'requirements.lock': 'dependencies:\n- name: b\n  version: 1.0.0\n',
  'Project.toml': 'name = "A"\n\n[deps]\nB = "0"\n',
  'Manifest.toml': 'julia_version = "1.10.0"\n',
  DESCRIPTION: 'Package: a\nImports: b\n',
  'tox.ini': '[testenv]\ndeps =\n  pytest==6.0\n',
}
const CONDA = 'name: a\ndependencies:\n  - python=3.10\n  - pip:\n    - a==1.0.0\n'

describe('files that are known but not read', () => {
  const names = Object.entries(unreadFiles).flatMap(([manager, all]) =>
    all
      .flatMap((entry) => (typeof entry === 'string' ? [{ names: [entry] }] : [entry]))
      .flatMap(({ names: own, ...rest }) => own.map((pattern) => ({ ...rest, manager, pattern }))),
  )
  for (const { manager, pattern, content, isOutOfScope = false } of names) {
    const name = pattern.replaceAll('*', 'x')
    test(`${name} is named as a file of ${manager}`, async () => {
      const path = `deep/${name}`
      const text = contents[name] ?? (content === undefined ? '' : CONDA)
      assert.ok(isWanted(path))
      const entries = await listNotRead(treeOf({ [path]: text }))
      assert.deepEqual(
        entries.map((entry) => [entry.path, entry.manager, entry.isOutOfScope, entry.reason !== '']),
        [[path, manager, isOutOfScope, true]],
      )
      if (content !== undefined) assert.deepEqual(await listNotRead(treeOf({ [path]: '# other: text\n' })), [])
    })
  }

  test('files of unsupported package managers are reported once per folder and manager', async () => {
    const tree = treeOf({
      'Brewfile.lock.json': '',
      Brewfile: '',
      'go.mod': '',
      'go.sum': '',
      'package.json': '{}',
      'bun.lockb': '',
      'src/App/paket.dependencies': '',
      'src/App/paket.lock': '',
      'listed/requirements.txt': '',
      'listed/pyproject.toml': '',
      'tools/pyproject.toml': '',
      'tools/setup.py': '',
      'tools/Dockerfile': 'FROM scratch\n',
      'locked/pyproject.toml': '',
      'locked/poetry.lock': '',
      'managed/pyproject.toml': '',
      'managed/pdm.lock': '',
      'workspace/uv.lock': 'source = { editable = "member" }\n',
      'workspace/member/pyproject.toml': '',
      'java/gradle/wrapper/gradle-wrapper.jar': '',
      'README.md': '',
    })
    const entries = await listNotRead(tree)
    assert.deepEqual(
      entries.map(({ path, manager }) => `${path} ${manager}`),
      [
        'Brewfile Homebrew',
        'managed/pdm.lock PDM',
        'src/App/paket.dependencies Paket',
        'tools/Dockerfile Docker',
        'tools/pyproject.toml Python',
      ],
    )
    assert.deepEqual(
      entries.map(({ reason }) => reason.replace(/ in a form that is read.*/, '')),
      [
        'Homebrew is not read here',
        'PDM is not read here',
        'Paket is not read here',
        'Images and packages of operating systems are not tested here',
        'No file beside it lists dependencies of Python',
      ],
    )
  })
})
