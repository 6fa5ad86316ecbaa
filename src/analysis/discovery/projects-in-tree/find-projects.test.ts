import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileLists } from '#analysis/ecosystems/file-lists.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { treeOf } from '#test/repositories/manifest-trees.ts'
import { filesBeside, findProjects, layouts, nameProjects } from './find-projects.ts'
import type { Tree, TreeProject } from './tree.ts'

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
  /** Files read with some projects, relative to their folders. */
  readonly reads?: Readonly<Record<string, readonly string[]>>
}

const cases: Record<string, Case> = {
  'npm: one per folder, with the lock that npm uses': {
    files: { 'package.json': '{}', 'a/package.json': '{}', 'a/package-lock.json': '', 'a/npm-shrinkwrap.json': '' },
    finds: ['npm a/package.json', 'npm package.json'],
    reads: { 'a/package.json': ['npm-shrinkwrap.json'], 'package.json': [] },
  },
  'npm: a lock without a package.json': {
    files: { 'a/package-lock.json': '{}' },
    finds: ['npm a/package-lock.json'],
  },
  'cargo: the members of a lock, and a manifest below it that is none': {
    files: {
      'Cargo.lock':
        'version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\ndependencies = [\n "b",\n]\n\n[[package]]\nname = "b"\nversion = "1.0.0"\n',
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
      'a/Cargo.toml': '[package]\nauthors = ["Author"]\nname = "a"\nversion = "1.0.0"\n',
      'b/Cargo.toml': '[package]\nname = "b"\nversion = "1.0.0"\n',
      'b/fuzz/Cargo.toml': '[package]\nname = "b-fuzz"\nversion = "0.0.0"\n\n[workspace]\n',
    },
    finds: ['cargo Cargo.lock', 'cargo b/fuzz/Cargo.toml'],
    reads: { 'Cargo.lock': ['Cargo.toml', 'a/Cargo.toml', 'b/Cargo.toml'] },
  },
  'haskell: each lock of Stack with its own configuration, and those without a lock': {
    files: {
      'stack.yaml': 'resolver: lts-23.1\n',
      'stack.yaml.lock': 'packages: []\nsnapshots: []\n',
      'stack-next.yaml': 'snapshot: nightly-2026-01-01\n',
      'app/app.cabal': 'cabal-version: 3.0\n',
      'tool/cabal.project.freeze': 'constraints: any.base ==4.14.3.0\n',
      'tool/cabal.project': 'packages: .\n',
    },
    finds: ['haskell stack-next.yaml', 'haskell stack.yaml.lock', 'haskell tool/cabal.project.freeze'],
    reads: { 'stack.yaml.lock': ['stack.yaml'], 'tool/cabal.project.freeze': [] },
  },
  'githubactions: workflows and composite actions that use something': {
    files: {
      '.github/workflows/ci.yml': 'on: push\njobs:\n  a:\n    steps:\n      - uses: a/b@v1\n',
      '.github/workflows/run.yaml': 'on: push\njobs:\n  a:\n    steps:\n      - run: make\n',
      '.github/dependabot.yml': 'version: 2\n# uses: a/b@v1\n',
      'action.yml': 'runs:\n  using: node20\n',
      'setup/action.yaml': 'runs:\n  using: composite\n  steps:\n    - uses: a/b@v1\n',
    },
    finds: ['githubactions .github/workflows/ci.yml', 'githubactions setup/action.yaml'],
    reads: { '.github/workflows/ci.yml': [] },
  },
  'yarn: a yarn.lock selects Yarn unless packageManager is npm': {
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
  'pnpm: the only lock of a git branch is the lock of its package.json': {
    files: {
      'package.json': '{}',
      'pnpm-lock.feature!1.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - a\n',
      'a/package.json': '{}',
      'b/pnpm-lock.main.yaml': '',
    },
    finds: ['pnpm b/pnpm-lock.main.yaml', 'pnpm package.json'],
    reads: {
      'package.json': ['a/package.json', 'pnpm-lock.feature!1.yaml', 'pnpm-workspace.yaml'],
      'b/pnpm-lock.main.yaml': [],
    },
  },
  'pnpm: locks of git branches beside another are projects with the same manifests': {
    files: {
      'package.json': '{}',
      'pnpm-lock.yaml': '',
      'pnpm-lock.v1.2.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - a\n  - c\n',
      'a/package.json': '{}',
      'b/package.json': '{}',
      'b/pnpm-lock.main.yaml': '',
      'b/pnpm-lock.feature.yaml': '',
      'c/package.json': '{}',
      'c/pnpm-lock.main.yaml': '',
    },
    finds: [
      'pnpm b/package.json',
      'pnpm b/pnpm-lock.main.yaml',
      'pnpm c/package.json',
      'pnpm package.json',
      'pnpm pnpm-lock.v1.2.yaml',
    ],
    reads: {
      'package.json': ['a/package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
      'pnpm-lock.v1.2.yaml': ['package.json', 'a/package.json', 'pnpm-workspace.yaml'],
      'b/package.json': ['pnpm-lock.feature.yaml'],
      'b/pnpm-lock.main.yaml': ['package.json'],
      'c/package.json': ['pnpm-lock.main.yaml', '../pnpm-workspace.yaml', '../package.json'],
    },
  },
  'pnpm: a lock of version 13 lists the members of a workspace without patterns': {
    files: {
      'package.json': '{}',
      'pnpm-lock.yaml':
        '{\n\t"lockfileVersion": "13.0",\n\n\t"projects": {\n\t\t".": {},\n\n\t\t"a": {\n\t\t\t"name": "x",\n\t\t},\n\t},\n}\n',
      'pnpm-workspace.yaml': 'trustPolicy: no-downgrade\n',
      'a/package.json': '{}',
      'b/package.json': '{}',
    },
    finds: ['npm b/package.json', 'pnpm package.json'],
  },
  'pnpm: locks of git branches are no projects where packageManager names another tool': {
    files: {
      'package.json': json({ packageManager: 'yarn@4.0.0' }),
      'yarn.lock': '',
      'pnpm-lock.main.yaml': '',
      'pnpm-lock.old.yaml': '',
    },
    finds: ['yarn package.json'],
    reads: { 'package.json': ['yarn.lock'] },
  },
  'a workspace is one project; folders with their own lock or outside its patterns are others': {
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
  'an invalid package.json does not hide others': {
    files: { 'package.json': '{', 'a/package.json': '{}' },
    finds: ['npm a/package.json', 'npm package.json'],
  },
  'gems: the lock, or else the Gemfile with its gemspecs': {
    files: { Gemfile: '', 'Gemfile.lock': '', 'g/Gemfile': 'gemspec', 'g/x.gemspec': '', 'lib/y.gemspec': '' },
    finds: ['rubygems Gemfile.lock', 'rubygems g/Gemfile', 'rubygems lib/y.gemspec'],
    reads: { 'Gemfile.lock': ['Gemfile'], 'g/Gemfile': ['x.gemspec'] },
  },
  'gems: locks of Gemfiles with other names, and such Gemfiles that no other evaluates': {
    files: {
      Gemfile: "eval_gemfile 'Gemfile.local'\n",
      'Gemfile.lock': '',
      'Gemfile.next.lock': '',
      'Gemfile.local': "gem 'a'\n",
      'Gemfile-notes.md': 'text\n',
      'gemfiles/rails_6.gemfile': "gem 'rails'\n",
      'gemfiles/rails_6.gemfile.lock': '',
      'gemfiles/rails_7.gemfile': "gem 'rails'\n",
      'next/Gemfile.next': "gem 'a'\n",
      'next/Gemfile.next.lock': '',
    },
    finds: [
      'rubygems Gemfile.lock',
      'rubygems Gemfile.next.lock',
      'rubygems gemfiles/rails_6.gemfile.lock',
      'rubygems gemfiles/rails_7.gemfile',
      'rubygems next/Gemfile.next.lock',
    ],
    reads: {
      'Gemfile.next.lock': ['Gemfile'],
      'gemfiles/rails_6.gemfile.lock': ['rails_6.gemfile'],
      'next/Gemfile.next.lock': ['Gemfile.next'],
    },
  },
  'gems: gemspecs in folders without a Gemfile, unless a lock above has them': {
    files: {
      'Gemfile.lock': 'PATH\n  remote: core\n  specs:\n    core (1.0)\n      a (>= 1)\n\nGEM\n  specs:\n    a (1.0)\n',
      'core/core.gemspec': '',
      'a/a.gemspec': '',
      'a/b.gemspec': '',
    },
    finds: ['rubygems Gemfile.lock', 'rubygems a/a.gemspec'],
    reads: { 'a/a.gemspec': ['b.gemspec'] },
  },
  'gems: gems.rb and gems.locked, also beside a Gemfile': {
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
  'pip: requirements files by name or folder, with the files that they refer to': {
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
  'pip: names with the word requirements, or another word for it, whose content is a list': {
    files: {
      ...Object.fromEntries(
        [
          'dev-requirements.txt',
          'dev_requirements.txt',
          'prod.requirements.txt',
          'requirements37.txt',
          'requirements-lock.txt',
          'requirements.pip',
          'a/requirements.in',
          'b/requirements.lock',
          'c/requirements/base.in',
          'd/reqs/base.txt',
          'd/test-deps.txt',
          'packages.txt',
        ].map((path) => [path, 'a==1.0\n']),
      ),
      'Software Requirements.txt': 'The system shall\nbe fast.\n',
      'words.txt': 'one\ntwo\n',
      'notes.txt': 'a==1.0\nsome prose\n',
      'req/log.txt': 'started\nended\n',
      'deep/packages.txt': 'a==1.0\n',
      'helm/requirements.lock': 'dependencies:\n- name: a\n  version: 1.0.0\n',
      'requirements-constraints.in': 'a<2\n',
      'a.egg-info/requires.txt': 'a==1.0\n',
    },
    finds: [
      'pip a/requirements.in',
      'pip b/requirements.lock',
      'pip c/requirements/base.in',
      'pip d/reqs/base.txt',
      'pip d/test-deps.txt',
      'pip dev-requirements.txt',
      'pip dev_requirements.txt',
      'pip packages.txt',
      'pip prod.requirements.txt',
      'pip requirements-lock.txt',
      'pip requirements.pip',
      'pip requirements37.txt',
    ],
  },
  'pip: a source belongs to the list that was compiled from it; included lists belong to the including one': {
    files: {
      'requirements.in': 'a\n',
      'requirements.txt': 'a==1.0\n',
      'requirements/dev.in': '-c ../requirements.txt\nb\n',
      'requirements/dev.pip': 'b==1.0\n',
      'lock/requirements-linux.txt':
        '# uv pip compile lock/source-requirements.in -o lock/requirements-linux.txt\na==1.0\n',
      'lock/source-requirements.in': 'a\n',
      'old/main-requirements.in': 'a\n',
      'old/pinned-requirements.txt':
        '#    pip-compile --output-file=pinned-requirements.txt main-requirements.in\na==1.0\n',
      'all-requirements.txt': '-r reqs/base.txt\n-c pins.txt\nc==1.0\n',
      'reqs/base.txt': 'a==1.0\n',
      'pins.txt': 'a==1.0\n',
      'tools/requirements.in': 'tool==1.0\n',
    },
    finds: [
      'pip all-requirements.txt',
      'pip lock/requirements-linux.txt',
      'pip old/pinned-requirements.txt',
      'pip requirements.txt',
      'pip requirements/dev.pip',
      'pip tools/requirements.in',
    ],
    reads: { 'all-requirements.txt': ['reqs/base.txt', 'pins.txt'], 'requirements.txt': [] },
  },
  'pip: the nearest file that names a Python version': {
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
  'poetry: the lock with its pyproject.toml, and the nearest file that names a Python version': {
    files: {
      '.python-version': '3.11\n',
      'poetry.lock': '',
      'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.10"\n',
      'a/poetry.lock': '',
    },
    finds: ['poetry a/poetry.lock', 'poetry poetry.lock'],
    reads: { 'poetry.lock': ['pyproject.toml', '.python-version'], 'a/poetry.lock': ['../.python-version'] },
  },
  'uv: the lock with the manifests of its workspace; other manifests are projects': {
    files: {
      'uv.lock':
        'source = { virtual = "." }\nsource = { editable = "packages/a" }\nsource = { editable = "../outside" }\n',
      'pyproject.toml': '[project]\ndependencies = ["a"]\n',
      'packages/a/pyproject.toml': '[project]\ndependencies = ["b"]\n',
      'other/pyproject.toml': '[project]\ndependencies = ["b"]\n',
      'tools/pyproject.toml': '[tool.black]\nline-length = 100\n',
      'empty/pyproject.toml': '[project]\nname = "e"\ndependencies = []\n',
      'open/pyproject.toml': '[project]\nname = "o"\ndynamic = ["dependencies"]\n',
      'broken/pyproject.toml': '[project]\ndependencies = ["b',
    },
    finds: [
      'pyproject broken/pyproject.toml',
      'pyproject empty/pyproject.toml',
      'pyproject other/pyproject.toml',
      'uv uv.lock',
    ],
    reads: { 'uv.lock': ['pyproject.toml', 'packages/a/pyproject.toml'], 'other/pyproject.toml': [] },
  },
  'uv: the locks of scripts; files of that name that are no lock are not': {
    files: {
      'a.py': '',
      'a.py.lock': 'version = 1\n\n[manifest]\nrequirements = [{ name = "b" }]\n',
      'bin/process.py.lock': '4711\n',
      'bin/empty.py.lock': '',
    },
    finds: ['uv a.py.lock'],
    reads: { 'a.py.lock': [] },
  },
  'pipenv: the lock with its Pipfile, or a Pipfile alone': {
    files: {
      'Pipfile.lock': '{}',
      Pipfile: '',
      'a/Pipfile': '[packages]\na = "*"\n',
      'b/Pipfile.lock': '{}',
      'b/runtime.txt': 'python-3.9.1\n',
    },
    finds: ['pipenv Pipfile.lock', 'pipenv a/Pipfile', 'pipenv b/Pipfile.lock'],
    reads: { 'Pipfile.lock': ['Pipfile'], 'b/Pipfile.lock': ['runtime.txt'] },
  },
  'pylock.toml: with its manifest; under other names alone': {
    files: {
      'pylock.toml': '',
      'pylock.dev.toml': '',
      'pyproject.toml': '[dependency-groups]\ndev = ["a"]\n',
    },
    finds: ['pyproject pylock.dev.toml', 'pyproject pylock.toml'],
    reads: { 'pylock.toml': ['pyproject.toml'], 'pylock.dev.toml': [] },
  },
  'maven: each POM, with the POMs in the tree that it depends on': {
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
  'maven: modules and parents in files of other names': {
    files: {
      'pom.xml': `<project><modelVersion>4.0.0</modelVersion>${reference('parent', 'g:parent:1', '<relativePath>build/parent.xml</relativePath>')}<artifactId>root</artifactId><packaging>pom</packaging><modules><module>a/other.xml</module><module>lost/gone.xml</module><module>b</module></modules></project>`,
      'a/other.xml': pom('g:a:1', '<modules><module>../c/third.xml</module></modules>'),
      'b/pom.xml': pom('g:b:1', `<dependencies>${reference('dependency', 'g:a:1')}</dependencies>`),
      'build/parent.xml': pom('g:parent:1'),
      'build/unrelated.xml': pom('g:unrelated:1'),
      'c/third.xml': '<project>',
    },
    finds: ['maven a/other.xml', 'maven b/pom.xml', 'maven c/third.xml', 'maven pom.xml'],
    reads: { 'pom.xml': ['build/parent.xml'], 'b/pom.xml': ['../a/other.xml'], 'a/other.xml': [] },
  },
  'maven: the nearest folder .mvn': {
    files: {
      'pom.xml': pom('g:root:1'),
      '.mvn/maven.config': '-Pp',
      '.mvn/jvm.config': '-Dx=1',
      '.mvn/wrapper/maven-wrapper.properties': '',
      'a/pom.xml': pom('g:a:1'),
      'b/pom.xml': pom('g:b:1'),
      'b/.mvn/extensions.xml': '<extensions/>',
    },
    finds: ['maven a/pom.xml', 'maven b/pom.xml', 'maven pom.xml'],
    reads: {
      'pom.xml': ['.mvn/jvm.config', '.mvn/maven.config'],
      'a/pom.xml': ['../.mvn/jvm.config', '../.mvn/maven.config'],
      'b/pom.xml': ['.mvn/extensions.xml'],
    },
  },
  'gradle: each module, with the files of its build and the applied scripts': {
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
      'app/gradle/dependency-locks/compileClasspath.lockfile': '',
      'other/gradle/dependency-locks/compileClasspath.lockfile': '',
      'other/gradle/dependency-locks/testCompileClasspath.lockfile': '',
      'other/gradle/dependency-locks/buildscript-classpath.lockfile': '',
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
      'gradle other/gradle/dependency-locks/buildscript-classpath.lockfile',
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
      'other/build.gradle': [
        'settings.gradle',
        'gradle/dependency-locks/compileClasspath.lockfile',
        'gradle/dependency-locks/testCompileClasspath.lockfile',
      ],
      'buildSrc/build.gradle': [],
    },
  },
  'sbt: a build with all files below it': {
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
  'gradle: the catalogs of other folders that the settings name': {
    files: {
      'settings.gradle.kts': 'includeBuild("plugin")',
      'build.gradle.kts': '',
      'gradle/libs.versions.toml': '',
      'gradle/tools.versions.toml': '',
      'plugin/settings.gradle.kts':
        'dependencyResolutionManagement { versionCatalogs { create("libs") { from(files("../gradle/libs.versions.toml", "../../x.versions.toml")) } } }',
      'plugin/build.gradle.kts': '',
      'plugin/lib/build.gradle.kts': '',
    },
    finds: ['gradle build.gradle.kts', 'gradle plugin/build.gradle.kts', 'gradle plugin/lib/build.gradle.kts'],
    reads: {
      'plugin/build.gradle.kts': ['settings.gradle.kts', '../gradle/libs.versions.toml'],
      'plugin/lib/build.gradle.kts': [
        '../settings.gradle.kts',
        '../../gradle/libs.versions.toml',
        '../build.gradle.kts',
      ],
    },
  },
  'gradle: locks and catalogs without a build script': {
    files: {
      'locked/gradle.lockfile': '',
      'locked/buildscript-gradle.lockfile': '',
      'catalog/gradle/libs.versions.toml': '',
      'built/build.gradle': '',
      'built/gradle.lockfile': '',
      'built/buildscript-gradle.lockfile': '',
      'built/settings-gradle.lockfile': '',
      'built/gradle/libs.versions.toml': '',
      'modules/gradle/libs.versions.toml': '',
      'modules/a/build.gradle': '',
    },
    finds: [
      'gradle built/build.gradle',
      'gradle built/buildscript-gradle.lockfile',
      'gradle built/settings-gradle.lockfile',
      'gradle catalog/gradle/libs.versions.toml',
      'gradle locked/buildscript-gradle.lockfile',
      'gradle locked/gradle.lockfile',
      'gradle modules/a/build.gradle',
    ],
    reads: {
      'catalog/gradle/libs.versions.toml': [],
      'built/settings-gradle.lockfile': [],
      'locked/gradle.lockfile': [],
      'built/buildscript-gradle.lockfile': [],
    },
  },
  'Go modules: each with its sums, its workspace and the folders that replace modules': {
    files: {
      'go.work': 'go 1.22\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/d => ./d\n',
      'go.work.sum': '',
      'a/go.mod': 'module example.com/a\n\nreplace example.com/c => ../c\n',
      'a/go.sum': '',
      'b/go.mod': 'module example.com/b\n',
      'c/go.mod': 'module example.com/c\n',
      'd/go.mod': 'module example.com/d\n',
      'a/testdata/go.mod': 'module example.com/data\n',
      'a/vendor/example.com/x/go.mod': 'module example.com/x\n',
      'cut/go.mod': 'require (',
      'c/vendor/modules.txt': '',
      'bare/vendor/modules.txt': '',
      'vendor/modules.txt': '',
      'a/vendor/example.com/x/vendor/modules.txt': '',
    },
    finds: [
      'gomodules a/go.mod',
      'gomodules b/go.mod',
      'gomodules bare/vendor/modules.txt',
      'gomodules c/go.mod',
      'gomodules cut/go.mod',
      'gomodules d/go.mod',
      'gomodules vendor/modules.txt',
    ],
    reads: {
      'bare/vendor/modules.txt': [],
      'vendor/modules.txt': [
        '../go.work',
        '../go.work.sum',
        '../a/go.mod',
        '../b/go.mod',
        '../d/go.mod',
        '../c/go.mod',
      ],
      'a/go.mod': ['go.sum', '../go.work', '../go.work.sum', '../b/go.mod', '../c/go.mod', '../d/go.mod'],
      'c/go.mod': ['vendor/modules.txt'],
      'cut/go.mod': [],
    },
  },
  'bills of materials: by name and content, not reports of tests': {
    files: {
      'bom.json': json({ bomFormat: 'CycloneDX', specVersion: '1.6', components: [] }),
      'a/bom.json': json({ components: [] }),
      'a/gatehouse.cdx.json': json({
        bomFormat: 'CycloneDX',
        specVersion: '1.6',
        metadata: { tools: { components: [{ type: 'application', name: 'gatehouse' }] }, properties: [] },
      }),
      'b/stored.cdx.json': json({
        bomFormat: 'CycloneDX',
        specVersion: '1.4',
        metadata: { tools: [{ name: 'gatehouse' }], properties: [{ name: 'gatehouse:projectId', value: 'id' }] },
      }),
      'c/scanned-gatehouse.cdx.json': json({
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        metadata: { tools: [{ name: 'other' }], component: { name: 'gatehouse' } },
      }),
      'd/x.spdx': 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nDocumentName: "gatehouse"\n',
    },
    finds: ['sbom b/stored.cdx.json', 'sbom bom.json', 'sbom c/scanned-gatehouse.cdx.json', 'sbom d/x.spdx'],
  },
  'govendor: vendor.json in its folder': {
    files: { 'vendor/vendor.json': '{}', 'cmd/vendor/vendor.json': '{}', 'public/vendor.json': '{}' },
    finds: ['govendor cmd/vendor/vendor.json', 'govendor vendor/vendor.json'],
  },
  'projects of .NET: each with its lock, packages.config or restored assets, and what MSBuild imports from above': {
    files: {
      'Directory.Build.props': '<Project><Import Project="build/common.props" /></Project>',
      'Directory.Packages.props': '<Project />',
      'build/common.props': '<Project />',
      'src/Directory.Build.props': '<Project />',
      'src/App/App.csproj': '<Project><PackageReference Include="A" /></Project>',
      'src/App/packages.lock.json': '{}',
      'src/Old/Old.vbproj': '<Project><Import Project="..\\old.targets" /></Project>',
      'src/old.targets': '<Project />',
      'src/Old/packages.config': '<packages />',
      'src/Built/Built.fsproj': '<Project><PackageReference Include="A" /></Project>',
      'src/Built/obj/project.assets.json': '{}',
      'src/Two/One.csproj': '<Project><PackageReference Include="A" /></Project>',
      'src/Two/Other One.csproj': '<Project><PackageReference Include="A" /></Project>',
      'src/Two/packages.Other_One.lock.json': '{}',
      'src/Empty/Empty.csproj': '<Project />',
      'other/Shared/Directory.Build.props': '<Project><PackageReference Include="A" /></Project>',
      'other/Shared/In/In.csproj': '<Project />',
    },
    finds: [
      'nuget other/Shared/In/In.csproj',
      'nuget src/App/packages.lock.json',
      'nuget src/Built/obj/project.assets.json',
      'nuget src/Old/packages.config',
      'nuget src/Two/One.csproj',
      'nuget src/Two/packages.Other_One.lock.json',
    ],
    reads: {
      'src/App/packages.lock.json': [
        'App.csproj',
        '../Directory.Build.props',
        '../../Directory.Packages.props',
        '../../Directory.Build.props',
        '../../build/common.props',
      ],
      'src/Old/packages.config': [
        'Old.vbproj',
        '../Directory.Build.props',
        '../../Directory.Packages.props',
        '../../Directory.Build.props',
        '../old.targets',
        '../../build/common.props',
      ],
    },
  },
}

describe('projects in a tree', () => {
  for (const [what, { files, finds, reads = {} }] of Object.entries(cases)) {
    test(`projects found: ${what}`, async () => {
      const tree = treeOf(files)
      const projects = await findProjects(tree)
      assert.deepEqual(names(projects), finds)
      for (const [path, expected] of Object.entries(reads)) {
        const project = projects.find((project) => project.path === path)!
        assert.deepEqual(
          (await filesBeside(project, tree)).map(({ seen }) => seen),
          expected,
          path,
        )
      }
    })
  }

  test('every ecosystem has a layout', () => {
    const layoutEcosystems = layouts.flatMap((layout) => layout.ecosystems)
    assert.deepEqual(layoutEcosystems.toSorted(), ecosystems.map(({ id }) => id).sort())
  })

  test('every manifest name of an ecosystem is requested by a layout', () => {
    for (const { manifestName } of ecosystems) {
      const names = [
        'Gemfile.lock',
        'gems.locked',
        'package.json',
        'pom.xml',
        'build.gradle',
        'build.gradle.kts',
        'build.sbt',
        'go.mod',
        'bom.json',
        'shop.spdx.json',
      ]
      const fitting = [
        ...names,
        'poetry.lock',
        'uv.lock',
        'Pipfile.lock',
        'pylock.toml',
        'requirements.txt',
        'requirements-dev.txt',
        'vendor.json',
        ...fileLists.flatMap(({ kinds }) => kinds.map(({ id }) => id)),
        'Cargo.lock',
        'composer.lock',
        'conan.lock',
        'stack.yaml.lock',
        'cabal.project.freeze',
        'renv.lock',
      ].filter((name) => manifestName.test(name))
      assert.notEqual(fitting.length, 0, manifestName.source)
      for (const name of fitting)
        assert.ok(
          layouts.some((layout) => layout.isWanted(`vendor/${name}`)),
          name,
        )
    }
  })

  test('requested files become projects or are refused with a reason', async () => {
    const tree = treeOf({
      'package.json': json({ workspaces: ['a'] }),
      'package-lock.json': '{}',
      'a/package.json': '{}',
      'b/package.json': '{}',
      'odd/prod-packages.txt': '',
      'go.work.sum': '',
    })
    const withNamed: Tree = { ...tree, paths: new Set([...tree.paths, 'odd/prod-packages.txt']) }
    const projects = await findProjects(withNamed)
    const files = [
      'a/package.json',
      'package-lock.json',
      'package.json',
      'b/package.json',
      'odd/prod-packages.txt',
      'go.work.sum',
      'c/pom.xml',
    ]
    assert.deepEqual(
      nameProjects(projects, files, withNamed).map((project) =>
        'project' in project
          ? `${project.project.ecosystem} ${project.project.path}`
          : `${project.path}: ${project.problem}`,
      ),
      [
        'npm a/package.json',
        'npm package.json',
        'npm b/package.json',
        'pip odd/prod-packages.txt',
        'go.work.sum: Files of this name are not manifests that are read here',
        'c/pom.xml: The commit has no such file',
      ],
    )
  })

  test('a lock that is not followed is listed with its project, whatever tool packageManager names', async () => {
    const tree = treeOf({
      'package.json': '{}',
      'deno.lock': '',
      'apps/own/package.json': '{}',
      'apps/own/yarn.lock': '',
      'apps/own/bun.lockb': '',
      'elsewhere/bun.lock': '',
      'elsewhere/bun.lockb': '',
      'elsewhere/package.json': '{}',
    })
    const several = treeOf({
      'package.json': '{}',
      'package-lock.json': '{}',
      'pnpm-lock.yaml': '',
      'named/package.json': '{"packageManager":"npm@11.0.0"}',
      'named/package-lock.json': '{}',
      'named/pnpm-lock.yaml': '',
      'older/package-lock.json': '{}',
      'older/yarn.lock': '',
      'twice/npm-shrinkwrap.json': '{}',
      'twice/package-lock.json': '{}',
      'branch/pnpm-lock.yaml': '',
      'branch/pnpm-lock.main.yaml': '',
    })
    const locksIn = async (tree: Tree) =>
      (await findProjects(tree)).map(({ ecosystem, path, unreadLocks = [] }) => [ecosystem, path, ...unreadLocks])
    assert.deepEqual(await locksIn(tree), [
      ['yarn', 'apps/own/package.json', 'apps/own/bun.lockb'],
      ['bun', 'elsewhere/package.json'],
      ['npm', 'package.json', 'deno.lock'],
    ])
    assert.deepEqual(await locksIn(several), [
      ['pnpm', 'branch/pnpm-lock.main.yaml'],
      ['pnpm', 'branch/pnpm-lock.yaml'],
      ['npm', 'named/package.json', 'named/pnpm-lock.yaml'],
      ['yarn', 'older/yarn.lock', 'older/package-lock.json'],
      ['pnpm', 'package.json', 'package-lock.json'],
      ['npm', 'twice/npm-shrinkwrap.json', 'twice/package-lock.json'],
    ])
  })

  describe('pnpm workspaces', () => {
    const lock =
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\n  apps/web:\n    dependencies: {}\n\n  'libs/a b': {}\n\npackages: {}\n"
    const files = {
      'pnpm-lock.yaml': lock,
      'apps/web/package.json': '{}',
      'apps/old/package.json': '{}',
      'libs/a b/package.json': '{}',
      'libs/own/package.json': '{}',
      'libs/own/pnpm-lock.yaml': '',
    }
    const cases: [why: string, files: Record<string, string>, projects: string[][]][] = [
      [
        'with the folders of its settings, exclusions having precedence',
        { ...files, 'package.json': '{}', 'pnpm-workspace.yaml': "packages: ['!apps/old', 'apps/*', '.']\n" },
        [
          ['npm', 'apps/old/package.json'],
          ['npm', 'libs/a b/package.json'],
          ['pnpm', 'libs/own/package.json', 'libs/own/pnpm-lock.yaml'],
          ['pnpm', 'package.json', 'pnpm-lock.yaml', 'apps/web/package.json', 'pnpm-workspace.yaml'],
        ],
      ],
      [
        'with the projects of its lock if the settings name no folders',
        { ...files, 'package.json': '{"workspaces":["libs/*"]}', 'pnpm-workspace.yaml': 'overrides:\n  a: 1.0.0\n' },
        [
          ['npm', 'apps/old/package.json'],
          ['pnpm', 'libs/own/package.json', 'libs/own/pnpm-lock.yaml'],
          [
            'pnpm',
            'package.json',
            'pnpm-lock.yaml',
            'apps/web/package.json',
            'libs/a b/package.json',
            'pnpm-workspace.yaml',
          ],
        ],
      ],
      [
        'recognized by its lock without a package.json',
        { 'pnpm-lock.yaml': lock, 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n', 'apps/web/package.json': '{}' },
        [['pnpm', 'pnpm-lock.yaml', 'apps/web/package.json', 'pnpm-workspace.yaml']],
      ],
      [
        'without a lock too',
        { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n', 'apps/web/package.json': '{}' },
        [['pnpm', 'package.json', 'apps/web/package.json', 'pnpm-workspace.yaml']],
      ],
    ]
    for (const [why, tree, expected] of cases) {
      test(`a pnpm workspace is one project ${why}`, async () => {
        const projects = await findProjects(treeOf(tree))
        assert.deepEqual(
          projects.map(({ ecosystem, path, covers }) => [ecosystem, path, ...covers]),
          expected,
        )
      })
    }

    for (const [ecosystem, other] of [
      ['yarn', 'yarn.lock'],
      ['npm', 'package-lock.json'],
      ['bun', 'bun.lock'],
    ] as const) {
      test(`${other}: its project has no files of pnpm, and its own workspace, beside a pnpm-workspace.yaml`, async () => {
        const tree = {
          'package.json': '{"workspaces":["libs/*"]}',
          'pnpm-workspace.yaml': 'packages:\n  - apps/*\n',
          'apps/web/package.json': '{}',
          'libs/core/package.json': '{}',
          [other]: '',
        }
        const projects = await findProjects(treeOf(tree))
        assert.deepEqual(
          projects.map((project) => [project.ecosystem, project.path, ...project.covers]),
          [
            ['npm', 'apps/web/package.json'],
            [ecosystem, 'package.json', other, 'libs/core/package.json'],
          ],
        )
      })
    }

    test('locks of Yarn and pnpm beside a pnpm-workspace.yaml: packageManager chooses, else Yarn', async () => {
      const tree = { 'yarn.lock': '', 'pnpm-lock.yaml': lock, 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n' }
      const chosen = async (manifest: string) => {
        const projects = await findProjects(treeOf({ ...tree, 'package.json': manifest }))
        return projects.map((project) => [project.ecosystem, ...project.covers, ...(project.unreadLocks ?? [])])
      }
      assert.deepEqual(await chosen('{"packageManager":"pnpm@9.1.0"}'), [
        ['pnpm', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'yarn.lock'],
      ])
      assert.deepEqual(await chosen('{}'), [['yarn', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-lock.yaml']])
    })
  })

  test('pdm.lock is listed as an unread lock of its pyproject.toml', async () => {
    const tree = treeOf({ 'pyproject.toml': '[project]\ndependencies = ["a"]\n', 'pdm.lock': '' })
    const projects = await findProjects(tree)
    assert.deepEqual(
      projects.map(({ ecosystem, path, unreadLocks }) => [ecosystem, path, unreadLocks]),
      [['pyproject', 'pyproject.toml', ['pdm.lock']]],
    )
  })

  test('unmanaged jars of sbt are listed with their build', async () => {
    const tree = treeOf({
      'build.sbt': '',
      'lib/a.jar': '',
      'core/lib/deep/b.jar': '',
      'project/lib/of-the-build.jar': '',
      'core/src/main/webapp/lib/c.jar': '',
      'own/build.sbt': '',
      'own/project/build.properties': '',
      'own/lib/d.jar': '',
      'java/pom.xml': pom('g:a:1'),
    })
    const projects = await findProjects(tree)
    assert.deepEqual(
      projects.map(({ path, unreadJars = [] }) => [path, ...unreadJars]),
      [['build.sbt', 'core/lib/deep/b.jar', 'lib/a.jar'], ['java/pom.xml'], ['own/build.sbt', 'own/lib/d.jar']],
    )
  })
})
