import type { testFormats } from '../../src/client/api/test-formats.generated.ts'

/** A package manager whose projects the server reads. */
export type TestFormat = (typeof testFormats)[number]['id']

/** Types of projects: supported package managers first, then types of graphs that clients send. */
export const projectTypes = {
  npm: 'npm',
  yarn: 'Yarn',
  pnpm: 'pnpm',
  bun: 'Bun',
  maven: 'Maven',
  gradle: 'Gradle',
  sbt: 'sbt',
  pip: 'pip',
  poetry: 'Poetry',
  uv: 'uv',
  pipenv: 'Pipenv',
  pyproject: 'pyproject.toml',
  rubygems: 'RubyGems',
  gomodules: 'Go modules',
  govendor: 'govendor',
  sbom: 'Bill of materials',
  golangdep: 'Go dep',
} as const satisfies Readonly<Record<TestFormat | 'golangdep', string>>
