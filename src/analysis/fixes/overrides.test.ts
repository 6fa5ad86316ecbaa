import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getEcosystem } from '../ecosystems/index.ts'
import { applyEdits } from './edit.ts'
import { findOverrideFile, type Override, planOverrides } from './overrides.ts'

/** Plans overrides in the files of a project and returns the path and text of the changed file, or the problem. */
function override(id: string, texts: Readonly<Record<string, string>>, overrides: readonly Override[]) {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  const [{ text: target }, ...others] = files as [(typeof files)[number]]
  const manifest = { target, additional: others.map(({ text }) => text) }
  const file = findOverrideFile({ ecosystem: getEcosystem(id), manifest, files })!
  const planned = planOverrides(id, file, overrides)
  return 'problem' in planned ? planned.problem : [file.path, applyEdits(file.text, planned.edits)]
}

const blue: Override = { name: 'blue', to: '1.3.0', isDirect: false }
const red: Override = { name: '@x/red', to: '2.0.1', isDirect: false }

describe('overrides', () => {
  const cases: readonly [title: string, id: string, text: string, expected: string, overrides: Override[]][] = [
    [
      'a new member has the indentation of the file',
      'npm',
      '{\n\t"name": "a"\n}\n',
      '{\n\t"name": "a",\n\t"overrides": {\n\t\t"blue": "^1.3.0",\n\t\t"@x/red": "^2.0.1"\n\t}\n}\n',
      [blue, red],
    ],
    ['a text on one line stays on one line', 'yarn', '{"a":1}', '{"a":1,"resolutions":{"blue":"^1.3.0"}}', [blue]],
    [
      'existing overrides get a new version, also below a rule; a reference stays',
      'npm',
      '{"overrides":{"blue":{".":"1.0.0","x":"1"},"@x/red":"$@x/red"}}',
      '{"overrides":{"blue":{".":"^1.3.0","x":"1"},"@x/red":"$@x/red"}}',
      [blue, red],
    ],
    [
      'overrides of pnpm are added to those of its member',
      'pnpm',
      '{\n  "pnpm": {\n    "overrides": {\n      "green": "1"\n    }\n  }\n}',
      '{\n  "pnpm": {\n    "overrides": {\n      "green": "1",\n      "blue": "^1.3.0"\n    }\n  }\n}',
      [blue],
    ],
    [
      'the override of a direct dependency refers to it',
      'npm',
      '{"dependencies":{"blue":"^1.3.0"}}',
      '{"dependencies":{"blue":"^1.3.0"},"overrides":{"blue":"$blue"}}',
      [{ ...blue, isDirect: true }],
    ],
  ]
  for (const [title, id, text, expected, overrides] of cases) {
    test(`package.json (${id}): ${title}`, () => {
      assert.deepEqual(override(id, { 'package.json': text }, overrides), ['package.json', expected])
    })
  }

  test('package.json: an override of an unsupported form is a problem, and so is an empty object', () => {
    const nested = '{"overrides":{"blue":{"x":"1"}}}'
    assert.match(String(override('npm', { 'package.json': nested }, [blue])), /blue has a form/)
    assert.match(String(override('npm', { 'package.json': '{"overrides":{}}' }, [blue])), /empty/)
  })

  test('pnpm-workspace.yaml: its overrides come before those of package.json', () => {
    const yaml = 'packages:\n  - a\noverrides:\n  blue: 1.0.0\n  green: "1"\n'
    assert.deepEqual(override('pnpm', { 'package.json': '{"a":1}', 'pnpm-workspace.yaml': yaml }, [blue, red]), [
      'pnpm-workspace.yaml',
      "packages:\n  - a\noverrides:\n  '@x/red': '^2.0.1'\n  blue: '^1.3.0'\n  green: \"1\"\n",
    ])
  })

  test('package.json: that of the workspace root takes the overrides', () => {
    const files = { 'a/package.json': '{"a":1}', 'package.json': '{"b":1}' }
    assert.equal(override('npm', files, [blue])[0], 'package.json')
  })

  test('go.mod: a requirement that the packages of the project do not import', () => {
    const module = { name: 'example.org/blue', to: '1.3.0', isDirect: false }
    assert.deepEqual(override('gomodules', { 'go.mod': 'module a\n' }, [module]), [
      'go.mod',
      'module a\n\nrequire example.org/blue v1.3.0 // indirect\n',
    ])
  })

  describe('pom.xml', () => {
    const managed: Override = { name: 'org.blue:one', to: '1.3.0', isDirect: false }
    const head = '<project>\n  <artifactId>a</artifactId>\n'
    const entry = (indent: string) =>
      `${indent}<dependency>\n${indent}  <groupId>org.blue</groupId>\n${indent}  <artifactId>one</artifactId>\n${indent}  <version>1.3.0</version>\n${indent}</dependency>\n`

    test('a managed version in a new list', () => {
      assert.deepEqual(override('maven', { 'pom.xml': `${head}</project>\n` }, [managed]), [
        'pom.xml',
        `${head}  <dependencyManagement>\n    <dependencies>\n${entry('      ')}    </dependencies>\n  </dependencyManagement>\n</project>\n`,
      ])
    })

    test('a managed version at the end of the existing list', () => {
      const list = (inner: string) =>
        `${head}  <dependencyManagement>\n    <dependencies>\n      <dependency/>\n${inner}    </dependencies>\n  </dependencyManagement>\n</project>\n`
      assert.deepEqual(override('maven', { 'pom.xml': list('') }, [managed]), ['pom.xml', list(entry('      '))])
    })

    test('the topmost parent of the folder takes it, for all modules', () => {
      const parent = '<project><artifactId>top</artifactId></project>'
      const module = '<project><parent><artifactId>top</artifactId></parent><artifactId>b</artifactId></project>'
      assert.equal(override('maven', { 'b/pom.xml': module, 'pom.xml': parent }, [managed])[0], 'pom.xml')
    })
  })
})
