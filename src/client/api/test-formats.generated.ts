// Made by tools/generate-client.ts.
/** The package managers whose projects are tested, each with the files that are read, and the registry of its packages if there is one. */
export const testFormats = [
  { id: 'npm', registry: 'npm', files: ['package.json', 'package-lock.json'] },
  { id: 'yarn', registry: 'npm', files: ['package.json', 'yarn.lock', '.yarnrc.yml'] },
  { id: 'pnpm', registry: 'npm', files: ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'] },
  { id: 'bun', registry: 'npm', files: ['package.json', 'bun.lock'] },
  { id: 'gomodules', registry: 'Go', files: ['go.mod', 'go.work', 'modules.txt', 'go.sum'] },
  { id: 'govendor', registry: 'Go', files: ['vendor.json'] },
  { id: 'maven', registry: 'Maven', files: ['pom.xml', 'maven.config', 'jvm.config', 'extensions.xml'] },
  { id: 'gradle', registry: 'Maven', files: ['build.gradle', 'gradle.lockfile', 'libs.versions.toml', 'settings.gradle', 'gradle.properties', 'dependencies.lock'] },
  { id: 'rubygems', registry: 'RubyGems', files: ['Gemfile.lock', 'Gemfile', 'gemspec'] },
  { id: 'pip', registry: 'PyPI', files: ['requirements.txt'] },
  { id: 'poetry', registry: 'PyPI', files: ['poetry.lock', 'pyproject.toml'] },
  { id: 'uv', registry: 'PyPI', files: ['uv.lock', 'pyproject.toml'] },
  { id: 'pipenv', registry: 'PyPI', files: ['Pipfile.lock', 'Pipfile'] },
  { id: 'pyproject', registry: 'PyPI', files: ['pyproject.toml', 'pylock.toml'] },
  { id: 'sbt', registry: 'Maven', files: ['build.sbt', 'plugins.sbt', 'project/*.scala', 'build.properties'] },
  { id: 'sbom', files: ['CycloneDX bill of materials', 'SPDX bill of materials'] },
] as const
