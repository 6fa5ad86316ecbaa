// Made by tools/generate-client.ts.
/** The package managers whose projects are tested, each with the files that are read, and the registry of its packages if there is one. */
export const testFormats = [
  { id: 'npm', label: 'npm', registry: 'npm', files: ['package.json', 'package-lock.json'] },
  { id: 'yarn', label: 'Yarn', registry: 'npm', files: ['package.json', 'yarn.lock', '.yarnrc.yml'] },
  { id: 'pnpm', label: 'pnpm', registry: 'npm', files: ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'] },
  { id: 'bun', label: 'Bun', registry: 'npm', files: ['package.json', 'bun.lock'] },
  { id: 'gomodules', label: 'Go modules', registry: 'Go', files: ['go.mod', 'go.work', 'modules.txt', 'go.sum'] },
  { id: 'govendor', label: 'govendor', registry: 'Go', files: ['vendor.json'] },
  { id: 'maven', label: 'Maven', registry: 'Maven', files: ['pom.xml', 'maven.config', 'jvm.config', 'extensions.xml'] },
  { id: 'gradle', label: 'Gradle', registry: 'Maven', files: ['build.gradle', 'gradle.lockfile', 'libs.versions.toml', 'settings.gradle', 'gradle.properties', 'dependencies.lock'] },
  { id: 'rubygems', label: 'RubyGems', registry: 'RubyGems', files: ['Gemfile.lock', 'Gemfile', 'gemspec'] },
  { id: 'pip', label: 'pip', registry: 'PyPI', files: ['requirements.txt'] },
  { id: 'poetry', label: 'Poetry', registry: 'PyPI', files: ['poetry.lock', 'pyproject.toml'] },
  { id: 'uv', label: 'uv', registry: 'PyPI', files: ['uv.lock', 'pyproject.toml'] },
  { id: 'pipenv', label: 'Pipenv', registry: 'PyPI', files: ['Pipfile.lock', 'Pipfile'] },
  { id: 'pyproject', label: 'pyproject.toml', registry: 'PyPI', files: ['pyproject.toml', 'pylock.toml'] },
  { id: 'sbt', label: 'sbt', registry: 'Maven', files: ['build.sbt', 'plugins.sbt', 'project/*.scala', 'build.properties'] },
  { id: 'cargo', label: 'Cargo', registry: 'crates.io', files: ['Cargo.lock', 'Cargo.toml'] },
  { id: 'githubactions', label: 'GitHub Actions', registry: 'GitHub Actions', files: ['workflow of GitHub Actions', 'action.yml'] },
  { id: 'sbom', label: 'Bill of materials', files: ['CycloneDX bill of materials', 'SPDX bill of materials'] },
] as const

/** The registries with advisories: the type of their package URLs, and the mark between namespace and name. */
export const registries = [
  { name: 'npm', purlType: 'npm', separator: '/' },
  { name: 'PyPI', purlType: 'pypi', separator: '' },
  { name: 'RubyGems', purlType: 'gem', separator: '' },
  { name: 'Maven', purlType: 'maven', separator: ':' },
  { name: 'Go', purlType: 'golang', separator: '/' },
  { name: 'crates.io', purlType: 'cargo', separator: '' },
  { name: 'Packagist', purlType: 'composer', separator: '/' },
  { name: 'NuGet', purlType: 'nuget', separator: '' },
  { name: 'Pub', purlType: 'pub', separator: '' },
  { name: 'Hex', purlType: 'hex', separator: '' },
  { name: 'SwiftURL', purlType: 'swift', separator: '/' },
  { name: 'CocoaPods', purlType: 'cocoapods', separator: '' },
  { name: 'GitHub Actions', purlType: 'githubactions', separator: '/' },
  { name: 'ConanCenter', purlType: 'conan', separator: '' },
  { name: 'vcpkg', purlType: 'vcpkg', separator: '' },
  { name: 'Hackage', purlType: 'hackage', separator: '' },
  { name: 'CRAN', purlType: 'cran', separator: '' },
  { name: 'Julia', purlType: 'julia', separator: '' },
] as const
