import { hash } from 'node:crypto'

/** A repository with manifests, for pictures. Its packages are old releases that the starter set of advisories knows. */
export interface SampleRepository {
  readonly name: string
  /** Contents of files, by path. */
  readonly files: Readonly<Record<string, string>>
}

/** Days before the pictures on which the repositories are tested. */
export const sampleDays = [84, 63, 42, 28, 14, 7, 0] as const

/** Returns the repositories as they are some days before the pictures: they come and are repaired one after the other. */
export function sampleRepositories(daysAgo = 0): readonly SampleRepository[] {
  const after = (days: number, versions: Versions) => (daysAgo <= days ? versions : {})
  const until = (days: number, versions: Versions) => (daysAgo > days ? versions : {})
  const web = { lodash: '4.17.4', axios: '0.21.0', minimist: '1.2.0', react: '17.0.2', express: '4.17.1' }
  const admin = { handlebars: '4.0.11', jquery: '3.3.1', 'serialize-javascript': '2.1.0', vue: '2.6.14' }
  const api = { django: '2.2.0', jinja2: '2.10', pyyaml: '5.1', requests: '2.19.0', urllib3: '1.24.1' }
  const mailer = { nodemailer: '6.4.0', 'node-fetch': '2.6.0', ini: '1.3.5' }
  const first: SampleRepository[] = [
    {
      name: 'shop/web',
      files: {
        ...npmProject('', { ...web, ...until(28, { handlebars: '4.0.11', 'node-fetch': '2.6.0', ini: '1.3.5' }) }),
        ...npmProject('admin/', { ...admin, ...until(14, { lodash: '4.17.4', minimist: '1.2.0' }) }),
      },
    },
    { name: 'shop/api', files: poetryProject({ ...api, ...after(42, { pillow: '6.2.0' }) }) },
    { name: 'platform/mailer', files: npmProject('', { ...mailer, ...until(42, { lodash: '4.17.4' }) }) },
  ]
  return daysAgo > 63 ? first : [...first, ...others]
}

const others: readonly SampleRepository[] = [
  {
    name: 'payments/ledger',
    files: {
      'gradle.lockfile': gradleLockfile([
        'com.fasterxml.jackson.core:jackson-databind:2.9.8',
        'org.apache.logging.log4j:log4j-core:2.14.1',
        'org.springframework:spring-beans:5.3.17',
        'org.yaml:snakeyaml:1.26',
      ]),
    },
  },
  { name: 'payments/billing', files: gemProject({ rack: '2.0.5', nokogiri: '1.10.3', rake: '12.3.2', json: '2.2.0' }) },
  { name: 'platform/site', files: npmProject('', { picocolors: '1.1.1', nanoid: '5.0.9' }) },
]

type Versions = Readonly<Record<string, string>>

function npmProject(folder: string, versions: Versions): Record<string, string> {
  const own = { name: 'sample', version: '1.0.0', dependencies: versions }
  const entries = Object.entries(versions).map(([name, version]) => [
    `node_modules/${name}`,
    { version, license: 'MIT' },
  ])
  const lock = {
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': own, ...Object.fromEntries(entries) },
  }
  return { [`${folder}package.json`]: toJson(own), [`${folder}package-lock.json`]: toJson(lock) }
}

function poetryProject(versions: Versions): Record<string, string> {
  const entries = Object.entries(versions)
  const packages = entries.map(
    ([name, version]) =>
      `[[package]]\nname = "${name}"\nversion = "${version}"\ndescription = ""\noptional = false\npython-versions = "*"\nfiles = []\n`,
  )
  const lines = entries.map(([name, version]) => `"${name}==${version}"`)
  // Poetry computes it of JSON as Python writes it; another one would make the test incomplete.
  const content = `{"project": {"dependencies": [${lines.join(', ')}], "requires-python": ">=3.9"}, "tool": {"poetry": {}}}`
  const metadata = `[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "${hash('sha256', content)}"\n`
  return {
    'pyproject.toml': `[project]\nname = "sample"\nversion = "1.0.0"\nrequires-python = ">=3.9"\ndependencies = [${lines.join(', ')}]\n`,
    'poetry.lock': [...packages, metadata].join('\n'),
  }
}

function gradleLockfile(coordinates: readonly string[]): string {
  return `# This is a Gradle generated file for dependency locking.\n${coordinates.map((coordinate) => `${coordinate}=runtimeClasspath\n`).join('')}empty=\n`
}

function gemProject(versions: Versions): Record<string, string> {
  const entries = Object.entries(versions)
  const specs = entries.map(([name, version]) => `    ${name} (${version})\n`).join('')
  const lines = entries.map(([name]) => `  ${name}\n`).join('')
  return {
    Gemfile: `source "https://registry.example"\n${entries.map(([name]) => `gem "${name}"\n`).join('')}`,
    'Gemfile.lock': `GEM\n  remote: https://registry.example/\n  specs:\n${specs}\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n${lines}`,
  }
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
