import { Unreadable } from '../../src/analysis/documents/unreadable.ts'
import { RegistryUnreachable } from '../../src/analysis/ecosystems/ecosystem.ts'
import { createBelow } from '../../src/analysis/ecosystems/jvm/gradle/resolution/below.ts'
import { fromPom } from '../../src/analysis/ecosystems/jvm/gradle/resolution/gradle-dependency.ts'
import { parsePom } from '../../src/analysis/ecosystems/jvm/pom.ts'
import { parseModifiedList } from '../../src/scanning/advisories/modified-list.ts'
import { SyncFailed } from '../../src/scanning/advisories/sync-failed.ts'
import { parseModDocument, parseVersionList } from '../../src/scanning/registries/go/proxy-documents.ts'
import { parseArtifactMetadata, parseSnapshotVersion } from '../../src/scanning/registries/maven/maven-metadata.ts'
import { parseModuleMetadata } from '../../src/scanning/registries/maven/module-metadata.ts'
import { decodePom } from '../../src/scanning/registries/maven/pom-text.ts'
import { parsePackument } from '../../src/scanning/registries/npm/packument.ts'
import { parseCoreMetadata } from '../../src/scanning/registries/pypi/core-metadata.ts'
import { requirementsOfEgg } from '../../src/scanning/registries/pypi/egg-requires.ts'
import { parseProjectPage } from '../../src/scanning/registries/pypi/project-page.ts'
import { parseVersionDocument } from '../../src/scanning/registries/pypi/version-document.ts'
import { readWheelEnd } from '../../src/scanning/registries/pypi/wheel-end.ts'
import { filesOfZip } from '../../src/scanning/registries/pypi/zip-files.ts'
import { parseInfoFile } from '../../src/scanning/registries/rubygems/info-file.ts'
import { toZip } from '../../test/support/repositories/zip.ts'
import type { Target } from './input.ts'
import { corpusFiles, corpusLines } from './seeds.ts'

const packument = JSON.stringify({
  name: 'a',
  'dist-tags': { latest: '1.0.0', next: '2.0.0-a.1' },
  versions: {
    '1.0.0': {
      name: 'a',
      version: '1.0.0',
      dependencies: { b: '^1.0.0' },
      peerDependencies: { c: '*' },
      peerDependenciesMeta: { c: { optional: true } },
      licenses: [{ type: 'MIT' }, { type: 'ISC' }],
    },
    '2.0.0-a.1': { deprecated: 'no', optionalDependencies: { d: '1.x' }, license: 'MIT' },
  },
})
const infoFile =
  'created_at: 2026-01-01T00:00:00Z\n---\n1.0 |checksum:0\n1.1 b:>= 1&< 3,c:~> 2.0|checksum:0,ruby:>= 2.7\n1.1-java |checksum:0,rubygems:> 1.3\n'
const goMod =
  '// Deprecated: x\nmodule "a" // b\n\ngo 1.21\ntoolchain go1.22.0\n\nrequire b v1.2\nrequire (\n\t`c` v0.0.0-20210101000000-0123456789ab // indirect\n)\nretract [v1.0.0, v1.1.0]\nv1.0.0\nreplace b => ../b\n'
const projectPage = JSON.stringify({
  meta: { 'api-version': '1.1' },
  name: 'a',
  files: [
    {
      filename: 'a-1.0-py3-none-any.whl',
      url: '../a-1.0-py3-none-any.whl',
      'core-metadata': { sha256: '00' },
      yanked: 'x',
    },
    { filename: 'a-1.0.tar.gz', url: 'https://registry.example/a-1.0.tar.gz', 'requires-python': '>=3.8,<4' },
  ],
})
const projectPageInHtml =
  '<!DOCTYPE html><title>Links for a</title><a href="../a-1.0.zip#sha256=0" data-requires-python="&gt;=3" data-yanked>a</a><a href=\'b\' data-core-metadata=true>b</a>'
const coreMetadata =
  'Metadata-Version: 2.2\nName: a\nVersion: 1.0\nDynamic: Requires-Dist\nRequires-Python: >=3.8\nRequires-Dist: b (>=1) ; extra == "x"\nProvides-Extra: x\nLicense: MIT\nClassifier: License :: OSI Approved :: MIT License\n\ntext\n[x:python_version < "3"]\nb>=1\n'
const versionDocument = JSON.stringify({
  info: {
    name: 'a',
    requires_dist: ['b>=1'],
    requires_python: '>=3',
    provides_extra: ['x'],
    license: 'MIT',
    classifiers: [],
  },
})
const artifactMetadata =
  '<?xml version="1.0"?><metadata><groupId>a</groupId><artifactId>b</artifactId><versioning><latest>2.0</latest><release>2.0</release><versions><version>1.0</version><version>2.0</version></versions></versioning></metadata>'
const snapshotMetadata =
  '<metadata><version>1.0-SNAPSHOT</version><versioning><snapshot><timestamp>20260101.000000</timestamp><buildNumber>1</buildNumber></snapshot><snapshotVersions><snapshotVersion><extension>pom</extension><value>1.0-20260101.000000-1</value></snapshotVersion></snapshotVersions></versioning></metadata>'
const pom =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a property of Maven
  '<?xml version="1.0" encoding="UTF-8"?><project><parent><groupId>a</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>b</artifactId><properties><v>1.0</v></properties><dependencies><dependency><groupId>c</groupId><artifactId>d</artifactId><version>${v}</version></dependency></dependencies></project>'

const gradleModule = JSON.stringify({
  formatVersion: '1.1',
  variants: [
    {
      name: 'runtimeElements',
      attributes: { 'org.gradle.usage': 'java-runtime', 'org.gradle.jvm.version': 8, 'org.gradle.category': 'library' },
      dependencies: [
        { group: 'g', module: 'b', version: { requires: '1', rejects: ['2'] }, excludes: [{ group: '*' }] },
      ],
      dependencyConstraints: [{ group: 'g', module: 'b', version: { strictly: '[1,2)', prefers: '1.5' } }],
      capabilities: [{ group: 'g', name: 'a', version: '1' }],
    },
    { attributes: { 'org.gradle.category': 'platform' }, dependencyConstraints: [{ group: 'g', module: 'b' }] },
    { attributes: { 'org.gradle.usage': 'java-api' }, 'available-at': { group: 'g', module: 'a-jvm', version: '1' } },
  ],
})
const wantedOfModule = fromPom({
  group: 'g',
  artifact: 'a',
  version: '1',
  type: 'jar',
  classifier: undefined,
  scope: 'compile',
  optional: false,
  exclusions: [],
  place: undefined,
})

export const registryTargets: readonly (() => Target[])[] = [
  () => [
    document(
      'packument',
      () => [packument],
      (bytes) => parsePackument(bytes, 'a'),
    ),
    document(
      'compact-index',
      () => [infoFile],
      (bytes) => parseInfoFile(bytes, 'a'),
    ),
    document(
      'go-mod',
      () => [goMod],
      (bytes) => [orRefusal(() => parseModDocument(bytes, 'a')), parseVersionList(bytes, 'a')],
    ),
    document(
      'pypi-project',
      () => [projectPage, projectPageInHtml],
      (bytes) => parseProjectPage(bytes, { project: 'a', url: 'https://registry.example/simple/a/' }),
    ),
    document(
      'core-metadata',
      () => [coreMetadata, versionDocument],
      (bytes) => [
        orRefusal(() => parseCoreMetadata(bytes.toString('utf8'), 'a')),
        requirementsOfEgg(bytes.toString('utf8')),
        parseVersionDocument(bytes, 'a'),
      ],
    ),
    document(
      'wheel-end',
      () => [toZip([{ name: 'a-1.0.dist-info/METADATA', content: coreMetadata }]).toString('latin1')],
      (bytes) => [
        readWheelEnd({ bytes, start: 0, total: bytes.length }),
        readWheelEnd({ bytes, start: 500, total: bytes.length + 500 }),
        filesOfZip(bytes).map((file) => file.read()),
      ],
    ),
    document(
      'maven-metadata',
      () => [artifactMetadata, snapshotMetadata],
      (bytes) => [orRefusal(() => parseArtifactMetadata(bytes)), parseSnapshotVersion(bytes)],
    ),
    document(
      'gradle-module',
      () => [gradleModule],
      (bytes) => {
        const published = { pom: undefined, module: parseModuleMetadata(bytes), problem: undefined }
        return (['library', 'platform'] as const).map((category) => {
          const {
            dependencies: requested,
            managed,
            problem,
          } = createBelow('jvm')(published, { ...wantedOfModule, category })
          return [requested, problem, managed?.find('g:b')]
        })
      },
    ),
    {
      ...document(
        'pom-of-repository',
        () => [pom, ...corpusFiles('manifests/maven', /pom\.xml$/, 60)],
        (bytes) => parsePom({ file: 'target', text: decodePom(bytes) }, 'repository'),
      ),
      isRefusal: (error) => error instanceof RegistryUnreachable || error instanceof Unreadable,
    },
    {
      name: 'modified-list',
      corpus: () => ({
        seeds: [
          { texts: ['2026-01-01T00:00:00Z,GHSA-aaaa-bbbb-cccc\n2025-01-01T00:00:00.5Z,GO-1\n'], world: 0 },
          {
            texts: [
              corpusLines('osv', 40)
                .filter((line) => /^[\x20-\x7e]+$/.test(line))
                .join('\n'),
            ],
            world: 0,
          },
        ],
      }),
      run: ([text = '']) => [...parseModifiedList(text, 'list')].slice(0, 100),
      isRefusal: (error) => error instanceof SyncFailed,
    },
  ],
]

/** Bytes are characters here, so that broken UTF-8 is met too. */
function document(name: string, seeds: () => readonly string[], parse: (bytes: Buffer) => unknown): Target {
  return {
    name,
    corpus: () => ({ seeds: seeds().map((text) => ({ texts: [text], world: 0 })) }),
    run: ([text = '']) => parse(Buffer.from(text, 'latin1')),
    isRefusal: (error) => error instanceof RegistryUnreachable,
  }
}

function orRefusal(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RegistryUnreachable) return undefined
    throw error
  }
}
