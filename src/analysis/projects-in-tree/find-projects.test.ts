import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ecosystems } from '../ecosystems/index.ts'
import { filesBeside, findProjects, isWanted, layouts, nameProjects } from './find-projects.ts'
import { findNotRead } from './not-read.ts'
import type { Tree, TreeProject } from './tree.ts'

/** Files by path; those whose content does not matter are empty. */
function treeOf(files: Readonly<Record<string, string>>): Tree {
  return {
    paths: new Set(Object.keys(files).filter(isWanted)),
    read: async (paths) => new Map(paths.flatMap((path) => (path in files ? [[path, files[path]!]] : []))),
  }
}

const names = (projects: readonly TreeProject[]) => projects.map(({ ecosystem, path }) => `${ecosystem} ${path}`)
const json = (content: object) => JSON.stringify(content)
const pom = (coordinates: string, more = '') => {
  const [group, artifact, version] = coordinates.split(':')
  return `<project><modelVersion>4.0.0</modelVersion><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${more}</project>`
}
const reference = (tag: string, coordinates: string, more = '') => {
  const [group, artifact, version] = coordinates.split(':')
  return `<${tag}><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${more}</${tag}>`
}

interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly finds: readonly string[]
  /** What is read with some of them, as their folders see it. */
  readonly reads?: Readonly<Record<string, readonly string[]>>
}

const cases: Record<string, Case> = {
  'npm: by folder, with the lock that npm would take': {
    files: { 'package.json': '{}', 'a/package.json': '{}', 'a/package-lock.json': '', 'a/npm-shrinkwrap.json': '' },
    finds: ['npm a/package.json', 'npm package.json'],
    reads: { 'a/package.json': ['npm-shrinkwrap.json'], 'package.json': [] },
  },
  'npm: a lock without a package.json': {
    files: { 'a/package-lock.json': '{}' },
    finds: ['npm a/package-lock.json'],
  },
  'yarn: its lock makes it yarn, unless packageManager says npm': {
    files: {
      'a/package.json': '{}',
      'a/yarn.lock': '',
      'b/package.json': '{}',
      'b/yarn.lock': '',
      'b/package-lock.json': '',
      'c/package.json': json({ packageManager: 'npm@10.0.0' }),
      'c/yarn.lock': '',
      'c/package-lock.json': '',
    },
    finds: ['yarn a/package.json', 'yarn b/package.json', 'npm c/package.json'],
    reads: { 'b/package.json': ['yarn.lock'], 'c/package.json': ['package-lock.json'] },
  },
  'a workspace is one project; what has its own lock, or is not named, is another': {
    files: {
      'package.json': json({ workspaces: { packages: ['packages/*', './tools/**', '!packages/old'] } }),
      'yarn.lock': '',
      'packages/a/package.json': '{}',
      'packages/a/examples/package.json': '{}',
      'packages/old/package.json': '{}',
      'packages/own/package.json': '{}',
      'packages/own/yarn.lock': '',
      'tools/x/y/package.json': '{}',
    },
    finds: [
      'yarn package.json',
      'npm packages/a/examples/package.json',
      'npm packages/old/package.json',
      'yarn packages/own/package.json',
    ],
    reads: { 'package.json': ['packages/a/package.json', 'tools/x/y/package.json', 'yarn.lock'] },
  },
  'a package.json that is none does not hide others': {
    files: { 'package.json': '{', 'a/package.json': '{}' },
    finds: ['npm a/package.json', 'npm package.json'],
  },
  'gems: the lock, else the Gemfile with its gemspecs': {
    files: { Gemfile: '', 'Gemfile.lock': '', 'g/Gemfile': 'gemspec', 'g/x.gemspec': '', 'lib/y.gemspec': '' },
    finds: ['rubygems Gemfile.lock', 'rubygems g/Gemfile'],
    reads: { 'Gemfile.lock': ['Gemfile'], 'g/Gemfile': ['x.gemspec'] },
  },
  'gems: Bundler’s other names, beside the usual ones too': {
    files: {
      'gems.rb': '',
      'gems.locked': '',
      'g/gems.rb': 'gemspec',
      'g/x.gemspec': '',
      'both/Gemfile': '',
      'both/gems.rb': '',
      'both/gems.locked': '',
      'alone/gems.locked': '',
    },
    finds: [
      'rubygems alone/gems.locked',
      'rubygems both/Gemfile',
      'rubygems both/gems.locked',
      'rubygems g/gems.rb',
      'rubygems gems.locked',
    ],
    reads: {
      'gems.locked': ['gems.rb'],
      'g/gems.rb': ['x.gemspec'],
      'both/gems.locked': ['gems.rb'],
      'both/Gemfile': [],
    },
  },
  'pip: lists by their names or in a folder of such, with what they refer to, wherever that is': {
    files: {
      'requirements.txt': '-r requirements/base.txt\n-c ../out.txt\n-c constraints/all.in\n',
      'requirements/base.txt': 'flask\n-r ../more/x.lst\n-r base.txt\n',
      'requirements-dev.txt': '-r missing.txt\n',
      'constraints/all.in': '',
      'more/x.lst': '',
      'notes.txt': '',
    },
    finds: ['pip requirements-dev.txt', 'pip requirements.txt', 'pip requirements/base.txt'],
    reads: {
      'requirements.txt': ['requirements/base.txt', 'constraints/all.in', 'more/x.lst'],
      'requirements/base.txt': ['../more/x.lst'],
      'requirements-dev.txt': [],
    },
  },
  'pip: the nearest file that names a Python': {
    files: {
      'requirements.txt': '',
      'pyproject.toml': '[project]\nrequires-python = ">=3.8"\n',
      'a/requirements/base.txt': '',
      'a/.python-version': 'system\n',
      'a/setup.cfg': '[options]\npython_requires = >=3.6\n',
      'b/requirements.txt': '',
      'b/runtime.txt': 'python-3.9.1\n',
      'b/Pipfile': '[requires]\npython_version = "3.9"\n',
    },
    finds: ['pip a/requirements/base.txt', 'pip b/requirements.txt', 'pip requirements.txt'],
    reads: {
      'requirements.txt': ['pyproject.toml'],
      'a/requirements/base.txt': ['../setup.cfg'],
      'b/requirements.txt': ['runtime.txt'],
    },
  },
  'maven: each POM, with those of the tree that it leans on': {
    files: {
      'pom.xml': pom('g:root:1', '<modules><module>a</module></modules>'),
      'a/pom.xml': `<project><modelVersion>4.0.0</modelVersion>${reference('parent', 'g:root:1')}<artifactId>a</artifactId><dependencies>${reference('dependency', '${project.groupId}:b:1')}</dependencies></project>`,
      'b/pom.xml': pom('g:b:1', `<dependencies>${reference('dependency', 'g:c:1')}</dependencies>`),
      'c/pom.xml': pom('g:c:1'),
      'd/pom.xml': pom(
        'g:d:1',
        `<dependencyManagement><dependencies>${reference('dependency', 'g:bom:1', '<type>pom</type><scope>import</scope>')}${reference('dependency', 'g:c:1')}</dependencies></dependencyManagement>`,
      ),
      'bom/pom.xml': pom('g:bom:1'),
      'broken/pom.xml': '<project>',
    },
    finds: ['a', 'b', 'bom', 'broken', 'c', 'd'].map((folder) => `maven ${folder}/pom.xml`).concat('maven pom.xml'),
    reads: {
      'pom.xml': [],
      'a/pom.xml': ['../pom.xml', '../b/pom.xml', '../c/pom.xml'],
      'd/pom.xml': ['../bom/pom.xml'],
      'broken/pom.xml': [],
    },
  },
  'gradle: each module, with what its build says and what it applies': {
    files: {
      'settings.gradle': '',
      'gradle.properties': '',
      'build.gradle': "apply from: 'gradle/all.gradle'",
      'gradle/all.gradle': 'apply from: "$rootDir/gradle/more.gradle"',
      'gradle/more.gradle': '',
      'gradle/unused.gradle': '',
      'gradle/libs.versions.toml': '',
      'app/build.gradle.kts': 'apply(from = "own.gradle.kts")',
      'app/own.gradle.kts': '',
      'app/gradle.lockfile': '',
      'spring-web/spring-web.gradle': '',
      'other/settings.gradle': '',
      'other/build.gradle': '',
      'buildSrc/build.gradle': '',
    },
    finds: [
      'gradle app/build.gradle.kts',
      'gradle build.gradle',
      'gradle buildSrc/build.gradle',
      'gradle other/build.gradle',
      'gradle spring-web/spring-web.gradle',
    ],
    reads: {
      'app/build.gradle.kts': [
        '../settings.gradle',
        '../gradle/libs.versions.toml',
        '../gradle.properties',
        '../build.gradle',
        'own.gradle.kts',
        '../gradle/all.gradle',
        '../gradle/more.gradle',
        'gradle.lockfile',
      ],
      'other/build.gradle': ['settings.gradle'],
      'buildSrc/build.gradle': [],
    },
  },
  'sbt: a build with all that is below it': {
    files: {
      'build.sbt': '',
      'version.sbt': '',
      'project/plugins.sbt': '',
      'project/Dependencies.scala': '',
      'project/build.properties': '',
      'project/build.sbt': '',
      'core/build.sbt': '',
      'core/src/main/scala/X.scala': '',
      'samples/build.sbt': '',
      'samples/project/build.properties': '',
    },
    finds: ['sbt build.sbt', 'sbt samples/build.sbt'],
    reads: {
      'build.sbt': [
        'project/Dependencies.scala',
        'project/build.properties',
        'project/build.sbt',
        'project/plugins.sbt',
        'version.sbt',
        'core/build.sbt',
      ],
      'samples/build.sbt': ['project/build.properties'],
    },
  },
  'govendor: where it keeps its file': {
    files: { 'vendor/vendor.json': '{}', 'cmd/vendor/vendor.json': '{}', 'public/vendor.json': '{}' },
    finds: ['govendor cmd/vendor/vendor.json', 'govendor vendor/vendor.json'],
  },
}

describe('projects in a tree', () => {
  for (const [what, { files, finds, reads = {} }] of Object.entries(cases)) {
    test(what, async () => {
      const tree = treeOf(files)
      const found = await findProjects(tree)
      assert.deepEqual(names(found), finds)
      for (const [path, expected] of Object.entries(reads)) {
        const project = found.find((each) => each.path === path)!
        assert.deepEqual(
          (await filesBeside(project, tree)).map(({ seen }) => seen),
          expected,
          path,
        )
      }
    })
  }

  test('every ecosystem has a layout', () => {
    const known = layouts.flatMap((layout) => layout.ecosystems)
    assert.deepEqual(known.toSorted(), ecosystems.map(({ id }) => id).sort())
  })

  test('every name that an ecosystem calls its manifest is looked at', () => {
    for (const { manifestName } of ecosystems) {
      const names = [
        'Gemfile.lock',
        'gems.locked',
        'package.json',
        'pom.xml',
        'build.gradle',
        'build.gradle.kts',
        'build.sbt',
      ]
      const fitting = [...names, 'requirements.txt', 'requirements-dev.txt', 'vendor.json'].filter((name) =>
        manifestName.test(name),
      )
      assert.notEqual(fitting.length, 0, manifestName.source)
      for (const name of fitting)
        assert.ok(
          layouts.some((layout) => layout.isWanted(`vendor/${name}`)),
          name,
        )
    }
  })

  test('files that were asked for stand for projects, or it is said why not', async () => {
    const tree = treeOf({
      'package.json': json({ workspaces: ['a'] }),
      'package-lock.json': '{}',
      'a/package.json': '{}',
      'b/package.json': '{}',
      'odd/prod-packages.txt': '',
      'README.gemspec': '',
    })
    const withNamed: Tree = { ...tree, paths: new Set([...tree.paths, 'odd/prod-packages.txt']) }
    const found = await findProjects(withNamed)
    const files = [
      'a/package.json',
      'package-lock.json',
      'package.json',
      'b/package.json',
      'odd/prod-packages.txt',
      'README.gemspec',
      'c/pom.xml',
    ]
    assert.deepEqual(
      nameProjects(found, files, withNamed).map((each) =>
        'project' in each ? `${each.project.ecosystem} ${each.project.path}` : `${each.path}: ${each.problem}`,
      ),
      [
        'npm package.json',
        'npm b/package.json',
        'pip odd/prod-packages.txt',
        'README.gemspec: Files of this name are not manifests that are read here',
        'c/pom.xml: There is no such file at this commit',
      ],
    )
  })

  test('a lock that cannot be read is known with what it locks', async () => {
    const tree = treeOf({
      'package.json': '{}',
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': '',
      'apps/web/package.json': '{}',
      'apps/own/package.json': '{}',
      'apps/own/yarn.lock': '',
      'apps/own/bun.lockb': '',
      'elsewhere/bun.lock': '',
      'elsewhere/package.json': '{}',
      'elsewhere/deeper/package.json': '{}',
    })
    const alone = treeOf({ 'package.json': '{}', 'pnpm-lock.yaml': '', 'tools/package.json': '{}' })
    const locksIn = async (each: Tree) =>
      (await findProjects(each)).map(({ ecosystem, path, unreadLocks = [] }) => [ecosystem, path, ...unreadLocks])
    assert.deepEqual(await locksIn(tree), [
      ['yarn', 'apps/own/package.json', 'apps/own/bun.lockb'],
      ['npm', 'apps/web/package.json', 'pnpm-lock.yaml'],
      ['npm', 'elsewhere/deeper/package.json', 'pnpm-lock.yaml'],
      ['npm', 'elsewhere/package.json', 'elsewhere/bun.lock'],
      ['npm', 'package.json', 'pnpm-lock.yaml'],
    ])
    assert.deepEqual(await locksIn(alone), [
      ['npm', 'package.json', 'pnpm-lock.yaml'],
      ['npm', 'tools/package.json'],
    ])
  })

  test('what is for other package managers is told of, once for each folder and manager', async () => {
    const tree = treeOf({
      'Cargo.toml': '',
      'Cargo.lock': '',
      'go.mod': '',
      'package.json': '{}',
      'src/App/App.csproj': '',
      'src/App/packages.lock.json': '',
      'listed/requirements.txt': '',
      'listed/pyproject.toml': '',
      'tools/pyproject.toml': '',
      'tools/setup.py': '',
      'locked/pyproject.toml': '',
      'locked/poetry.lock': '',
      'README.md': '',
    })
    const told = findNotRead(tree, await findProjects(tree))
    assert.deepEqual(
      told.map(({ path, manager }) => `${path} ${manager}`),
      [
        'Cargo.lock Cargo',
        'go.mod Go modules',
        'locked/poetry.lock Poetry',
        'src/App/App.csproj NuGet',
        'tools/pyproject.toml Python',
      ],
    )
  })
})
