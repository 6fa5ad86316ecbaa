import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeOf } from '#test/repositories/manifest-trees.ts'
import { findProjects } from './find-projects.ts'
import { splitInstalled } from './installed-folders.ts'

const LOCK = 'GEM\n  specs:\n\nDEPENDENCIES\n'
const POM = '<project><modelVersion>4.0.0</modelVersion></project>'

describe('folders of installed packages', () => {
  const installed: [why: string, folder: string, files: Record<string, string>][] = [
    ['npm', 'web/node_modules', { 'web/node_modules/a/node_modules/b/package.json': '{}' }],
    ['Python by its name', '.venv', { '.venv/lib/python3.9/site-packages/a/requirements.txt': 'a==1' }],
    ['Python by its settings', 'my-env', { 'my-env/pyvenv.cfg': '', 'my-env/share/requirements.txt': 'a==1' }],
    ['Python without an environment', 'lib/site-packages', { 'lib/site-packages/a/requirements.txt': 'a==1' }],
    ['Bundler', 'vendor/bundle', { 'vendor/bundle/ruby/3.0.0/gems/a-1.0/Gemfile.lock': LOCK }],
    ['Bundler elsewhere', 'gems/ruby/3.0.0/gems', { 'gems/ruby/3.0.0/gems/a-1.0/Gemfile.lock': LOCK }],
    ['classes of Maven', 'target', { 'target/classes/META-INF/maven/g/a/pom.xml': POM }],
    ['output beside a pom.xml', 'a/target', { 'a/pom.xml': POM, 'a/target/checkout/pom.xml': POM }],
    ['output beside a Cargo.toml', 'target', { 'Cargo.toml': '', 'target/package/a-1.0.0/package.json': '{}' }],
    [
      'vendored modules of Go',
      'vendor',
      { 'go.mod': 'module a\n', 'vendor/modules.txt': '', 'vendor/b.example/c/package.json': '{}' },
    ],
    ['CocoaPods', 'ios/Pods', { 'ios/Pods/A/package.json': '{}' }],
  ]
  for (const [why, folder, files] of installed) {
    test(`${why}: the folder ${folder} is named, its files are no projects`, async () => {
      const { own, installed: folders } = splitInstalled(treeOf({ 'package.json': '{}', ...files }))
      assert.deepEqual(folders, [folder])
      const projects = await findProjects(own)
      assert.deepEqual(
        projects.filter(({ path }) => path.startsWith(`${folder}/`)),
        [],
      )
      assert.ok(projects.some(({ path }) => path === 'package.json'))
    })
  }

  test('folders of the same names with sources: their projects are found', async () => {
    const tree = treeOf({
      'target/package.json': '{}',
      'vendor/package.json': '{}',
      'env/requirements.txt': 'a==1',
      'bundle/Gemfile.lock': LOCK,
      'old/vendor/vendor.json': '{"package":[]}',
      'lone/vendor/modules.txt': '# b.example/c v1.0.0\n## explicit\nb.example/c\n',
    })
    const { own, installed: folders } = splitInstalled(tree)
    assert.deepEqual(folders, [])
    assert.deepEqual(
      (await findProjects(own)).map(({ path }) => path),
      [...tree.paths].sort(),
    )
  })
})
